import { type Queryable, sql } from '../platform/db/database.ts';

/** Slips that a payout carries: one supplier's, or all. */
export async function countSlips(db: Queryable, orderId: bigint, supplierId?: bigint): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from payout_slips
    where order_id = ${orderId} and (${supplierId ?? null}::bigint is null or supplier_id = ${supplierId ?? null})`);
  return row!.count;
}
