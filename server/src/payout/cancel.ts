import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Tx } from '../platform/db/database.ts';
import { type Actor, actorOf } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { countOwnWord } from '../approvals/own-word.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { act } from './actions.ts';
import { isSaidPaid } from './contradicted.ts';
import { giveBack } from './give-back.ts';
import type { PayoutOrder } from './order.ts';
import { lockPayouts } from './store.ts';

/** Cancels a waiting payout, which nobody has begun to pay. */
export function cancel(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
): Promise<PayoutOrder | Refusal> {
  return act(platform, viewer, subject, 'cancel', async (tx, order) => {
    // It was said to be paid: then to cancel it is to refuse it. Past the limit of the day a second person agrees to a refusal.
    const mayAlone =
      !isStaff(viewer) ||
      !(await isSaidPaid(tx, order.id)) ||
      (await countOwnWord(platform, tx, [viewer.userId], order));
    return mayAlone ? end(platform, tx, order, actorOf(viewer)) : refuse('actionNotAllowed');
  });
}

/** The same by a call of the merchant API, whose signature has been checked. */
export function cancelByMerchant(
  platform: Platform,
  merchant: { readonly id: bigint; readonly ip: string },
  orderId: bigint,
): Promise<PayoutOrder | Refusal> {
  return platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [orderId]);
    if (order?.merchantId !== merchant.id) return refuse('notFound');
    if (order.status !== PAYOUT_STATUS.waiting || order.lockedBy !== null || order.held)
      return refuse('actionNotAllowed');
    return end(platform, tx, order, { kind: 'merchant', id: merchant.id, ip: merchant.ip });
  });
}

async function end(platform: Platform, tx: Tx, order: PayoutOrder, actor: Actor): Promise<PayoutOrder> {
  const at = platform.clock.now();
  const step = {
    orderId: order.id,
    kind: 'cancelled',
    from: order.status,
    to: PAYOUT_STATUS.cancelled,
    actor,
  } as const;
  return giveBack(platform, tx, order, { steps: [step], reason: null, at });
}
