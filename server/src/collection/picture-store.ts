import { type Queryable, type Tx, sql } from '../platform/db/database.ts';

/** Screenshots of payments that an order carries. */
export async function countPictures(db: Queryable, orderId: bigint): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from order_pictures where order_id = ${orderId}`,
  );
  return row!.count;
}

/** Pictures of orders that leave with an archive go with them: nobody reads them from a file. */
export async function deletePicturesOfArchived(tx: Tx, archiveId: bigint): Promise<void> {
  await tx.query(sql`
    delete from order_pictures p using archived_orders a where a.archive_id = ${archiveId} and a.order_id = p.order_id`);
}
