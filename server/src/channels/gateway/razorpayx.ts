import { request } from 'undici';
import { z } from 'zod';
import type { GatewayAccess } from '../../accounts/paying-gateway.ts';
import { SECOND } from '../../clock.ts';
import type { CheckAnswer, GatewayPayout, PayoutChannel, SendAnswer } from '../payout-channel.ts';

/** Wire of RazorpayX payouts (razorpay/markdown-docs @ab3bda5): JSON, Basic auth, amounts in paise. */

export interface RazorpayXOptions {
  /** Up to and with the version: https://api.razorpay.com/v1. */
  readonly url: string;
  readonly openAccount: () => Promise<bigint | undefined>;
  readonly accessOf: (accountId: bigint) => Promise<GatewayAccess | undefined>;
  /** Longest wait for an answer; less than dispatch gives a send. */
  readonly patienceMs?: number;
}

const payout = z.object({
  id: z.string().min(1),
  status: z.string(),
  utr: z.string().nullish(),
  reference_id: z.string().nullish(),
  status_details: z.object({ description: z.string().nullish(), reason: z.string().nullish() }).nullish(),
});
type Payout = z.infer<typeof payout>;
const collection = z.object({ items: z.array(payout) });
const failure = z.object({
  error: z.object({ code: z.string(), description: z.string().nullish(), field: z.string().nullish() }),
});

/** Refused before anything was made of the request. Of every other answer that is no payout nobody knows what it did. */
const REFUSALS = [400, 401, 403, 404, 422, 429];
const KEY_HEADER = 'x-payout-idempotency';
/** Instant payment carries up to five lakh; more goes by NEFT. Paise. */
const MOST_IMPS = 5_00_000_00n;

export function createRazorpayX(options: RazorpayXOptions): PayoutChannel {
  const { url, openAccount, accessOf, patienceMs = 20 * SECOND } = options;

  async function call(
    access: GatewayAccess,
    path: string,
    post?: { readonly key: string; readonly body: object },
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const credentials = Buffer.from(`${access.keyId}:${access.keySecret}`).toString('base64');
    const response = await request(`${url}${path}`, {
      method: post ? 'POST' : 'GET',
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        authorization: `Basic ${credentials}`,
        ...(post ? { 'content-type': 'application/json', [KEY_HEADER]: post.key } : {}),
      },
      ...(post ? { body: JSON.stringify(post.body) } : {}),
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: parse(text) };
  }

  return {
    openAccount,
    async send(sent, key) {
      const access = sent.accountId === null ? undefined : await accessOf(sent.accountId);
      if (!access) return { outcome: 'refused', reason: 'the gateway account has no credentials' };
      const { status, body } = await call(access, '/payouts', { key, body: bodyOf(sent, key, access) });
      return answerOf(status, body);
    },
    async check({ key, reference, accountId }) {
      const access = accountId === null ? undefined : await accessOf(accountId);
      if (!access) return { state: 'unknown' };
      if (reference !== null) {
        const { body } = await call(access, `/payouts/${encodeURIComponent(reference)}`);
        return stateOf(payout.safeParse(body).data);
      }
      const query = new URLSearchParams({ account_number: access.accountNumber, reference_id: key });
      const { body } = await call(access, `/payouts?${query.toString()}`);
      return stateOf(collection.safeParse(body).data?.items.find((each) => each.reference_id === key));
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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
    // Low balance is an error somebody looks at, not a payout that goes out by itself within three months.
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
  // What is said of the key itself means that an earlier request came through.
  const isAboutKey = error?.field?.toLowerCase() === KEY_HEADER;
  return error && REFUSALS.includes(status) && !isAboutKey
    ? { outcome: 'refused', reason }
    : { outcome: 'unknown', reason };
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
      return { state: 'processed', utr: found.utr ?? null };
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
