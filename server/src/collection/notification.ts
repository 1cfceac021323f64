import { merchantAmountFactor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { CallbackKind } from '../callbacks/callback.ts';
import type { Notification } from '../callbacks/enqueue.ts';
import type { CollectionOrder } from './order.ts';

/** Status on the merchant API: 0 waiting, 1 success, 2 reversed, 3 timed out (may still succeed), 11 creation failed. */
export function merchantStatus(order: Pick<CollectionOrder, 'status' | 'reversedAt'>): number {
  if (order.reversedAt !== null) return 2;
  switch (order.status) {
    case 0:
    case 1:
      return 0;
    case 2:
      return 3;
    case 5:
      return 11;
    case 3:
    case 4:
    case 6:
      return 1;
  }
}

/** The order's notification; empty fields are left out (docs/domain.md#fields-of-a-notification). */
export function notificationOf(order: CollectionOrder, kind: CallbackKind): Notification {
  const unit = merchantAmountFactor(order.currency);
  const amount = (minor: bigint | null) => (minor === null ? null : String(minor / unit));
  const fields: Record<string, string | null> = {
    mchId: String(order.merchantId),
    mchOrderNo: order.mchOrderNo,
    payOrderId: String(order.id),
    productId: String(order.productId),
    amount: amount(order.amount),
    realAmount: amount(order.received),
    income: order.received === null ? null : amount(order.received - (order.fee ?? 0n)),
    status: String(merchantStatus(order)),
    paySuccessTime: order.paidAt && formatTime(order.paidAt),
    utr: order.utr,
    param1: order.param1,
    param2: order.param2,
  };
  return {
    orderId: order.id,
    merchantId: order.merchantId,
    kind,
    url: order.notifyUrl,
    fields: Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])),
    ),
  };
}
