import { actorOf } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { act } from './actions.ts';
import type { PayoutOrder } from './order.ts';
import { readPayouts } from './store.ts';
import { putBack } from './supplier-days.ts';

/** Puts a failed payout back to waiting, for anybody to take. */
export function reselectPayout(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
): Promise<PayoutOrder | Refusal> {
  return act(platform, viewer, subject, 'reselect', async (tx, order) => {
    const { id: orderId } = order;
    await putBack(platform, tx, [order], () => ({
      kind: 'reselected',
      actor: actorOf(viewer),
      data: order.supplierId === null ? {} : { previousSupplierId: String(order.supplierId) },
    }));
    return (await readPayouts(tx, [orderId]))[0]!;
  });
}
