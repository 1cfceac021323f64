import { type Queryable, type Tx, sql } from '../platform/db/database.ts';
import type { Mend } from '../platform/mend.ts';
import type { Platform } from '../platform/platform.ts';
import { returnHeld } from './hold.ts';

interface HeldAccount {
  /** The ledger account; null when nothing was ever held there. */
  readonly id: bigint | null;
  readonly supplierId: bigint;
  readonly currency: string;
}

interface Hold {
  readonly orderId: bigint;
  /** What the ledger holds. */
  readonly held: bigint;
  /** What the waiting row says; null when the order does not wait. */
  readonly noted: bigint | null;
}

/**
 * Makes deposit holds and waiting orders agree. The ledger is right: a row takes over what its order's postings hold, and a
 * hold of an order that no longer waits goes back to the deposit. Answers what it did. Without `mayMove` it moves no money: it
 * only reports such holds.
 */
export async function mendHolds(platform: Platform, tx: Tx, mayMove: boolean): Promise<Mend[]> {
  const accounts = await differing(tx);
  if (accounts.length === 0) return [];
  // Whoever changes a supplier's holds posts to this account. So rows and entries stand still while this lock is held.
  await tx.query(sql`
    select 1 from ledger_accounts where id = any(${accounts.flatMap(({ id }) => id ?? [])}) order by id for update`);
  const mends: Mend[] = [];
  for (const account of accounts)
    for (const hold of await holdsOf(tx, account))
      mends.push(await mendHold(platform, tx, account, hold, mayMove));
  return mends;
}

async function mendHold(
  platform: Platform,
  tx: Tx,
  { supplierId, currency }: HeldAccount,
  { orderId, held, noted }: Hold,
  mayMove: boolean,
): Promise<Mend> {
  const subject = `order:${orderId}`;
  if (noted === null) {
    if (mayMove) await returnHeld(platform, tx, [{ orderId, supplierId, currency, held }]);
    const supplier = String(supplierId);
    return {
      kind: 'holdWithoutOrder',
      subject,
      before: { supplierId: supplier, currency, held: String(held) },
      after: { supplierId: supplier, currency, held: '0' },
    };
  }
  await tx.query(sql`update waiting_orders set held = ${held} where order_id = ${orderId}`);
  return { kind: 'holdDiffers', subject, before: { held: String(noted) }, after: { held: String(held) } };
}

/** Suppliers whose held balance differs from the sum of their waiting orders. */
function differing(db: Queryable): Promise<HeldAccount[]> {
  return db.query<HeldAccount>(sql`
    select a.id, supplier_id as "supplierId", currency
    from (
      select id, owner_id as supplier_id, currency, balance from ledger_accounts where owner_kind = 'supplier' and bucket = 'held'
    ) a
    full join (select supplier_id, currency, sum(held) as held from waiting_orders where held > 0 group by 1, 2) w
      using (supplier_id, currency)
    where coalesce(a.balance, 0) <> coalesce(w.held, 0)
    order by supplier_id, currency`);
}

/** Orders whose row differs from what the ledger holds for them. A hold below zero is left out: `verify` names it. */
function holdsOf(tx: Tx, { id, supplierId, currency }: HeldAccount): Promise<Hold[]> {
  return tx.query<Hold>(sql`
    with booked as (
      select p.order_id, sum(e.amount) as held from ledger_entries e join postings p on p.id = e.posting_id
      where e.account_id = ${id} and p.order_id is not null group by 1 having sum(e.amount) > 0
    ), noted as (
      select order_id, held from waiting_orders where supplier_id = ${supplierId} and currency = ${currency}
    )
    select order_id as "orderId", coalesce(b.held, 0)::bigint as held, n.held as noted
    from booked b full join noted n using (order_id)
    where coalesce(b.held, 0) <> coalesce(n.held, 0) order by order_id`);
}
