import { actorOf } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { countGivenBack } from './given-back.ts';
import type { PayoutOrder } from './order.ts';
import { decideOrAsk, type WordRule } from './own-word.ts';
import { readPayouts } from './store.ts';
import { putBack } from './supplier-days.ts';

/** Puts a claimed payout back to waiting, as unpaid. Staff may need a second person (1205), because the claimer may have paid it. */
export function cancelClaim(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
): Promise<PayoutOrder | Refusal> {
  return decideOrAsk(platform, viewer, subject, { action: 'cancelClaim' }, CANCEL_CLAIM);
}

export const CANCEL_CLAIM: WordRule<{ readonly action: 'cancelClaim' }> = {
  isBorneOut: () => Promise.resolve(false),
  async take(platform, tx, viewer, order) {
    await putBack(platform, tx, [order], () => ({
      kind: 'claimCancelled',
      actor: actorOf(viewer),
      data: { supplierId: String(order.supplierId) },
    }));
    await countGivenBack(platform, tx, viewer, 1);
    return (await readPayouts(tx, [order.id]))[0]!;
  },
};
