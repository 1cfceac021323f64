import { type Tx, sql } from '../platform/db/database.ts';

/**
 * Paid orders, test orders too, of which no statement has spoken and that were paid before a moment; spoken of from now on. In
 * the transaction that writes the statement.
 */
export async function takeUnstated(tx: Tx, before: Date, now: Date): Promise<bigint[]> {
  const rows = await tx.query<{ orderId: bigint }>(sql`
    update order_sources s set stated_at = ${now}
    from collection_orders o
    where s.reached >= 4 and s.stated_at is null and o.id = s.order_id and o.paid_at < ${before}
    returning s.order_id as "orderId"`);
  return rows.map(({ orderId }) => orderId);
}
