import { actorOf } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { act } from './actions.ts';
import { countGivenBack } from './given-back.ts';
import type { PayoutOrder } from './order.ts';
import { readPayouts } from './store.ts';
import { putBack } from './supplier-days.ts';

/** Gives a claimed payout back unpaid: it waits for others. */
export function cancelClaim(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
): Promise<PayoutOrder | Refusal> {
  return act(platform, viewer, subject, 'cancelClaim', async (tx, order) => {
    const { id: orderId } = order;
    await putBack(platform, tx, [order], () => ({
      kind: 'claimCancelled',
      actor: actorOf(viewer),
      data: { supplierId: String(order.supplierId) },
    }));
    await countGivenBack(platform, tx, viewer, 1);
    return (await readPayouts(tx, [orderId]))[0]!;
  });
}
