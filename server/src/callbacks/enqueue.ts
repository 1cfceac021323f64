import { type Tx, sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import type { CallbackKind } from './callback.ts';

/** A notification to write into the outbox. */
export interface Notification {
  readonly orderId: bigint;
  readonly merchantId: bigint;
  readonly kind: CallbackKind;
  readonly url: string;
  /** Names and values as text, unsigned: the dispatcher signs what it sends. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Writes outbox rows in the transaction that changed the orders, whose locks it holds: their place among the order's
 * notices is counted under them. The dispatcher sends them after the commit.
 * `dueAt` is when the first attempt is due.
 */
export async function enqueueCallbacks(
  platform: Platform,
  tx: Tx,
  notifications: readonly Notification[],
  dueAt: Date = platform.clock.now(),
): Promise<void> {
  if (notifications.length === 0) return;
  const { CallbackType } = await platform.settings.all();
  tx.send(sql`
    insert into callbacks (id, order_id, merchant_id, kind, url, transport, fields, next_at, created_at, place)
    select v.id, v.order_id, v.merchant_id, v.kind, v.url, coalesce(m.callback_transport, ${CallbackType}), v.fields, ${dueAt}, ${platform.clock.now()},
      (select coalesce(max(e.place), 0) + 1 from callbacks e where e.order_id = v.order_id)
    from unnest(
      ${notifications.map(() => platform.ids.next())}::bigint[], ${notifications.map((row) => row.orderId)}::bigint[],
      ${notifications.map((row) => row.merchantId)}::bigint[], ${notifications.map((row) => row.kind)}::text[],
      ${notifications.map((row) => row.url)}::text[], ${notifications.map((row) => JSON.stringify(row.fields))}::json[])
      as v (id, order_id, merchant_id, kind, url, fields)
    join merchants m on m.id = v.merchant_id`);
}

/** Takes back notices of a timeout that were not tried yet: the order was paid after all. */
export function withdrawTimeoutCallbacks(tx: Tx, orderIds: readonly bigint[]): void {
  tx.send(sql`
    delete from callbacks where order_id = any(${orderIds}) and kind = 'timeout' and state = 0 and attempts = 0`);
}

/** Makes an order's pending callback due now; false when it has none. */
export async function hastenCallbacks(platform: Platform, tx: Tx, orderId: bigint): Promise<boolean> {
  const rows = await tx.query(sql`
    update callbacks set next_at = ${platform.clock.now()}
    where order_id = ${orderId} and state = 0 and kind <> 'timeout' returning id`);
  return rows.length > 0;
}
