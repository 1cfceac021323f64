import { type Queryable, type Tx, hot, sql } from '../platform/db/database.ts';
import { refFamily, type RefFamily } from './references.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

export interface ReferenceClaim {
  readonly orderId: bigint;
  /** Normalised. */
  readonly reference: string;
  readonly currency: string;
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
  const claimed = await tx.query<{ orderId: bigint }>(
    hot(
      'claim references',
      sql`
    insert into utr_uses (family, utr, order_id, used_at)
    select *, ${at} from ${unnestRows(
      { family: 'text', utr: 'text', orderId: 'bigint' },
      claims.map((claim) => ({
        ...claim,
        family: refFamily(claim.reference, claim.currency),
        utr: claim.reference,
      })),
    )}
    order by family, utr on conflict do nothing returning order_id as "orderId"`,
    ),
  );
  const won = new Set(claimed.map((row) => row.orderId));
  return new Set(claims.map((claim) => claim.orderId).filter((orderId) => !won.has(orderId)));
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
  return rows.map((row) => row.utr);
}

const FAMILIES: readonly RefFamily[] = ['UPI', 'NEFT', 'MPESA', 'TRON', 'OTHER'];

/** Orders that used a reference: at most one for each reference family. */
export async function ordersOfReference(
  db: Queryable,
  reference: string,
  families = FAMILIES,
): Promise<bigint[]> {
  const rows = await db.query<{ orderId: bigint }>(sql`
    select order_id as "orderId" from utr_uses where family = any(${families}) and utr = ${reference}`);
  return rows.map((row) => row.orderId);
}
