import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { enqueueCallbacks, retryCallbacksNow } from '../callbacks/enqueue.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { act } from './actions.ts';
import { actorOf } from '../history/events.ts';
import { notificationOf } from './notification.ts';
import type { CollectionOrder } from './order.ts';
import { transition } from './transition.ts';

/**
 * Sends the merchant's notification again now. An order of 'callback failed' becomes 'paid' again, with its callback under way.
 * An order of 'callback succeeded' keeps its status. So does a reversed order; its notification tells of the reversal.
 */
export function callBack(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<CollectionOrder | Refusal> {
  return act(platform, viewer, orderId, 'callback', async (tx, { order }) => {
    const reversed = order.reversedAt !== null;
    const status =
      order.status === COLLECTION_STATUS.callbackFailed && !reversed ? COLLECTION_STATUS.paid : order.status;
    // A callback that waits for its next attempt is sent now. A second callback would have to queue behind it.
    const isRetried = await retryCallbacksNow(platform, tx, orderId);
    const kind = reversed ? 'reversed' : 'manual';
    if (!isRetried) await enqueueCallbacks(platform, tx, [notificationOf({ ...order, status }, kind)]);
    await transition(platform, tx, [
      { orderId, kind: 'callbackRequested', from: order.status, to: status, actor: actorOf(viewer) },
    ]);
    return { ...order, status };
  });
}
