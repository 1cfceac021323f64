import { type Tx, hot, sql } from '../platform/db/database.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

/** An order whose place in the counts may have changed. */
export interface OrderChange {
  /** A new id; where an event is the reason, the event's id. */
  readonly id: bigint;
  readonly orderId: bigint;
  /** The merchant has acknowledged the payment, and nothing else has changed. */
  readonly told: boolean;
}

/** Queues orders to be counted again, in the transaction that changes them. */
export function noteChanges(tx: Tx, changes: readonly OrderChange[]): void {
  if (changes.length === 0) return;
  tx.send(
    hot(
      'note changes',
      sql`
    insert into order_changes (id, order_id, told)
    select * from ${unnestRows({ id: 'bigint', orderId: 'bigint', told: 'boolean' }, changes)}`,
    ),
  );
}

/**
 * Takes up to `most` changes off the queue. `told`: orders of which every change is `told`; `orderIds`: the others. One caller
 * at a time takes them and counts them in the same transaction.
 */
export async function takeChanges(
  tx: Tx,
  most: number,
): Promise<{
  readonly taken: number;
  readonly orderIds: readonly bigint[];
  readonly told: readonly bigint[];
}> {
  const rows = await tx.query<{ orderId: bigint; changes: number; told: boolean }>(
    hot(
      'take changes',
      sql`
    with taken as (
      delete from order_changes where ctid = any(array(select ctid from order_changes limit ${most})) returning order_id, told
    )
    select order_id as "orderId", count(*)::int as changes, bool_and(told) as told from taken group by order_id`,
    ),
  );
  const idsOf = (isTold: boolean) => rows.filter(({ told }) => told === isTold).map(({ orderId }) => orderId);
  return {
    taken: rows.reduce((sum, { changes }) => sum + changes, 0),
    orderIds: idsOf(false),
    told: idsOf(true),
  };
}
