import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { PhoneTexts } from './texts.ts';

/** Why the user must not pay a claimed payout now; undefined where it may be paid. */
export function notToPay(order: PayoutOrderRow, { hand }: PhoneTexts['payouts']): string | undefined {
  if (order.handBackWaits) return hand.waitsToGoBack;
  return order.orderStatusId === PAYOUT_STATUS.toBeConfirmed ? hand.maybePaid : undefined;
}
