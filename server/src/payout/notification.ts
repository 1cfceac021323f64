import { merchantAmountFactor } from '@sangam/contract/money.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { Notification } from '../callbacks/enqueue.ts';
import type { PayoutOrder } from './order.ts';

/** Status on the merchant API: 0 while the payout is open, 1 completed, 2 cancelled, rejected or reversed. */
export function merchantPayoutStatus(order: Pick<PayoutOrder, 'status' | 'reversedAt'>): number {
  const { completed, cancelled, rejected } = PAYOUT_STATUS;
  if (order.reversedAt !== null || order.status === cancelled || order.status === rejected) return 2;
  return order.status === completed ? 1 : 0;
}

/** What the merchant learns of a payout that has ended. */
export type EndedPayout = Pick<
  PayoutOrder,
  | 'id'
  | 'merchantId'
  | 'mchOrderNo'
  | 'productId'
  | 'currency'
  | 'amount'
  | 'status'
  | 'reversedAt'
  | 'finishedAt'
  | 'utr'
  | 'param1'
  | 'param2'
  | 'rejectReason'
  | 'notifyUrl'
>;

/** The notifications of payouts that have ended. A payout without `notifyUrl` has none. */
export function notificationsOf(orders: readonly EndedPayout[]): Notification[] {
  return orders.flatMap((order) =>
    order.notifyUrl === null ? [] : [notificationOf(order, order.notifyUrl)],
  );
}

/** Empty fields are left out (docs/domain.md#fields-of-a-notification). */
function notificationOf(order: EndedPayout, url: string): Notification {
  const amount = String(order.amount / merchantAmountFactor(order.currency));
  const paid = merchantPayoutStatus(order) === 1;
  const fields: Record<string, string | null> = {
    mchId: String(order.merchantId),
    mchOrderNo: order.mchOrderNo,
    payOrderId: String(order.id),
    productId: String(order.productId),
    amount,
    realAmount: paid ? amount : null,
    status: String(merchantPayoutStatus(order)),
    paySuccessTime: paid && order.finishedAt ? formatTime(order.finishedAt) : null,
    utr: order.utr,
    param1: order.param1,
    param2: order.param2,
    rejectReason: order.rejectReason,
  };
  return {
    orderId: order.id,
    merchantId: order.merchantId,
    kind: 'payout',
    url,
    fields: Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])),
    ),
  };
}
