import { type Queryable, sql } from '../platform/db/database.ts';

/** Screenshots of payments that an order carries. */
export async function countPictures(db: Queryable, orderId: bigint): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from order_pictures where order_id = ${orderId}`,
  );
  return row!.count;
}
