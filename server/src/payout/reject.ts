import { PAYOUT_STATUS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import type { Tx } from '../platform/db/database.ts';
import { actorOf, SYSTEM } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { isSaidPaid } from './contradicted.ts';
import { giveBack } from './give-back.ts';
import { countGivenBack } from './given-back.ts';
import type { PayoutOrder } from './order.ts';
import { decideOrAsk, type Rejected, type WordRule } from './own-word.ts';
import { readPayouts } from './store.ts';
import { putBack } from './supplier-days.ts';

/**
 * Refuses a payout. The desk ends it with a refund; a second person may have to agree where it may have been paid (1205). The supplier that
 * claimed it only puts it back to waiting. From 'to be confirmed' a second person has to agree to that too: money may have left, and the
 * next claimer would pay again.
 */
export function reject(
  platform: Platform,
  viewer: Viewer,
  { reason, ...subject }: ChosenOrder & { readonly reason: string },
): Promise<PayoutOrder | Refusal> {
  const said: Rejected = { action: 'reject', reason, ...(viewer.role === 'supplier' && { handsBack: true }) };
  return decideOrAsk(platform, viewer, subject, said, REJECT);
}

const MAYBE_PAID: readonly PayoutStatus[] = [PAYOUT_STATUS.preparing, PAYOUT_STATUS.toBeConfirmed];

export const REJECT: WordRule<Rejected> = {
  // Nobody was given a waiting payout. A processing error is said by a gateway or bank, unless one of them also said that it was paid.
  isBorneOut: async (_platform, tx, { id, status }) =>
    !MAYBE_PAID.includes(status) && !(await isSaidPaid(tx, id)),
  take: (platform, tx, viewer, order, { reason, handsBack }) =>
    handsBack ? handBack(platform, tx, viewer, order, reason) : refund(platform, tx, viewer, order, reason),
};

async function handBack(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  order: PayoutOrder,
  reason: string,
): Promise<PayoutOrder> {
  await putBack(platform, tx, [order], () => ({
    kind: 'handedBack',
    actor: actorOf(viewer),
    reason,
    data: { supplierId: String(order.supplierId) },
  }));
  await countGivenBack(platform, tx, { role: 'supplier', supplierId: order.supplierId }, 1);
  return (await readPayouts(tx, [order.id]))[0]!;
}

/** 'Rejecting' and 'rejected' with the refund are one transaction: nobody sees the order between them. */
async function refund(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  order: PayoutOrder,
  reason: string,
): Promise<PayoutOrder> {
  const { rejecting, rejected } = PAYOUT_STATUS;
  const at = platform.clock.now();
  const orderId = order.id;
  const steps = [
    { orderId, kind: 'rejecting', from: order.status, to: rejecting, actor: actorOf(viewer), reason },
    { orderId, kind: 'rejected', from: rejecting, to: rejected, actor: SYSTEM },
  ] as const;
  return giveBack(platform, tx, order, { steps, reason, at });
}
