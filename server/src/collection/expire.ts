import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { changeLoad } from '../accounts/load.ts';
import { enqueueCallbacks } from '../callbacks/enqueue.ts';
import { SECOND } from '../clock.ts';
import { type Tx, sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { recountTerms } from '../products/terms-day.ts';
import { SYSTEM, writeEvents, type Actor } from '../history/events.ts';
import { notificationOf } from './notification.ts';
import { returnHeld } from './hold.ts';
import { readOrders } from './store.ts';
import { termsCountsOf, unwaited, type WaitingOrder } from './waiting.ts';

/** Short enough that nobody waits long for an account's load, long enough that a million due orders are gone in minutes. */
const BATCH = 1000;

/**
 * Times out orders whose time is over and releases those whose grace is over; returns how many of both. Any
 * number of nodes may sweep at once: rows another node holds are skipped and are its business.
 */
export async function expireDue(platform: Platform, at: Date = platform.clock.now()): Promise<number> {
  const timedOut = await platform.db.tx(async (tx) => {
    const due = await dueRows(tx, at);
    await timeOut(platform, tx, due, SYSTEM, at);
    return due.length;
  });
  const released = await platform.db.tx(async (tx) => {
    const rows = await tx.query<Pick<WaitingOrder, 'orderId' | 'supplierId' | 'currency' | 'held'>>(sql`
      delete from waiting_orders where order_id in (
        select order_id from waiting_orders where timed_out and release_at <= ${at} order by release_at limit ${BATCH} for update skip locked)
      returning order_id as "orderId", supplier_id as "supplierId", currency, held`);
    await returnHeld(platform, tx, rows);
    return rows.length;
  });
  return timedOut + released;
}

/** In the order of the index: any other would sort all that is due for every batch. */
function dueRows(tx: Tx, at: Date): Promise<WaitingOrder[]> {
  return tx.query<WaitingOrder>(sql`
    select order_id as "orderId", merchant_id as "merchantId", supplier_id as "supplierId", product_id as "productId",
      account_id as "accountId", amount, payable, day from waiting_orders
    where not timed_out and expires_at <= ${at} order by expires_at limit ${BATCH} for update skip locked`);
}

/**
 * Moves locked waiting rows to 'timed out': the order's status and history, the account's load, the merchant's
 * notice where the setting asks for one. The amount stays reserved for the grace time, so that a late payment
 * finds its order and no other.
 */
export async function timeOut(
  platform: Platform,
  tx: Tx,
  rows: readonly Pick<
    WaitingOrder,
    'orderId' | 'merchantId' | 'supplierId' | 'productId' | 'accountId' | 'amount' | 'payable' | 'day'
  >[],
  actor: Actor,
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.orderId);
  const { TimeoutCallbackTime } = await platform.settings.all();
  tx.send(sql`update waiting_orders set timed_out = true where order_id = any(${ids})`);
  tx.send(sql`
    update collection_orders o set status = ${COLLECTION_STATUS.timedOut}
    from (select id from collection_orders where id = any(${ids}) order by id for update) locked
    where o.id = locked.id and o.id = any(${ids}) and o.status = ${COLLECTION_STATUS.allocated}`);
  await writeEvents(
    platform,
    tx,
    ids.map((orderId) => ({
      orderId,
      kind: 'timedOut',
      from: COLLECTION_STATUS.allocated,
      to: COLLECTION_STATUS.timedOut,
      actor,
      at,
    })),
  );
  // Last: allocations on these accounts wait for it.
  await changeLoad(tx, rows.map(unwaited), null);
  await recountTerms(
    tx,
    rows.flatMap((row) => termsCountsOf(row, -1)),
  );
  if (TimeoutCallbackTime > 0) {
    await enqueueCallbacks(
      platform,
      tx,
      (await readOrders(tx, ids)).map((order) => notificationOf(order, 'timeout')),
      new Date(at.getTime() + TimeoutCallbackTime * SECOND),
    );
  }
}
