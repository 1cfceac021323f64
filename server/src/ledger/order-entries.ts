import type { Currency } from '@sangam/contract/money.ts';
import { type Queryable, sql, type Tx } from '../platform/db/database.ts';
import { lowestIdAfter } from '../platform/db/ids.ts';

export interface OrderEntry {
  readonly id: bigint;
  readonly postingId: bigint;
  readonly postingKind: string;
  readonly ownerKind: 'merchant' | 'supplier' | 'platform';
  readonly ownerId: bigint;
  readonly ownerName: string;
  readonly bucket: string;
  readonly currency: Currency;
  /** Minor units. */
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly createdAt: Date;
}

export type ChangedBalance = Pick<
  OrderEntry,
  'ownerKind' | 'ownerId' | 'ownerName' | 'bucket' | 'currency' | 'amount' | 'balanceAfter'
>;

/**
 * What this transaction has changed so far, one row a balance: the sum of the changes and the balance after them. Of a balance
 * kept in parts it is the balance of one part.
 */
export function entriesOfTransaction(tx: Tx): Promise<ChangedBalance[]> {
  return tx.query<ChangedBalance>(sql`
    select a.owner_kind as "ownerKind", a.owner_id as "ownerId", coalesce(m.name, s.name, 'platform') as "ownerName", a.bucket,
      a.currency, sum(e.amount)::bigint as amount, (array_agg(e.balance_after order by e.id desc))[1] as "balanceAfter"
    from ledger_entries e
    join ledger_accounts a on a.id = e.account_id
    left join merchants m on a.owner_kind = 'merchant' and m.id = a.owner_id
    left join suppliers s on a.owner_kind = 'supplier' and s.id = a.owner_id
    where e.tx_id = pg_current_xact_id()::text::bigint
    group by a.owner_kind, a.owner_id, a.bucket, a.currency, m.name, s.name order by min(e.id)`);
}

/** Ledger entries of an order's postings, in the order they were written. */
export function entriesOfOrder(db: Queryable, orderId: bigint): Promise<OrderEntry[]> {
  return db.query<OrderEntry>(sql`
    select e.id, e.posting_id as "postingId", p.kind as "postingKind", a.owner_kind as "ownerKind", a.owner_id as "ownerId",
      coalesce(m.name, s.name, 'platform') as "ownerName", a.bucket, a.currency, e.amount, e.balance_after as "balanceAfter",
      e.created_at as "createdAt"
    from postings p
    join ledger_entries e on e.posting_id = p.id and e.id > ${lowestIdAfter(orderId)}
    join ledger_accounts a on a.id = e.account_id
    left join merchants m on a.owner_kind = 'merchant' and m.id = a.owner_id
    left join suppliers s on a.owner_kind = 'supplier' and s.id = a.owner_id
    where p.order_id = ${orderId} order by e.id`);
}
