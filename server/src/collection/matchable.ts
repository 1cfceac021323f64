import { type Queryable, type Tx, hot, sql } from '../platform/db/database.ts';
import { WAITING_COLUMNS, type WaitingOrder } from './waiting.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

/** What credits on some accounts may point at orders with. */
export interface MatchQuery {
  readonly accountIds: readonly bigint[];
  /** Minor units. */
  readonly amounts: readonly bigint[];
  readonly references: readonly string[];
  readonly identifyCodes: readonly string[];
}

/** Locks, in id order, the waiting orders of these accounts that any of the evidence could mean. */
export function lockMatchable(tx: Tx, query: MatchQuery): Promise<WaitingOrder[]> {
  return tx.query<WaitingOrder>(sql`
    select ${WAITING_COLUMNS} from waiting_orders w
    where w.account_id = any(${query.accountIds})
      and (w.payable = any(${query.amounts}) or w.amount = any(${query.amounts})
        or w.payer_utr = any(${query.references}) or w.identify_code = any(${query.identifyCodes}))
    order by w.order_id for update`);
}

export interface PaidAmount {
  readonly accountId: bigint;
  /** Minor units. */
  readonly amount: bigint;
}

/** Those of these amounts that were paid on their account a moment ago, and whether by evidence with a reference. */
export function amountsJustPaid(
  tx: Tx,
  amounts: readonly PaidAmount[],
  at: Date,
): Promise<(PaidAmount & { readonly stated: boolean })[]> {
  return tx.query(
    hot(
      'amounts just paid',
      sql`
    select c.account_id as "accountId", c.payable as amount, c.stated_reference as stated
    from ${unnestRows(
      { accountId: 'bigint', payable: 'bigint' },
      amounts.map((row) => ({ ...row, payable: row.amount })),
    )}
    join cooling_amounts c on c.account_id = v.account_id and c.payable = v.payable
    where c.stated_reference is not null and c.remembered_until > ${at}`,
    ),
  );
}

/** Further off than this, a payment is meant for something else: five units of a USDT order. */
const NEAR = 5_000_000n;

/**
 * The payable amount nearest to one that pays no order exactly, of orders that waited at that moment; undefined where none
 * is near.
 */
export async function nearestPayable(
  db: Queryable,
  accountId: bigint,
  amount: bigint,
  at: Date,
): Promise<bigint | undefined> {
  const [row] = await db.query<{ payable: bigint }>(sql`
    select payable from waiting_orders
    where account_id = ${accountId} and payable between ${amount - NEAR} and ${amount + NEAR}
      and allocated_at <= ${at} and release_at >= ${at}
    order by abs(payable - ${amount}) limit 1`);
  return row?.payable;
}

/** The order with this code that waits on an account; timed-out ones until their grace ends. */
export async function waitingFor(
  db: Queryable,
  accountId: bigint,
  identifyCode: string,
): Promise<WaitingOrder | undefined> {
  const [order] = await db.query<WaitingOrder>(sql`
    select ${WAITING_COLUMNS} from waiting_orders w
    where w.identify_code = ${identifyCode} and w.account_id = ${accountId}`);
  return order;
}
