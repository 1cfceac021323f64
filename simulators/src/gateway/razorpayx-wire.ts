import { createHash, createHmac } from 'node:crypto';
import { endOf } from './ends.ts';
import type { GatewayStore, TakenPayout, WireReply } from './taken.ts';

interface PayoutBody {
  readonly account_number: string;
  readonly amount: number;
  readonly currency: string;
  readonly mode: string;
  readonly purpose: string;
  readonly reference_id: string;
  readonly narration: string;
  readonly fund_account: {
    readonly account_type: 'bank_account' | 'vpa';
    readonly bank_account?: { readonly account_number: string; readonly ifsc: string; readonly name: string };
    readonly vpa?: { readonly address: string };
  };
}

const KEY = /^[A-Za-z0-9 _-]{4,36}$/;
const KEY_FIELD = 'X-Payout-Idempotency';

export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** Answers as RazorpayX does. Undefined: the payout was taken, but no answer is sent. */
export function answerRazorpayX(
  store: GatewayStore,
  credentials: { readonly keyId: string; readonly keySecret: string },
  { method, url, header, text }: WireRequest,
): WireReply | undefined {
  const { keyId, keySecret } = credentials;
  const path = url.pathname.replace(/^\/v1/, '');
  if (header('authorization') !== `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`)
    return { status: 401, body: errorOf('Authentication failed') };
  if (method === 'POST' && path === '/payouts') {
    const key = header('x-payout-idempotency') ?? '';
    return KEY.test(key) ? take(store, key, text) : refuse('Idempotency key is missing', KEY_FIELD);
  }
  if (method === 'GET' && path === '/payouts') {
    const [account, reference] = [
      url.searchParams.get('account_number'),
      url.searchParams.get('reference_id'),
    ];
    const items = store
      .all()
      .filter(
        (each) =>
          each.wire === 'razorpayx' &&
          each.accountNumber === account &&
          (reference === null || each.referenceId === reference),
      );
    const list = items.map((each) => entityOf(store, each));
    return { status: 200, body: { entity: 'collection', count: list.length, items: list } };
  }
  if (method === 'GET' && path === '/banking_balances') {
    const [amount, refreshedAt] = [store.balance(), Math.floor(Date.now() / 1_000)];
    const items = store.accountNumbers().map((number) => ({
      entity: 'banking_balance',
      currency: 'INR',
      account_number: number,
      account_type: 'razorpayx_lite',
      amount,
      available_amount: amount,
      refreshed_at: refreshedAt,
    }));
    return { status: 200, body: { entity: 'collection', count: items.length, items } };
  }
  const found = store.byId(path.replace('/payouts/', ''));
  return method === 'GET' && found
    ? { status: 200, body: entityOf(store, found) }
    : refuse('The id provided does not exist');
}

function take(store: GatewayStore, key: string, text: string): WireReply | undefined {
  store.heard(key);
  const body = JSON.parse(text) as PayoutBody;
  const bodyHash = createHash('sha256').update(text).digest('hex');
  const known = store.byKey('razorpayx', key);
  if (known)
    return known.bodyHash === bodyHash
      ? { status: 200, body: entityOf(store, known) }
      : refuse('Different request body sent with the same idempotency key', KEY_FIELD);
  const problem = problemOf(body);
  if (problem) return refuse(problem);
  const { account_type: type, bank_account: account, vpa } = body.fund_account;
  const payee = (type === 'vpa' ? vpa?.address : account?.account_number) ?? '';
  const end = endOf(payee.split('@')[0]!);
  if (end === 'refused')
    return refuse('Your account does not have enough balance to carry out the payout operation');
  if (end === 'errorBefore') return FAILURE;
  const payout = store.take({
    wire: 'razorpayx',
    key,
    bodyHash,
    referenceId: body.reference_id,
    accountNumber: body.account_number,
    payee,
    amount: body.amount,
    mode: body.mode,
  });
  if (end === 'errorAfter') return FAILURE;
  return end === 'silentAfter' || end === 'tornAfter'
    ? undefined
    : { status: 200, body: entityOf(store, payout) };
}

function entityOf(store: GatewayStore, payout: TakenPayout): object {
  const status = store.stateOf(payout);
  return {
    id: payout.id,
    entity: 'payout',
    fund_account_id: `fa_${payout.id.slice(5)}`,
    amount: payout.amount,
    currency: 'INR',
    fees: 0,
    tax: 0,
    status,
    mode: payout.mode,
    purpose: 'payout',
    utr: status === 'processed' || status === 'reversed' ? payout.utr : null,
    reference_id: payout.referenceId,
    status_details: {
      description: status === 'failed' ? 'IMPS is not enabled on the beneficiary account' : null,
      source: status === 'failed' ? 'beneficiary_bank' : null,
      reason: status === 'failed' ? 'imps_not_allowed' : null,
    },
    created_at: Math.floor(payout.takenAt / 1_000),
  };
}

/** The event with a payout's current state, with correct headers. */
export function razorpayXEvent(
  store: GatewayStore,
  payout: TakenPayout,
  { webhookSecret, nowMs }: { readonly webhookSecret: string; readonly nowMs: number },
): { readonly body: string; readonly headers: Record<string, string> } {
  const state = store.stateOf(payout);
  const event = `payout.${state === 'processing' ? 'initiated' : state}`;
  const body = JSON.stringify({
    entity: 'event',
    account_id: 'acc_simulated',
    event,
    contains: ['payout'],
    payload: { payout: { entity: entityOf(store, payout) } },
    created_at: Math.floor(nowMs / 1_000),
  });
  return {
    body,
    headers: {
      'x-razorpay-event-id': createHash('sha256').update(`${payout.id}/${event}`).digest('hex').slice(0, 14),
      'x-razorpay-signature': createHmac('sha256', webhookSecret).update(body).digest('hex'),
    },
  };
}

function problemOf(body: PayoutBody): string | undefined {
  const { account_type: type, bank_account: account, vpa } = body.fund_account;
  if (!Number.isInteger(body.amount) || body.amount < 100) return 'The amount must be at least INR 1.00';
  if (!['NEFT', 'RTGS', 'IMPS', 'UPI'].includes(body.mode)) return 'Payout mode is invalid';
  if ((body.mode === 'UPI') !== (type === 'vpa')) return 'Payout mode does not fit the fund account';
  if (!/^[A-Za-z0-9 ]{0,30}$/.test(body.narration)) return 'The narration format is invalid';
  if (body.reference_id.length > 40) return 'The reference id may not be greater than 40 characters';
  const isWhole = type === 'vpa' ? vpa?.address : /^[A-Z]{4}0[A-Z0-9]{6}$/.test(account?.ifsc ?? '');
  return isWhole ? undefined : 'The fund account is invalid';
}

function errorOf(description: string, field?: string): object {
  return {
    error: {
      code: 'BAD_REQUEST_ERROR',
      description,
      source: 'business',
      reason: 'input_validation_failed',
      ...(field ? { field } : {}),
    },
  };
}

function refuse(description: string, field?: string): WireReply {
  return { status: 400, body: errorOf(description, field) };
}

const FAILURE: WireReply = {
  status: 500,
  body: { error: { code: 'SERVER_ERROR', description: 'We are facing some trouble' } },
};
