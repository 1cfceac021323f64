import { type Queryable, type Tx, sql } from '../platform/db/database.ts';

/** Slips that a payout carries: one supplier's, or all. */
export async function countSlips(db: Queryable, orderId: bigint, supplierId?: bigint): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from payout_slips
    where order_id = ${orderId} and (${supplierId ?? null}::bigint is null or supplier_id = ${supplierId ?? null})`);
  return row!.count;
}

/** Slips of payouts that leave with an archive go with them: nobody reads them from a file. */
export async function deleteSlipsOfArchived(tx: Tx, archiveId: bigint): Promise<void> {
  await tx.query(sql`
    delete from payout_slips p using archived_orders a where a.archive_id = ${archiveId} and a.order_id = p.order_id`);
}
