import { type Queryable, type Tx, sql } from '../platform/db/database.ts';

/** Number of slips of a payout: those of one supplier, or all. */
export async function countSlips(db: Queryable, orderId: bigint, supplierId?: bigint): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from payout_slips
    where order_id = ${orderId} and (${supplierId ?? null}::bigint is null or supplier_id = ${supplierId ?? null})`);
  return row!.count;
}

/** Deletes the slips of payouts that go into an archive. The archive's file does not hold slips. */
export async function deleteSlipsOfArchived(tx: Tx, archiveId: bigint): Promise<void> {
  await tx.query(sql`
    delete from payout_slips p using archived_orders a where a.archive_id = ${archiveId} and a.order_id = p.order_id`);
}
