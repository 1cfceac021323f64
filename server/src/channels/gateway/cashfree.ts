import { createHash, createHmac } from 'node:crypto';
import { formatMinor } from '@sangam/contract/money.ts';
import { z } from 'zod';
import type { GatewayAccess } from '../../accounts/paying-gateway.ts';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import type { CheckAnswer, GatewayPayout, SendAnswer } from '../payout-channel.ts';
import type { Gateway } from './gateway.ts';
import { callWire, isSame, parseJson, refusalOf } from './wire.ts';

/** The API of Cashfree Payouts V2 (api-evangelist/cashfree @0b823c5): JSON, keys in headers, amounts in rupees. */

export interface CashfreeOptions {
  /** The address including /payout: https://api.cashfree.com/payout. */
  readonly url: string;
  readonly patienceMs?: number;
  /** Makes the calls; a test may replace it. */
  readonly wire?: typeof callWire;
}

const rupees = z.union([z.number(), z.string()]).transform(String);
const transfer = z.object({
  transfer_id: z.string().min(1),
  cf_transfer_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  status: z.string(),
  status_code: z.string().nullish(),
  status_description: z.string().nullish(),
  transfer_utr: z.string().nullish(),
  transfer_amount: rupees.nullish(),
});
type Transfer = z.infer<typeof transfer>;
const failure = z.object({ code: z.string(), message: z.string().nullish() });
const webhookEvent = z.object({
  type: z.string().max(100),
  data: transfer.extend({ transfer_amount: rupees }).optional().catch(undefined),
});

const API_VERSION = '2024-01-01';
/** The most that an instant payment carries, five lakh rupees, in paise; larger sums go by NEFT. */
const MOST_IMPS = 5_00_000_00n;
/** A webhook whose timestamp is older is refused. */
const TOLD_WITHIN = 5 * MINUTE;

export function createCashfree({ url, patienceMs = 20 * SECOND, wire = callWire }: CashfreeOptions): Gateway {
  const call = (access: GatewayAccess, path: string, post?: object, givenUp?: AbortSignal) =>
    wire({
      url: `${url}${path}`,
      patienceMs,
      headers: {
        'x-client-id': access.keyId,
        'x-client-secret': access.keySecret,
        'x-api-version': API_VERSION,
      },
      post,
      givenUp,
    });

  return {
    async send(access, sent, key, givenUp) {
      const { status, body } = await call(access, '/transfers', bodyOf(sent, transferIdOf(key)), givenUp);
      return answerOf(status, body);
    },
    async check(access, { key }) {
      const query = new URLSearchParams({ transfer_id: transferIdOf(key) });
      const { status, body } = await call(access, `/transfers?${query.toString()}`);
      const found = status < 300 ? transfer.safeParse(body).data : undefined;
      return found?.transfer_id === transferIdOf(key) ? stateOf(found) : { state: 'unknown' };
    },
    readWebhook(access, { header, body }, now) {
      const timestamp = header('x-webhook-timestamp') ?? '';
      const expected = createHmac('sha256', access.webhookSecret ?? access.keySecret)
        .update(timestamp)
        .update(body)
        .digest('base64');
      if (!isSame(header('x-webhook-signature'), expected)) return { kind: 'refused', reason: 'signature' };
      const sentAt = /^\d{10}(\d{3})?$/.test(timestamp) ? Number(timestamp.padEnd(13, '0')) : Number.NaN;
      if (!(Math.abs(now.getTime() - sentAt) <= TOLD_WITHIN)) return { kind: 'refused', reason: 'stale' };
      const event = webhookEvent.safeParse(parseJson(body.toString('utf8'))).data;
      if (!event) return { kind: 'refused', reason: 'unread' };
      // Cashfree gives events no id: two events with the same content count as one.
      const eventId = createHash('sha256').update(body).digest('hex');
      const amount = event.data && paiseOf(event.data.transfer_amount);
      if (!event.type.startsWith('TRANSFER_') || !event.data || amount === undefined)
        return { kind: 'other', eventId, event: event.type };
      return {
        kind: 'payout',
        eventId,
        event: event.type,
        key: keyOf(event.data.transfer_id),
        reference: event.data.cf_transfer_id ?? event.data.transfer_id,
        amount,
        answer: stateOf(event.data),
      };
    },
  };
}

/** A transfer_id must not contain a dash. */
function transferIdOf(key: string): string {
  return key.replaceAll('-', '_');
}

function keyOf(transferId: string): string {
  return transferId.replaceAll('_', '-');
}

/** The API's rupees in paise; undefined where the text is not an amount. */
function paiseOf(rupees: string): bigint | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(rupees);
  return match ? BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0')) : undefined;
}

function bodyOf(sent: GatewayPayout, transferId: string): object {
  const { amount, currency, payeeName, payeeAccount, payeeIfsc, payeeVpa, orderCode } = sent;
  const toAccount = payeeAccount !== null;
  return {
    transfer_id: transferId,
    // Exact as a number: it has two decimals and fifteen digits at most.
    transfer_amount: Number(formatMinor(amount, 'INR')),
    transfer_currency: currency,
    transfer_mode: toAccount ? (amount > MOST_IMPS ? 'neft' : 'imps') : 'upi',
    beneficiary_details: {
      beneficiary_name: (payeeName ?? payeeVpa ?? '').slice(0, 100),
      beneficiary_instrument_details: toAccount
        ? { bank_account_number: payeeAccount, bank_ifsc: payeeIfsc }
        : { vpa: payeeVpa },
    },
    transfer_remarks: `Payout ${orderCode}`.slice(0, 70),
  };
}

function answerOf(status: number, body: unknown): SendAnswer {
  const made = status < 300 ? transfer.safeParse(body).data : undefined;
  if (made) return { outcome: 'accepted', reference: made.cf_transfer_id ?? made.transfer_id };
  const error = failure.safeParse(body).data;
  const reason = `${status} ${error?.message ?? error?.code ?? 'no answer of the gateway'}`;
  // 409 concerns the transfer_id: an earlier request was accepted.
  return error ? refusalOf(status, reason) : { outcome: 'unknown', reason };
}

function stateOf(found: Transfer): CheckAnswer {
  switch (found.status) {
    case 'RECEIVED':
    case 'APPROVAL_PENDING':
    case 'PENDING':
    case 'QUEUED':
      return { state: 'processing' };
    case 'SUCCESS':
      return {
        state: 'processed',
        utr: found.transfer_utr ?? null,
        amount: paiseOf(found.transfer_amount ?? ''),
      };
    case 'FAILED':
    case 'REJECTED':
    case 'MANUALLY_REJECTED':
    case 'REVERSED':
      return { state: 'failed', reason: found.status_description ?? found.status_code ?? found.status };
    default:
      return { state: 'unknown' };
  }
}
