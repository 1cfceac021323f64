import { type Tx, hot, sql } from '../platform/db/database.ts';

/** An order that may count differently from now on. */
export interface OrderChange {
  /** Unique; where an event is the reason, the event's id. */
  readonly id: bigint;
  readonly orderId: bigint;
}

/** Queues orders to be counted anew, in the transaction that changes them. */
export function noteChanges(tx: Tx, changes: readonly OrderChange[]): void {
  if (changes.length === 0) return;
  tx.send(
    hot(
      'note changes',
      sql`
    insert into order_changes (id, order_id)
    select * from unnest(${changes.map(({ id }) => id)}::bigint[], ${changes.map(({ orderId }) => orderId)}::bigint[])`,
    ),
  );
}

/** Takes up to `most` changes off the queue, the oldest first; answers their orders. To be counted in the same transaction. */
export async function takeChanges(
  tx: Tx,
  most: number,
): Promise<{ readonly taken: number; readonly orderIds: readonly bigint[] }> {
  const rows = await tx.query<{ orderId: bigint }>(
    hot(
      'take changes',
      sql`
    delete from order_changes where id = any(array(
      select id from order_changes order by id limit ${most} for update skip locked))
    returning order_id as "orderId"`,
    ),
  );
  return { taken: rows.length, orderIds: [...new Set(rows.map(({ orderId }) => orderId))] };
}
