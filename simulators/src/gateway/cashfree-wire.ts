import { createHash, createHmac } from 'node:crypto';
import { endOf } from './ends.ts';
import type { WireRequest } from './razorpayx-wire.ts';
import type { GatewayStore, TakenPayout, TakenState, WireReply } from './taken.ts';

interface TransferBody {
  readonly transfer_id: string;
  readonly transfer_amount: number;
  readonly transfer_currency: string;
  readonly transfer_mode: string;
  readonly transfer_remarks?: string;
  readonly beneficiary_details: {
    readonly beneficiary_name: string;
    readonly beneficiary_instrument_details: {
      readonly bank_account_number?: string;
      readonly bank_ifsc?: string;
      readonly vpa?: string;
    };
  };
}

const STATUS: Readonly<Record<TakenState, readonly [status: string, code: string, event: string]>> = {
  processing: ['PENDING', 'SENT_TO_BENEFICIARY', 'TRANSFER_ACKNOWLEDGED'],
  processed: ['SUCCESS', 'COMPLETED', 'TRANSFER_SUCCESS'],
  failed: ['FAILED', 'BENE_BANK_DECLINED', 'TRANSFER_FAILED'],
  reversed: ['REVERSED', 'RETURNED_FROM_BENEFICIARY', 'TRANSFER_REVERSED'],
};

/** Answers as Cashfree Payouts V2 does. Undefined: the transfer was taken, but no answer is sent. */
export function answerCashfree(
  store: GatewayStore,
  { keyId, keySecret }: { readonly keyId: string; readonly keySecret: string },
  { method, url, header, text }: WireRequest,
): WireReply | undefined {
  if (header('x-client-id') !== keyId || header('x-client-secret') !== keySecret)
    return refuse(401, 'authentication_error', 'Invalid client id or client secret');
  if (header('x-api-version') !== '2024-01-01')
    return refuse(400, 'api_version_invalid', 'x-api-version is invalid');
  if (url.pathname !== '/payout/transfers') return refuse(404, 'not_found', 'no such path');
  if (method === 'POST') return take(store, text);
  const [key, id] = [url.searchParams.get('transfer_id'), url.searchParams.get('cf_transfer_id')];
  const found = key === null ? store.byId(id ?? '') : store.byKey('cashfree', key);
  return found
    ? { status: 200, body: transferOf(store, found) }
    : refuse(404, 'transfer_not_found', 'transfer does not exist');
}

function take(store: GatewayStore, text: string): WireReply | undefined {
  const body = JSON.parse(text) as TransferBody;
  const key = body.transfer_id;
  store.heard(key);
  if (store.byKey('cashfree', key))
    return refuse(409, 'transfer_already_exists', 'Transfer already exists with the given transfer_id');
  const problem = problemOf(body);
  if (problem) return refuse(400, 'invalid_request', problem);
  const { bank_account_number: account, vpa } = body.beneficiary_details.beneficiary_instrument_details;
  const payee = vpa ?? account ?? '';
  const end = endOf(payee.split('@')[0]!);
  if (end === 'refused') return refuse(422, 'insufficient_balance', 'Not enough available balance');
  if (end === 'errorBefore') return FAILURE;
  const transfer = store.take({
    wire: 'cashfree',
    key,
    bodyHash: createHash('sha256').update(text).digest('hex'),
    referenceId: key,
    accountNumber: 'CASHFREE_DEFAULT',
    payee,
    amount: Math.round(body.transfer_amount * 100),
    mode: body.transfer_mode,
  });
  if (end === 'errorAfter') return FAILURE;
  return end === 'silentAfter' || end === 'tornAfter'
    ? undefined
    : { status: 200, body: transferOf(store, transfer) };
}

function transferOf(store: GatewayStore, transfer: TakenPayout): object {
  const state = store.stateOf(transfer);
  const [status, code] = STATUS[state];
  const isPaid = state === 'processed' || state === 'reversed';
  return {
    transfer_id: transfer.referenceId,
    cf_transfer_id: transfer.id,
    status,
    status_code: code,
    status_description: `The transfer is ${status.toLowerCase()}`,
    transfer_amount: transfer.amount / 100,
    transfer_mode: transfer.mode,
    transfer_service_charge: 0,
    transfer_service_tax: 0,
    ...(isPaid ? { transfer_utr: transfer.utr } : {}),
    added_on: new Date(transfer.takenAt).toISOString(),
    updated_on: new Date(transfer.takenAt).toISOString(),
  };
}

/** The event with a transfer's current state. Its timestamp is that of this sending. */
export function cashfreeEvent(
  store: GatewayStore,
  transfer: TakenPayout,
  { clientSecret, nowMs }: { readonly clientSecret: string; readonly nowMs: number },
): { readonly body: string; readonly headers: Record<string, string> } {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const body = JSON.stringify({
    data: transferOf(store, transfer),
    event_time: new Date(transfer.takenAt).toISOString(),
    type: STATUS[store.stateOf(transfer)][2],
  });
  const signature = createHmac('sha256', clientSecret)
    .update(timestamp + body)
    .digest('base64');
  return { body, headers: { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature } };
}

function problemOf(body: TransferBody): string | undefined {
  const {
    bank_account_number: account,
    bank_ifsc: ifsc,
    vpa,
  } = body.beneficiary_details.beneficiary_instrument_details;
  if (!/^[A-Za-z0-9_]{1,40}$/.test(body.transfer_id)) return 'transfer_id is invalid';
  if (!(body.transfer_amount >= 1)) return 'transfer_amount should be at least 1.00';
  if (!/^\d+(\.\d{1,2})?$/.test(String(body.transfer_amount)))
    return 'transfer_amount has more than 2 decimals';
  if (!['banktransfer', 'imps', 'neft', 'rtgs', 'upi'].includes(body.transfer_mode))
    return 'transfer_mode is invalid';
  if ((body.transfer_mode === 'upi') !== (vpa !== undefined))
    return 'transfer_mode does not fit the instrument';
  if ((body.transfer_remarks ?? '').length > 70) return 'transfer_remarks is too long';
  const isWhole = vpa ?? (/^\d{9,18}$/.test(account ?? '') && /^[A-Z]{4}0[A-Z0-9]{6}$/.test(ifsc ?? ''));
  return isWhole ? undefined : 'beneficiary_instrument_details is invalid';
}

function refuse(status: number, code: string, message: string): WireReply {
  return { status, body: { type: 'invalid_request_error', code, message } };
}

const FAILURE: WireReply = {
  status: 500,
  body: { type: 'api_error', code: 'internal_error', message: 'Something went wrong' },
};
