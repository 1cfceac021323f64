import { enqueueCallbacks, retryCallbacksNow } from '../callbacks/enqueue.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { act } from './actions.ts';
import { notificationsOf } from './notification.ts';
import type { PayoutOrder } from './order.ts';

/** Notifies the merchant of the payout's end again, now. */
export function callBackPayout(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<PayoutOrder | Refusal> {
  return act(platform, viewer, orderId, 'callback', async (tx, order) => {
    // A callback that still waits for its next try becomes due now: a second one would wait behind it.
    const isRetried = await retryCallbacksNow(platform, tx, orderId);
    if (!isRetried) await enqueueCallbacks(platform, tx, notificationsOf([order]));
    await writeEvents(platform, tx, [
      { orderId, kind: 'callbackRequested', from: order.status, to: order.status, actor: actorOf(viewer) },
    ]);
    return order;
  });
}
