import { type Queryable, type Sql, type Tx, hot, sql } from '../platform/db/database.ts';
import { isNamedBy, refFamily, type RefFamily } from './references.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

export interface ReferenceClaim {
  readonly orderId: bigint;
  /** Normalised. */
  readonly reference: string;
  readonly currency: string;
  /** Who sent the money of a payout: the platform (by a gateway or a wallet), or its supplier. */
  readonly sentBy?: 'platform' | 'supplier';
}

/**
 * The families in which a claim uses its reference. What a supplier says that it sent is neither what we have received nor what our
 * wallets sent.
 */
function familiesIn({ reference, currency, sentBy }: ReferenceClaim): readonly RefFamily[] {
  const family = refFamily(reference, currency);
  if (family !== 'TRON' || sentBy === undefined) return [family];
  return sentBy === 'platform' ? ['TRONOUT'] : ['TRON', 'TRONOUT'];
}

/**
 * Claims references for orders; answers the orders whose reference another order has used. A claim of another open transaction
 * is waited for, so of two simultaneous claims exactly one wins.
 */
export async function claimReferences(
  tx: Tx,
  claims: readonly ReferenceClaim[],
  at: Date,
): Promise<Set<bigint>> {
  if (claims.length === 0) return new Set();
  const rows = claims.flatMap((claim) =>
    familiesIn(claim).map((family) => ({ family, utr: claim.reference, orderId: claim.orderId })),
  );
  const claimed = await tx.query<{ orderId: bigint }>(
    hot(
      'claim references',
      sql`
    insert into utr_uses (family, utr, order_id, used_at)
    select *, ${at} from ${unnestRows({ family: 'text', utr: 'text', orderId: 'bigint' }, rows)}
    order by family, utr on conflict do nothing returning order_id as "orderId"`,
    ),
  );
  // A claim that did not win all of its families keeps none.
  const won = Map.groupBy(claimed, (row) => row.orderId);
  const lost = claims.filter((claim) => won.get(claim.orderId)?.length !== familiesIn(claim).length);
  for (const { orderId } of lost) if (won.has(orderId)) await freeReferences(tx, orderId);
  return new Set(lost.map(({ orderId }) => orderId));
}

/** The keys (`referenceKey`) of the given references that some order has used. */
export async function usedReferences(
  db: Queryable,
  asked: readonly Pick<ReferenceClaim, 'reference' | 'currency'>[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const rows = await db.query<{ key: string }>(
    hot(
      'used references',
      sql`
    select u.family || ' ' || u.utr as key from utr_uses u join ${unnestRows(
      { family: 'text', utr: 'text' },
      asked.map((row) => ({ family: refFamily(row.reference, row.currency), utr: row.reference })),
    )} using (family, utr)`,
    ),
  );
  return new Set(rows.map((row) => row.key));
}

/** Frees an order's references for other orders; answers them. */
export async function freeReferences(tx: Tx, orderId: bigint): Promise<string[]> {
  const rows = await tx.query<{ utr: string }>(sql`
    delete from utr_uses where order_id = ${orderId} returning utr`);
  return [...new Set(rows.map((row) => row.utr))];
}

/** The order that used a reference in its family. */
export async function orderOfReference(
  db: Queryable,
  claim: Pick<ReferenceClaim, 'reference' | 'currency'>,
): Promise<bigint | undefined> {
  const [use] = await db.query<{ orderId: bigint }>(sql`
    select order_id as "orderId" from utr_uses
    where family = ${refFamily(claim.reference, claim.currency)} and utr = ${claim.reference}`);
  return use?.orderId;
}

/** SQL: the holder of a reference is a top-up by hand. */
export const isTopUpOf = (holder: Sql): Sql =>
  sql`exists (select from postings t where t.key = 'approval/' || ${holder} and t.kind = 'topUp')`;

/** Whether a top-up by hand holds this reference. */
export async function isHeldByTopUp(
  db: Queryable,
  claim: Pick<ReferenceClaim, 'reference' | 'currency'>,
): Promise<boolean> {
  const holder = await orderOfReference(db, claim);
  return holder !== undefined && isTopUp(db, holder);
}

/** Whether the holder of a reference is a top-up by hand, and neither an order nor a credit that was settled outside. */
export async function isTopUp(db: Queryable, holderId: bigint): Promise<boolean> {
  return (await db.query(sql`select where ${isTopUpOf(sql`${holderId}::bigint`)}`)).length > 0;
}

const FAMILIES: readonly RefFamily[] = ['UPI', 'NEFT', 'MPESA', 'TRON', 'TRONOUT', 'OTHER'];

/** Orders that used what a person stated, in any family: of a TRON transaction those that received it first. */
export async function ordersNamedBy(db: Queryable, stated: string): Promise<bigint[]> {
  const rows = await db.query<{ orderId: bigint }>(sql`
    select order_id as "orderId" from utr_uses where family = any(${FAMILIES}) and ${isNamedBy(sql`utr`, stated)}
    group by order_id order by min(family), min(utr)`);
  return rows.map((row) => row.orderId);
}
