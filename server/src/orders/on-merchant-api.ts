import type { queryOrder } from '@sangam/contract/endpoints/outside.ts';
import { readArchivedFields } from '../archive/read.ts';
import { merchantAmountFactor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { merchantStatus } from '../collection/notification.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { orderOfTexts, readOrder } from '../collection/read.ts';
import { directionOf, findMerchantOrders } from '../order-numbers/numbers.ts';
import { merchantPayoutStatus } from '../payout/notification.ts';
import type { PayoutOrder } from '../payout/order.ts';
import { payoutOfTexts, readPayout } from '../payout/read.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

/** An order of either direction as the merchant API answers it. */
export type OrderOnApi = z.input<typeof queryOrder.output>;

/** One of a merchant's own orders. */
export type MerchantsOrder =
  | { readonly direction: 'in'; readonly order: CollectionOrder }
  | { readonly direction: 'out'; readonly order: PayoutOrder };

/** A merchant's order by its own number or ours, also from the archive; another merchant's is not found. */
export async function findOrder(
  platform: Platform,
  merchantId: bigint,
  by: { readonly mchOrderNo?: string | undefined; readonly orderCode?: string | undefined },
): Promise<MerchantsOrder | undefined> {
  if (by.mchOrderNo) {
    const [found] = await findMerchantOrders(platform.db, [merchantId], [by.mchOrderNo]);
    return found && readOwn(platform, merchantId, found.orderId, found.direction);
  }
  return by.orderCode === undefined ? undefined : findById(platform, merchantId, BigInt(by.orderCode));
}

export async function findById(
  platform: Platform,
  merchantId: bigint,
  orderId: bigint,
): Promise<MerchantsOrder | undefined> {
  const direction = await directionOf(platform.db, orderId);
  return direction && readOwn(platform, merchantId, orderId, direction);
}

async function readOwn(
  platform: Platform,
  merchantId: bigint,
  orderId: bigint,
  direction: 'in' | 'out',
): Promise<MerchantsOrder | undefined> {
  const found =
    (await readKept(platform.db, orderId, direction)) ?? (await readLeft(platform, orderId, direction));
  return found?.order.merchantId === merchantId ? found : undefined;
}

async function readKept(
  db: Queryable,
  orderId: bigint,
  direction: 'in' | 'out',
): Promise<MerchantsOrder | undefined> {
  if (direction === 'in') {
    const order = await readOrder(db, orderId);
    return order && { direction, order };
  }
  const order = await readPayout(db, orderId);
  return order && { direction, order };
}

async function readLeft(
  platform: Platform,
  orderId: bigint,
  direction: 'in' | 'out',
): Promise<MerchantsOrder | undefined> {
  const texts = await readArchivedFields(platform, orderId);
  if (!texts) return undefined;
  return direction === 'in'
    ? { direction, order: await orderOfTexts(platform.db, texts) }
    : { direction, order: await payoutOfTexts(platform.db, texts) };
}

export function toApiOrder(found: MerchantsOrder): OrderOnApi {
  const { order } = found;
  const unit = merchantAmountFactor(order.currency);
  const amount = (minor: bigint | null) => (minor === null ? null : Number(minor / unit));
  return {
    mchId: String(order.merchantId),
    mchOrderNo: order.mchOrderNo,
    orderCode: String(order.id),
    productId: order.productId,
    amount: Number(order.amount / unit),
    utr: order.utr,
    createTime: formatTime(order.createdAt),
    ...(found.direction === 'in' ? paidIn(found.order, amount) : paidOut(found.order, amount)),
  };
}

type Amount = (minor: bigint | null) => number | null;

function paidIn(order: CollectionOrder, amount: Amount) {
  return {
    realAmount: amount(order.received),
    income: order.received === null ? null : amount(order.received - (order.fee ?? 0n)),
    status: merchantStatus(order),
    paySuccessTime: order.paidAt && formatTime(order.paidAt),
    rejectReason: null,
  };
}

function paidOut(order: PayoutOrder, amount: Amount) {
  const status = merchantPayoutStatus(order);
  return {
    realAmount: status === 1 ? amount(order.amount) : null,
    income: null,
    status,
    paySuccessTime: status === 1 && order.finishedAt ? formatTime(order.finishedAt) : null,
    rejectReason: order.rejectReason,
  };
}
