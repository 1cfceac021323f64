import { NOTIFICATION } from '@sangam/contract/sign-types.ts';
import { sign } from '@sangam/contract/signature.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Notification } from '../callbacks/enqueue.ts';
import { notificationOf } from '../collection/notification.ts';
import { notificationsOf } from '../payout/notification.ts';
import type { Tx } from '../platform/db/database.ts';
import { insertAll } from './bulk.ts';
import { type Delivery, isTold } from './plan-delivery.ts';
import { REJECT_REASON } from './plan-events.ts';
import type { PastMessage } from './plan-messages.ts';
import type { PastOrder } from './plan-orders.ts';
import { PAYOUT_PRODUCT, type PastPayout } from './plan-payouts.ts';
import type { WorldMerchant } from './world.ts';

/** Writes bank messages of the past, with the orders they completed. */
export async function writeMessages(tx: Tx, messages: readonly PastMessage[]): Promise<void> {
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

/** The fingerprint as matching/place.ts makes it from the parsed text. */
function fingerprintOf({ movement, told }: PastMessage): string {
  const base = `${movement.direction}/${movement.amount}`;
  return told.reference
    ? `${base}/ref/${told.reference}`
    : `${base}/balance/${told.balance}/${Math.floor(told.bankTime.getTime() / 1_000)}`;
}

/** A notification of the past and how it was delivered. */
interface PastNotice {
  readonly notification: Notification;
  readonly delivery: Delivery;
  readonly merchant: WorldMerchant;
  readonly createdAt: Date;
}

function orderNotices(past: readonly PastOrder[]): PastNotice[] {
  return past.flatMap(({ order, delivery, merchant }) => {
    if (!delivery) return [];
    // The notification was written while the order was 'callback under way'.
    const notification = notificationOf(order, 'paid');
    return [{ notification, delivery, merchant, createdAt: order.paidAt! }];
  });
}

function payoutNotices(payouts: readonly PastPayout[]): PastNotice[] {
  return payouts.flatMap((payout) => {
    const { merchant, delivery, reference: utr, finishedAt: createdAt, status } = payout;
    const rejectReason = status === PAYOUT_STATUS.rejected ? REJECT_REASON : null;
    const ended = { ...payout, productId: PAYOUT_PRODUCT, currency: 'INR', utr, rejectReason } as const;
    const said = { merchantId: merchant.id, notifyUrl: merchant.notifyUrl, param1: null, param2: null };
    return notificationsOf([{ ...ended, ...said, reversedAt: null }]).map((notification) => ({
      notification,
      delivery,
      merchant,
      createdAt,
    }));
  });
}

/** Writes callbacks of paid orders and of payouts, and every attempt at them. */
export async function writeCallbacks(
  tx: Tx,
  orders: readonly PastOrder[],
  payouts: readonly PastPayout[],
): Promise<void> {
  const told = [...orderNotices(orders), ...payoutNotices(payouts)];
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
      fields: 'json',
      given_up: 'smallint',
      created_at: 'timestamptz',
      place: 'int',
    },
    told.map(({ notification: { orderId, kind, url, fields }, delivery, merchant, createdAt }) => ({
      id: delivery.callbackId,
      order_id: orderId,
      merchant_id: merchant.id,
      kind,
      url,
      transport: merchant.transport,
      fields: JSON.stringify(fields),
      given_up: isTold(delivery) ? null : 2,
      created_at: createdAt,
      place: 1,
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
    told.flatMap(({ notification: { orderId, url, fields }, delivery, merchant }) =>
      delivery.attempts.map((attempt) => ({
        id: attempt.id,
        callback_id: delivery.callbackId,
        order_id: orderId,
        url,
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
  merchant: WorldMerchant,
  fields: Readonly<Record<string, string>>,
  attempt: { readonly at: Date; readonly nonce: string },
): string {
  const extra: Record<string, string> =
    merchant.signType === 'md5' ? {} : { timestamp: String(attempt.at.getTime()), nonce: attempt.nonce };
  const unsigned = { ...fields, ...extra };
  const signed = { ...unsigned, sign: sign(unsigned, merchant.signType, merchant.secret, NOTIFICATION) };
  return merchant.transport === 'form'
    ? new URLSearchParams(signed).toString()
    : JSON.stringify({ ...signed, status: Number(fields['status']) });
}
