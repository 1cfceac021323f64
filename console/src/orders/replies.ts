import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';

/** The key of the sentence for the customer, with its amount (minor units) and its time. */
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
  // Checked before the status: 'callback failed' may also belong to an unpaid order whose timeout callback failed.
  if (order.payTime !== null) return { text: 'paid', amount: received, time: order.payTime };
  const { created, allocated, allocationFailed } = COLLECTION_STATUS;
  if (order.orderStatusId === created) return { text: 'starting', amount: asked, time: null };
  if (order.orderStatusId === allocated) return { text: 'waiting', amount: asked, time: order.expireTime };
  if (order.orderStatusId === allocationFailed) return { text: 'notStarted', amount: asked, time: null };
  return { text: 'expired', amount: asked, time: order.expireTime };
}

export function payoutReply(
  order: Pick<PayoutOrderRow, 'orderStatusId' | 'reversed' | 'amount' | 'finishTime' | 'utr'>,
): Reply {
  const { amount, finishTime: time } = order;
  if (order.reversed) return { text: 'payoutNotPaid', amount, time };
  return { text: payoutText(order), amount, time };
}

function payoutText({ orderStatusId, utr }: Pick<PayoutOrderRow, 'orderStatusId' | 'utr'>): Reply['text'] {
  switch (orderStatusId) {
    case PAYOUT_STATUS.completed:
      return utr === null ? 'payoutPaidNoUtr' : 'payoutPaid';
    case PAYOUT_STATUS.cancelled:
    case PAYOUT_STATUS.rejected:
      return 'payoutNotPaid';
    case PAYOUT_STATUS.toBeConfirmed:
    case PAYOUT_STATUS.processingError:
      return 'payoutChecked';
    case PAYOUT_STATUS.waiting:
    case PAYOUT_STATUS.preparing:
    case PAYOUT_STATUS.inProgress:
    case PAYOUT_STATUS.submitted:
    case PAYOUT_STATUS.rejecting:
      return 'payoutUnderWay';
  }
}
