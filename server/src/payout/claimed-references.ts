import { claimReferences, type ReferenceClaim } from '../order-numbers/claim.ts';
import { type Queryable, type Tx, hot, sql } from '../platform/db/database.ts';
import { evidenceFor, type StatedMovement } from '../evidence/trusted-chain/statements.ts';
import { familiesOf } from '../order-numbers/references.ts';
import type { Platform } from '../platform/platform.ts';
import type { SaidPaid } from './debits.ts';
import type { PayoutOrder } from './order.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

/** A supplier's statement that it paid a payout by this UTR. */
interface Claim {
  readonly order: Pick<PayoutOrder, 'id' | 'supplierId' | 'currency'>;
  /** Normalised. */
  readonly utr: string | null;
}

/**
 * The orders whose claimed UTR is refused: another order has used it, the bank has named it as a credit, or the same supplier has stated it
 * for another unproven payout. A UTR that another supplier has stated is not refused for that.
 */
export async function takenForClaims(tx: Tx, claims: readonly Claim[]): Promise<Set<bigint>> {
  const named = claims.flatMap(({ order, utr }) => (utr === null ? [] : [{ order, utr }]));
  if (named.length === 0) return new Set();
  // Of two claims with one UTR at the same moment, the second waits here and then finds the first.
  await tx.query(sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended('payoutClaim/' || k, 0) as key from unnest(${named.map(
        ({ order, utr }) => `${order.supplierId}/${utr}`,
      )}::text[]) as k order by 1) keys`);
  const known = await tx.query<{ id: bigint }>(
    hot(
      'claimed references known',
      sql`
    select v.id from ${unnestRows(
      { id: 'bigint', supplierId: 'bigint', currency: 'text', utr: 'text' },
      named.map(({ order, utr }) => ({ ...order, utr })),
    )}
    where exists (select from utr_uses u where u.utr = v.utr and u.family = any(${familiesOf(sql`v.currency`)}))
      or exists (select from messages m where m.utr = v.utr and m.direction = 'credit')
      or exists (select from payout_orders o
        where o.utr = v.utr and o.unproven and o.supplier_id is not distinct from v.supplier_id and o.id <> v.id)`,
    ),
  );
  const seen = new Set<string>();
  return new Set([
    ...known.map(({ id }) => id),
    // The same UTR twice in one file.
    ...named
      .filter(({ order, utr }) => seen.size === seen.add(`${order.currency} ${utr}`).size)
      .map(({ order }) => order.id),
  ]);
}

/**
 * The orders whose UTR belongs to a corroborated debit of another supplier, while their own supplier has no debit with this UTR: whoever
 * confirms them has taken one supplier's payment for another's. A debit without its chain's corroboration does not count: a rival
 * could have written it.
 */
export async function paidByAnother(
  platform: Platform,
  tx: Tx,
  said: readonly SaidPaid[],
): Promise<ReadonlySet<bigint>> {
  const named = said.filter(({ order, utr }) => utr !== null && order.supplierId !== null);
  if (named.length === 0) return new Set();
  const found = await tx.query<StatedMovement & { orderId: bigint }>(
    hot(
      'claims paid by another',
      sql`
    select v.id as "orderId", m.id, m.account_id as "accountId", m.amount, m.balance, m.currency, m.direction
    from unnest(${named.map(({ order }) => order.id)}::bigint[], ${named.map(({ order }) => order.supplierId)}::bigint[],
      ${named.map(({ utr }) => utr)}::text[]) as v (id, supplier_id, utr)
    join messages m on m.utr = v.utr and m.direction = 'debit' and m.account_id is not null and m.supplier_id <> v.supplier_id
    where not exists (select from messages own where own.utr = v.utr and own.direction = 'debit' and own.supplier_id = v.supplier_id)`,
    ),
  );
  const counted = await evidenceFor(platform, tx, 'supplier', found);
  return new Set(found.filter(({ id }) => counted.has(id)).map(({ orderId }) => orderId));
}

/** Ids of the unproven payouts that are said to be paid by this reference. */
export async function payoutsClaimedBy(db: Queryable, reference: string): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(
    sql`select id from payout_orders where utr = ${reference} and unproven order by id`,
  );
  return rows.map(({ id }) => id);
}

/** How a payout uses the reference of its payment. */
export const claimOf = ({ id, supplierId, currency }: Claim['order'], reference: string): ReferenceClaim => ({
  orderId: id,
  reference,
  currency,
  sentBy: supplierId === null ? 'platform' : 'supplier',
});

/** Claims the UTR of a payout that is proven now. False when another order has used it. */
export async function claimProven(
  tx: Tx,
  order: Claim['order'] & Pick<PayoutOrder, 'utr'>,
  at: Date,
): Promise<boolean> {
  if (order.utr === null) return true;
  return !(await claimReferences(tx, [claimOf(order, order.utr)], at)).has(order.id);
}
