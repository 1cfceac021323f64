import type { getTestOrder, getTestOrders } from '@sangam/contract/endpoints/test-order.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { payUrlOf } from '../collection/pay-params.ts';
import { readOrder } from '../collection/read.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

export interface TestOrder {
  readonly merchantId: bigint;
  readonly token: string;
  /** Null until the order is created. */
  readonly orderId: bigint | null;
}

export async function findTestOrder({ db }: Platform, mchOrderNo: string): Promise<TestOrder | undefined> {
  const [row] = await db.query<TestOrder>(sql`
    select t.merchant_id as "merchantId", t.catch_token as token, m.order_id as "orderId"
    from test_orders t left join merchant_orders m on m.merchant_id = t.merchant_id and m.mch_order_no = t.mch_order_no
    where t.mch_order_no = ${mchOrderNo}`);
  return row;
}

/** A test order with its steps so far. */
export async function readTestOrder(
  platform: Platform,
  _viewer: Viewer,
  { mchOrderNo }: { readonly mchOrderNo: string },
): Promise<z.input<typeof getTestOrder.output> | Refusal> {
  const found = await findTestOrder(platform, mchOrderNo);
  if (!found) return refuse('notFound');
  const { db } = platform;
  const { orderId } = found;
  const [order, steps, attempts, caught] = await Promise.all([
    orderId === null ? undefined : readOrder(db, orderId),
    db.query<{ at: Date; kind: string; toStatus: number | null }>(sql`
      select created_at as at, kind, to_status as "toStatus" from order_events where order_id = ${orderId} order by created_at, id`),
    db.query<{
      at: Date;
      url: string;
      status: number | null;
      answer: string | null;
      error: string | null;
    }>(sql`
      select created_at as at, url, status, answer, error from callback_attempts where order_id = ${orderId} order by id`),
    db.query<{ at: Date; body: string }>(sql`
      select caught_at as at, body from test_order_catches where catch_token = ${found.token} order by id`),
  ]);
  const time = formatTime;
  return {
    mchOrderNo,
    merchantId: String(found.merchantId),
    productId: order?.productId ?? null,
    orderCode: orderId === null ? null : String(orderId),
    status: order?.status ?? null,
    payable: order ? (order.payable === null ? null : Number(order.payable)) : null,
    currency: order?.currency ?? null,
    payUrl: order ? await payUrlOf(platform, order) : null,
    steps: steps.map(({ at, ...step }) => ({ time: time(at), ...step })),
    attempts: attempts.map(({ at, url, status, answer, error }) => ({
      time: time(at),
      url,
      httpStatus: status,
      answer: answer ?? error,
    })),
    caught: caught.map(({ at, body }) => ({ time: time(at), body })),
    canPay: platform.config.demo && order?.status === COLLECTION_STATUS.allocated,
  };
}

const SHOWN = 20;

export async function listTestOrders(platform: Platform): Promise<z.input<typeof getTestOrders.output>> {
  const rows = await platform.db.query<{
    mchOrderNo: string;
    merchantId: bigint;
    merchantName: string;
    at: Date;
    account: string;
    orderId: bigint | null;
    status: number | null;
  }>(sql`
    select t.mch_order_no as "mchOrderNo", t.merchant_id as "merchantId", p.name as "merchantName", t.created_at as at, u.account,
      o.id as "orderId", o.status
    from test_orders t join merchants p on p.id = t.merchant_id join users u on u.id = t.created_by
    left join merchant_orders m on m.merchant_id = t.merchant_id and m.mch_order_no = t.mch_order_no
    left join collection_orders o on o.id = m.order_id
    order by t.created_at desc limit ${SHOWN}`);
  return {
    list: rows.map(({ at, orderId, merchantId, ...row }) => ({
      ...row,
      merchantId: String(merchantId),
      time: formatTime(at),
      orderCode: orderId === null ? null : String(orderId),
    })),
  };
}
