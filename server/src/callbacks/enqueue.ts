import { type Tx, hot, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { CallbackKind } from './callback.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

/** A notification to write into the outbox. */
export interface Notification {
  readonly orderId: bigint;
  readonly merchantId: bigint;
  readonly kind: CallbackKind;
  readonly url: string;
  /** Names and values as text, unsigned: the dispatcher signs what it sends. */
  readonly fields: Readonly<Record<string, string>>;
}

const NOTIFICATION = {
  id: 'bigint',
  orderId: 'bigint',
  merchantId: 'bigint',
  kind: 'text',
  url: 'text',
  fields: 'json',
} as const;

/**
 * Writes outbox rows in the transaction that changed the orders. That transaction holds the orders' locks, so each callback
 * gets the next place of its order. The dispatcher sends them after the commit. `dueAt`: when the first attempt is due.
 */
export async function enqueueCallbacks(
  platform: Platform,
  tx: Tx,
  notifications: readonly Notification[],
  dueAt: Date = platform.clock.now(),
): Promise<void> {
  if (notifications.length === 0) return;
  const { CallbackType } = await platform.settings.all();
  tx.send(
    hot(
      'enqueue callbacks',
      sql`
    with written as (
      insert into callbacks (id, order_id, merchant_id, kind, url, transport, fields, created_at, place)
      select v.id, v.order_id, v.merchant_id, v.kind, v.url, coalesce(m.callback_transport, ${CallbackType}), v.fields,
        ${platform.clock.now()}, (select coalesce(max(e.place), 0) + 1 from callbacks e where e.order_id = v.order_id)
      from ${unnestRows(
        NOTIFICATION,
        notifications.map((row) => ({ id: platform.ids.next(), ...row })),
      )}
      join merchants m on m.id = v.merchant_id
      returning id, order_id, merchant_id, place)
    insert into callback_queue (callback_id, order_id, merchant_id, place, next_at)
    select id, order_id, merchant_id, place, ${dueAt} from written`,
    ),
  );
}

/**
 * Takes back timeout callbacks that were never tried, because the order was paid after all. One that is being sent, or that a
 * claim may be leasing now, stays. The callback of the payment waits for its end, so the merchant hears of the payment last.
 */
export function withdrawTimeoutCallbacks(tx: Tx, orderIds: readonly bigint[], at: Date): void {
  tx.send(hot('withdraw timeouts', sql`select withdraw_timeouts(${orderIds}, ${at})`));
}

/** Makes an order's waiting callback due now; false when the order has none. */
export async function retryCallbacksNow(platform: Platform, tx: Tx, orderId: bigint): Promise<boolean> {
  const rows = await tx.query(sql`
    update callback_queue set next_at = ${platform.clock.now()}
    where callback_id = any(array(select id from callbacks where order_id = ${orderId} and kind <> 'timeout'))
    returning callback_id`);
  return rows.length > 0;
}
