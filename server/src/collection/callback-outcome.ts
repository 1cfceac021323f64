import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import type { OutcomeListener } from '../callbacks/dispatch.ts';
import { sql } from '../db/database.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { lockOrders } from './store.ts';

/**
 * What a callback attempt means for its order: the first `success` answer ends it in 'callback succeeded', retries used
 * up in 'callback failed'. Notices of a timeout change nothing; those of a reversal are told, but the status is that of
 * the payment.
 */
export const recordCallbackOutcome: OutcomeListener = async (platform, tx, callback, outcome) => {
  if (outcome === 'failed' || callback.kind === 'timeout') return;
  const [order] = await lockOrders(tx, [callback.orderId]);
  if (!order) return;
  const { paid, callbackFailed, callbackSucceeded } = COLLECTION_STATUS;
  const status =
    callback.kind === 'reversed'
      ? order.status
      : outcome === 'succeeded' && (order.status === paid || order.status === callbackFailed)
        ? callbackSucceeded
        : outcome === 'exhausted' && order.status === paid
          ? callbackFailed
          : order.status;
  await tx.query(sql`update collection_orders set status = ${status} where id = ${order.id}`);
  await writeEvents(platform, tx, [
    {
      orderId: order.id,
      kind: outcome === 'succeeded' ? 'callbackSucceeded' : 'callbackFailed',
      from: order.status,
      to: status,
      actor: SYSTEM,
      data: { callbackId: String(callback.id), attempts: callback.attempts + 1 },
    },
  ]);
};
