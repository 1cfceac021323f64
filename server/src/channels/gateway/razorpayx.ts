import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { GatewayAccess } from '../../accounts/paying-gateway.ts';
import { HOUR, SECOND } from '../../platform/clock.ts';
import type { CheckAnswer, GatewayPayout, SendAnswer } from '../payout-channel.ts';
import type { Gateway, WebhookReading } from './gateway.ts';
import { callWire, isSame, parseJson, refusalOf } from './wire.ts';

/** The API of RazorpayX payouts (razorpay/markdown-docs @ab3bda5): JSON, Basic auth, amounts in paise. */

export interface RazorpayXOptions {
  /** The address including the version: https://api.razorpay.com/v1. */
  readonly url: string;
  /** Longest wait for an answer; shorter than the time that dispatch allows a send. */
  readonly patienceMs?: number;
  /** Makes the calls; a test may replace it. */
  readonly wire?: typeof callWire;
}

const payout = z.object({
  id: z.string().min(1),
  status: z.string(),
  utr: z.string().nullish(),
  amount: z.int().nullish(),
  reference_id: z.string().nullish(),
  status_details: z.object({ description: z.string().nullish(), reason: z.string().nullish() }).nullish(),
});
type Payout = z.infer<typeof payout>;
const collection = z.object({ items: z.array(payout) });
const balances = z.object({
  items: z.array(z.object({ account_number: z.string(), available_amount: z.int() })),
});
const failure = z.object({
  error: z.object({ code: z.string(), description: z.string().nullish(), field: z.string().nullish() }),
});
const webhookEvent = z.object({
  event: z.string().max(100),
  /** Seconds. */
  created_at: z.number(),
  payload: z.object({ payout: z.object({ entity: payout.extend({ amount: z.int() }) }).optional() }),
});

const KEY_HEADER = 'x-payout-idempotency';
/** The most that an instant payment carries, five lakh rupees, in paise; larger sums go by NEFT. */
const MOST_IMPS = 5_00_000_00n;
/** RazorpayX sends an event again for 24 hours; an older one is a replay. */
const TOLD_WITHIN = 25 * HOUR;

export function createRazorpayX({
  url,
  patienceMs = 20 * SECOND,
  wire = callWire,
}: RazorpayXOptions): Gateway {
  const call = (
    access: GatewayAccess,
    path: string,
    post?: { readonly key: string; readonly body: object },
    givenUp?: AbortSignal,
  ) =>
    wire({
      url: `${url}${path}`,
      patienceMs,
      headers: {
        authorization: `Basic ${Buffer.from(`${access.keyId}:${access.keySecret}`).toString('base64')}`,
        ...(post ? { [KEY_HEADER]: post.key } : {}),
      },
      post: post?.body,
      givenUp,
    });

  return {
    async send(access, sent, key, givenUp) {
      const post = { key, body: bodyOf(sent, key, access) };
      const { status, body } = await call(access, '/payouts', post, givenUp);
      return answerOf(status, body);
    },
    async check(access, { key, reference }) {
      if (reference !== null) {
        const { body } = await call(access, `/payouts/${encodeURIComponent(reference)}`);
        return stateOf(payout.safeParse(body).data);
      }
      const query = new URLSearchParams({ account_number: access.accountNumber, reference_id: key });
      const { body } = await call(access, `/payouts?${query.toString()}`);
      return stateOf(collection.safeParse(body).data?.items.find((each) => each.reference_id === key));
    },
    async balance(access) {
      const { status, body } = await call(access, '/banking_balances');
      const own = balances
        .safeParse(body)
        .data?.items.find((each) => each.account_number === access.accountNumber);
      if (!own) throw new Error(`no balance of the account in the gateway's answer: ${status}`);
      return BigInt(own.available_amount);
    },
    readWebhook(access, { header, body }, now) {
      const { webhookSecret } = access;
      const expected = webhookSecret && createHmac('sha256', webhookSecret).update(body).digest('hex');
      if (!expected || !isSame(header('x-razorpay-signature'), expected))
        return { kind: 'refused', reason: 'signature' };
      const event = webhookEvent.safeParse(parseJson(body.toString('utf8'))).data;
      if (!event) return { kind: 'refused', reason: 'unread' };
      if (now.getTime() - event.created_at * SECOND > TOLD_WITHIN)
        return { kind: 'refused', reason: 'stale' };
      const eventId = header('x-razorpay-event-id') ?? createHash('sha256').update(body).digest('hex');
      return readingOf(eventId.slice(0, 100), event);
    },
  };
}

function readingOf(eventId: string, { event, payload }: z.infer<typeof webhookEvent>): WebhookReading {
  const entity = payload.payout?.entity;
  if (!event.startsWith('payout.') || !entity) return { kind: 'other', eventId, event };
  return {
    kind: 'payout',
    eventId,
    event,
    key: entity.reference_id ?? null,
    reference: entity.id,
    amount: BigInt(entity.amount),
    answer: stateOf(entity),
  };
}

function bodyOf(sent: GatewayPayout, key: string, access: GatewayAccess): object {
  const { amount, currency, payeeName, payeeAccount, payeeIfsc, payeeVpa, orderCode } = sent;
  const toAccount = payeeAccount !== null;
  return {
    account_number: access.accountNumber,
    amount: Number(amount),
    currency,
    mode: toAccount ? (amount > MOST_IMPS ? 'NEFT' : 'IMPS') : 'UPI',
    purpose: 'payout',
    fund_account: {
      ...(toAccount
        ? {
            account_type: 'bank_account',
            bank_account: { name: payeeName, ifsc: payeeIfsc, account_number: payeeAccount },
          }
        : { account_type: 'vpa', vpa: { address: payeeVpa } }),
      contact: { name: payeeName ?? payeeVpa, type: 'customer', reference_id: orderCode },
    },
    // A low balance becomes an error for a person. A queued payout could go out by itself within three months.
    queue_if_low_balance: false,
    reference_id: key,
    narration: `Payout ${orderCode}`.slice(0, 30),
  };
}

function answerOf(status: number, body: unknown): SendAnswer {
  const made = status < 300 ? payout.safeParse(body).data : undefined;
  if (made) return { outcome: 'accepted', reference: made.id };
  const error = failure.safeParse(body).data?.error;
  const reason = `${status} ${error?.description ?? error?.code ?? 'no answer of the gateway'}`;
  // An error about the key itself means that an earlier request was accepted.
  const isAboutKey = error?.field?.toLowerCase() === KEY_HEADER;
  return error && !isAboutKey ? refusalOf(status, reason) : { outcome: 'unknown', reason };
}

function stateOf(found: Payout | undefined): CheckAnswer {
  if (!found) return { state: 'unknown' };
  switch (found.status) {
    case 'pending':
    case 'queued':
    case 'scheduled':
    case 'processing':
      return { state: 'processing' };
    case 'processed':
      return {
        state: 'processed',
        utr: found.utr ?? null,
        amount: typeof found.amount === 'number' ? BigInt(found.amount) : undefined,
      };
    case 'failed':
    case 'rejected':
    case 'cancelled':
    case 'reversed': {
      const { description, reason } = found.status_details ?? {};
      return { state: 'failed', reason: description ?? reason ?? found.status };
    }
    default:
      return { state: 'unknown' };
  }
}
