import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';

/** The sentence for a customer, and what it says: an amount in minor units, the moment it speaks of. */
export interface Reply {
  readonly text:
    | 'starting'
    | 'waiting'
    | 'paid'
    | 'expired'
    | 'notStarted'
    | 'reversed'
    | 'payoutUnderWay'
    | 'payoutPaid'
    | 'payoutPaidNoUtr'
    | 'payoutChecked'
    | 'payoutNotPaid';
  readonly amount: number;
  readonly time: string | null;
}

export function collectionReply(
  order: Pick<
    CollectionOrderRow,
    | 'orderStatusId'
    | 'reversed'
    | 'amount'
    | 'payableAmount'
    | 'currentReceivedMoney'
    | 'payTime'
    | 'expireTime'
  >,
): Reply {
  const asked = order.payableAmount ?? order.amount;
  const received = order.currentReceivedMoney ?? asked;
  if (order.reversed) return { text: 'reversed', amount: received, time: null };
  // A callback may have failed for an order nobody paid: its timeout was told in vain.
  if (order.payTime !== null) return { text: 'paid', amount: received, time: order.payTime };
  switch (order.orderStatusId) {
    case COLLECTION_STATUS.created:
      return { text: 'starting', amount: asked, time: null };
    case COLLECTION_STATUS.allocated:
      return { text: 'waiting', amount: asked, time: order.expireTime };
    case COLLECTION_STATUS.allocationFailed:
      return { text: 'notStarted', amount: asked, time: null };
    default:
      return { text: 'expired', amount: asked, time: order.expireTime };
  }
}

export function payoutReply(
  order: Pick<PayoutOrderRow, 'orderStatusId' | 'reversed' | 'amount' | 'finishTime' | 'utr'>,
): Reply {
  const { amount, finishTime: time } = order;
  if (order.reversed) return { text: 'payoutNotPaid', amount, time };
  switch (order.orderStatusId) {
    case PAYOUT_STATUS.completed:
      return { text: order.utr === null ? 'payoutPaidNoUtr' : 'payoutPaid', amount, time };
    case PAYOUT_STATUS.cancelled:
    case PAYOUT_STATUS.rejected:
      return { text: 'payoutNotPaid', amount, time };
    case PAYOUT_STATUS.toBeConfirmed:
    case PAYOUT_STATUS.processingError:
      return { text: 'payoutChecked', amount, time };
    default:
      return { text: 'payoutUnderWay', amount, time };
  }
}
