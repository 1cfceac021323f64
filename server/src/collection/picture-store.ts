import { type Queryable, type Tx, sql } from '../platform/db/database.ts';

/** The number of payment screenshots of an order. */
export async function countPictures(db: Queryable, orderId: bigint): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from order_pictures where order_id = ${orderId}`,
  );
  return row!.count;
}

/** Deletes the pictures of orders that go to an archive: pictures are not archived. */
export async function deletePicturesOfArchived(tx: Tx, archiveId: bigint): Promise<void> {
  await tx.query(sql`
    delete from order_pictures p using archived_orders a where a.archive_id = ${archiveId} and a.order_id = p.order_id`);
}
