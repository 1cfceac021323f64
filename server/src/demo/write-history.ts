import { businessDay } from '@sangam/contract/time.ts';
import { contentHash } from '../collection/create.ts';
import { SYSTEM, type Actor } from '../history/events.ts';
import type { ApprovalHandlers } from '../approvals/approval.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refFamily } from '../order-numbers/references.ts';
import { insertAll } from './bulk.ts';
import { orderEvents, payoutEvents } from './plan-events.ts';
import type { PastMessage } from './plan-messages.ts';
import type { Movement } from './plan-money.ts';
import type { PastPayout } from './plan-payouts.ts';
import { isTold } from './plan-delivery.ts';
import type { PastOrder } from './plan-orders.ts';
import type { World } from './world.ts';
import { moveMoney } from './move-money.ts';
import { writeCallbacks, writeMessages } from './write-evidence.ts';
import { writePayouts } from './write-payouts.ts';

export interface History {
  readonly orders: readonly PastOrder[];
  readonly payouts: readonly PastPayout[];
  readonly messages: readonly PastMessage[];
  readonly movements: readonly Movement[];
}

/** Writes the past in sets. Only money is moved by the commands that move it, in the order of events. */
export async function writeHistory(
  platform: Platform,
  tx: Tx,
  world: World,
  history: History,
  approvals: ApprovalHandlers,
): Promise<void> {
  await writeOrders(tx, history.orders);
  await writePayouts(tx, history.payouts);
  await writeEvents(platform, tx, world, history);
  await writeMessages(tx, history.messages);
  await writeCallbacks(tx, history.orders, history.payouts);
  await moveMoney(platform, tx, world, history.movements, approvals);
}

async function writeOrders(tx: Tx, past: readonly PastOrder[]): Promise<void> {
  const orders = past.map(({ order }) => order);
  await insertAll(
    tx,
    'collection_orders',
    {
      id: 'bigint',
      merchant_id: 'bigint',
      mch_order_no: 'text',
      product_id: 'int',
      currency: 'text',
      amount: 'bigint',
      payable: 'bigint',
      received: 'bigint',
      status: 'smallint',
      supplement_status: 'smallint',
      mark: 'smallint',
      supplier_id: 'bigint',
      account_id: 'bigint',
      identify_code: 'text',
      client_ip: 'text',
      user_name: 'text',
      utr: 'text',
      notify_url: 'text',
      subject: 'text',
      param1: 'text',
      merchant_rate_ppm: 'int',
      merchant_fixed_fee: 'bigint',
      fee: 'bigint',
      supplier_commission: 'bigint',
      agent_commission: 'bigint',
      allocated_at: 'timestamptz',
      expires_at: 'timestamptz',
      paid_at: 'timestamptz',
      told_at: 'timestamptz',
      told_attempt: 'int',
      created_at: 'timestamptz',
    },
    past.map(({ order, delivery }) => ({
      id: order.id,
      merchant_id: order.merchantId,
      mch_order_no: order.mchOrderNo,
      product_id: order.productId,
      currency: order.currency,
      amount: order.amount,
      payable: order.payable,
      received: order.received,
      status: order.status,
      supplement_status: order.supplementStatus,
      mark: order.mark,
      supplier_id: order.supplierId,
      account_id: order.accountId,
      identify_code: order.identifyCode,
      client_ip: order.clientIp,
      user_name: order.userName,
      utr: order.utr,
      notify_url: order.notifyUrl,
      subject: order.subject,
      param1: order.param1,
      merchant_rate_ppm: order.merchantRatePpm,
      merchant_fixed_fee: order.merchantFixedFee,
      fee: order.fee,
      supplier_commission: order.supplierCommission,
      agent_commission: order.agentCommission,
      allocated_at: order.allocatedAt,
      expires_at: order.expiresAt,
      paid_at: order.paidAt,
      told_at: delivery && isTold(delivery) ? delivery.endedAt : null,
      told_attempt: delivery && isTold(delivery) ? delivery.attempts.length : null,
      created_at: order.createdAt,
    })),
  );
  await insertAll(
    tx,
    'merchant_orders',
    {
      merchant_id: 'bigint',
      mch_order_no: 'text',
      order_id: 'bigint',
      direction: 'text',
      content_hash: 'bytea',
    },
    orders.map((order) => ({
      merchant_id: order.merchantId,
      mch_order_no: order.mchOrderNo,
      order_id: order.id,
      direction: 'in',
      content_hash: contentHash(order),
    })),
  );
  const used = orders.filter((order) => order.utr !== null);
  await insertAll(
    tx,
    'utr_uses',
    { family: 'text', utr: 'text', order_id: 'bigint', used_at: 'timestamptz' },
    used.map((order) => ({
      family: refFamily(order.utr!, order.currency),
      utr: order.utr,
      order_id: order.id,
      used_at: order.paidAt,
    })),
  );
  await insertAll(
    tx,
    'account_days',
    {
      account_id: 'bigint',
      day: 'date',
      orders: 'int',
      amount: 'bigint',
      allocated: 'int',
      paid: 'int',
    },
    accountDays(past),
  );
}

/**
 * What each account took on each day. Paid orders count towards its limits, except those supplemented after their timeout, whose amount was
 * already free.
 */
function accountDays(past: readonly PastOrder[]) {
  const days = new Map<
    string,
    { account_id: bigint; day: string; orders: number; amount: bigint; allocated: number; paid: number }
  >();
  for (const { order, payment } of past) {
    if (order.accountId === null) continue;
    const day = businessDay(order.createdAt);
    const key = `${order.accountId}/${day}`;
    const sum = days.get(key) ?? {
      account_id: order.accountId,
      day,
      orders: 0,
      amount: 0n,
      allocated: 0,
      paid: 0,
    };
    const counts = payment && !(payment.by === 'supplement' && payment.timedOutAt);
    days.set(key, {
      ...sum,
      orders: sum.orders + (counts ? 1 : 0),
      amount: sum.amount + (counts ? order.payable! : 0n),
      allocated: sum.allocated + 1,
      paid: sum.paid + (payment ? 1 : 0),
    });
  }
  return [...days.values()];
}

async function writeEvents(platform: Platform, tx: Tx, world: World, history: History): Promise<void> {
  const events = [
    ...history.orders.flatMap((past) => orderEvents(past, world)),
    ...history.payouts.flatMap((payout) => payoutEvents(payout, world)),
  ];
  await insertAll(
    tx,
    'order_events',
    {
      id: 'bigint',
      order_id: 'bigint',
      kind: 'text',
      from_status: 'smallint',
      to_status: 'smallint',
      actor_kind: 'text',
      actor_id: 'bigint',
      reason: 'text',
      ip: 'text',
      data: 'jsonb',
      created_at: 'timestamptz',
    },
    events.map((event) => {
      const actor: Actor = event.actor ?? SYSTEM;
      return {
        id: platform.ids.next(event.at),
        order_id: event.orderId,
        kind: event.kind,
        from_status: event.from,
        to_status: event.to,
        actor_kind: actor.kind,
        actor_id: actor.id,
        reason: event.reason ?? null,
        ip: actor.ip,
        data: JSON.stringify(event.data ?? {}),
        created_at: event.at,
      };
    }),
  );
}
