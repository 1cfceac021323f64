import { sign } from '@sangam/contract/signature.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { contentHash } from '../collection/create.ts';
import { SYSTEM, type Actor } from '../history/events.ts';
import { notificationOf } from '../collection/notification.ts';
import type { Tx } from '../db/database.ts';
import { post, type PostingRequest } from '../ledger/post.ts';
import type { Platform } from '../platform.ts';
import { refFamily } from '../references/references.ts';
import { insertAll } from './bulk.ts';
import { orderEvents, payoutEvents } from './plan-events.ts';
import type { PastMessage } from './plan-messages.ts';
import type { PastPayout } from './plan-money.ts';
import type { PastOrder } from './plan-orders.ts';
import type { World } from './world.ts';
import { writePayouts } from './write-payouts.ts';

export interface History {
  readonly orders: readonly PastOrder[];
  readonly payouts: readonly PastPayout[];
  readonly messages: readonly PastMessage[];
  readonly postings: readonly PostingRequest[];
}

/** Postings a call: one call locks every account it touches once. */
const POSTINGS = 1_500;

/** Writes the past in sets; the ledger alone goes through its own command, in the order of events. */
export async function writeHistory(
  platform: Platform,
  tx: Tx,
  world: World,
  history: History,
): Promise<void> {
  await writeOrders(tx, history.orders);
  await writePayouts(tx, history.payouts);
  await writeEvents(platform, tx, world, history);
  await writeMessages(tx, history.messages);
  await writeCallbacks(tx, history.orders);
  for (let from = 0; from < history.postings.length; from += POSTINGS) {
    const requests = history.postings.slice(from, from + POSTINGS);
    const outcomes = await post(platform, tx, requests);
    const refused = outcomes.findIndex((outcome) => outcome !== 'posted');
    if (refused >= 0) throw new Error(`demo posting ${requests[refused]!.key} was ${outcomes[refused]}`);
  }
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
      created_at: 'timestamptz',
    },
    orders.map((order) => ({
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
    { account_id: 'bigint', day: 'date', orders: 'int', amount: 'bigint' },
    accountDays(past),
  );
}

/** What each account took per day: paid orders, unless their amount had been given free before. */
function accountDays(past: readonly PastOrder[]) {
  const days = new Map<string, { account_id: bigint; day: string; orders: number; amount: bigint }>();
  for (const { order, payment } of past) {
    if (!payment || order.accountId === null || (payment.by === 'supplement' && payment.timedOutAt)) continue;
    const day = businessDay(order.createdAt);
    const key = `${order.accountId}/${day}`;
    const sum = days.get(key) ?? { account_id: order.accountId, day, orders: 0, amount: 0n };
    days.set(key, { ...sum, orders: sum.orders + 1, amount: sum.amount + order.payable! });
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

async function writeMessages(tx: Tx, messages: readonly PastMessage[]): Promise<void> {
  await insertAll(
    tx,
    'messages',
    {
      id: 'bigint',
      monitor_id: 'bigint',
      external_id: 'text',
      kind: 'text',
      sender: 'text',
      text: 'text',
      account_id: 'bigint',
      supplier_id: 'bigint',
      template_id: 'text',
      bank: 'text',
      direction: 'text',
      currency: 'text',
      amount: 'bigint',
      balance: 'bigint',
      account_tail: 'text',
      utr: 'text',
      bank_time: 'timestamptz',
      time_precision: 'text',
      state: 'text',
      reason: 'text',
      order_id: 'bigint',
      received_at: 'timestamptz',
      reported_at: 'timestamptz',
    },
    messages.map(({ id, account, movement, told, state, reason, orderId, receivedAt, reportedAt }) => ({
      id,
      monitor_id: account.monitorId,
      external_id: externalId(id),
      kind: 'sms',
      sender: told.sender,
      text: told.text,
      account_id: account.id,
      supplier_id: account.supplierId,
      template_id: told.templateId,
      bank: account.bank,
      direction: movement.direction,
      currency: 'INR',
      amount: movement.amount,
      balance: told.balance,
      account_tail: account.tail,
      utr: told.reference,
      bank_time: told.bankTime,
      time_precision: told.timePrecision,
      state,
      reason,
      order_id: orderId,
      received_at: receivedAt,
      reported_at: reportedAt,
    })),
  );
  await insertAll(
    tx,
    'message_keys',
    { monitor_id: 'bigint', external_id: 'text', message_id: 'bigint' },
    messages.map(({ id, account }) => ({
      monitor_id: account.monitorId,
      external_id: externalId(id),
      message_id: id,
    })),
  );
  await insertAll(
    tx,
    'message_fingerprints',
    { account_id: 'bigint', fingerprint: 'text', message_id: 'bigint' },
    messages.map((message) => ({
      account_id: message.account.id,
      fingerprint: fingerprintOf(message),
      message_id: message.id,
    })),
  );
  await insertAll(
    tx,
    'message_matches',
    { order_id: 'bigint', message_id: 'bigint', evidence: 'text', created_at: 'timestamptz' },
    messages
      .filter(({ state }) => state === 'matched')
      .map(({ id, orderId, reportedAt }) => ({
        order_id: orderId,
        message_id: id,
        evidence: 'exactAmount',
        created_at: reportedAt,
      })),
  );
}

function externalId(messageId: bigint): string {
  return `sms-${messageId.toString(36)}`;
}

/** As matching/place.ts makes it of the parsed text. */
function fingerprintOf({ movement, told }: PastMessage): string {
  const base = `${movement.direction}/${movement.amount}`;
  return told.reference
    ? `${base}/ref/${told.reference}`
    : `${base}/balance/${told.balance}/${Math.floor(told.bankTime.getTime() / 1_000)}`;
}

async function writeCallbacks(tx: Tx, past: readonly PastOrder[]): Promise<void> {
  const told = past.flatMap(({ order, delivery, merchant }) => {
    if (!delivery) return [];
    // The notification was written while the order was 'callback under way'.
    const { fields } = notificationOf(order, 'paid');
    return [{ order, delivery, merchant, fields }];
  });
  await insertAll(
    tx,
    'callbacks',
    {
      id: 'bigint',
      order_id: 'bigint',
      merchant_id: 'bigint',
      kind: 'text',
      url: 'text',
      transport: 'text',
      fields: 'jsonb',
      state: 'smallint',
      attempts: 'int',
      next_at: 'timestamptz',
      created_at: 'timestamptz',
    },
    told.map(({ order, delivery, merchant, fields }) => ({
      id: delivery.callbackId,
      order_id: order.id,
      merchant_id: merchant.id,
      kind: 'paid',
      url: order.notifyUrl,
      transport: merchant.transport,
      fields: JSON.stringify(fields),
      state: delivery.status === 3 ? 1 : 2,
      attempts: delivery.attempts.length,
      next_at: delivery.endedAt,
      created_at: order.paidAt,
    })),
  );
  await insertAll(
    tx,
    'callback_attempts',
    {
      id: 'bigint',
      callback_id: 'bigint',
      order_id: 'bigint',
      url: 'text',
      http_method: 'text',
      request: 'text',
      status: 'int',
      answer: 'text',
      error: 'text',
      duration_ms: 'int',
      created_at: 'timestamptz',
    },
    told.flatMap(({ order, delivery, merchant, fields }) =>
      delivery.attempts.map((attempt) => ({
        id: attempt.id,
        callback_id: delivery.callbackId,
        order_id: order.id,
        url: order.notifyUrl,
        http_method: 'POST',
        request: requestOf(merchant, fields, attempt),
        status: attempt.status,
        answer: attempt.answer,
        error: attempt.error,
        duration_ms: attempt.durationMs,
        created_at: attempt.at,
      })),
    ),
  );
}

/** The body as callbacks/send.ts makes it. */
function requestOf(
  merchant: PastOrder['merchant'],
  fields: Readonly<Record<string, string>>,
  attempt: { readonly at: Date; readonly nonce: string },
): string {
  const extra: Record<string, string> =
    merchant.signType === 'md5' ? {} : { timestamp: String(attempt.at.getTime()), nonce: attempt.nonce };
  const unsigned = { ...fields, ...extra };
  const signed = { ...unsigned, sign: sign(unsigned, merchant.signType, merchant.secret) };
  return merchant.transport === 'form'
    ? new URLSearchParams(signed).toString()
    : JSON.stringify({ ...signed, status: Number(fields['status']) });
}
