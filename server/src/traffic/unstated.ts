import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

/**
 * Paid orders (test orders too) that were paid before a moment and that no statement has included yet. Marks them as included. Must run in
 * the transaction that writes the statement.
 */
export async function takeUnstated(tx: Tx, before: Date, now: Date): Promise<bigint[]> {
  const rows = await tx.query<{ orderId: bigint }>(sql`
    update order_sources s set stated_at = ${now}
    from collection_orders o
    where s.received is not null and s.stated_at is null and o.id = s.order_id and o.paid_at < ${before}
    returning s.order_id as "orderId"`);
  return rows.map(({ orderId }) => orderId);
}

/** When the first of those orders was paid. Undefined when there is none. */
export async function oldestUnstated({ db }: Platform): Promise<Date | undefined> {
  const [row] = await db.query<{ paidAt: Date | null }>(sql`
    select min(o.paid_at) as "paidAt" from order_sources s join collection_orders o on o.id = s.order_id
    where s.received is not null and s.stated_at is null`);
  return row?.paidAt ?? undefined;
}
