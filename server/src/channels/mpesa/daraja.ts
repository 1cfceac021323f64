import { z } from 'zod';
import { type Clock, MINUTE, SECOND } from '../../platform/clock.ts';
import { callWire, type WireAnswer } from '../gateway/wire.ts';
import type { SendAnswer } from '../payout-channel.ts';

/** The API of Safaricom's Daraja (JacksCodeVault/mpesa-daraja-mcp @e875f3b): JSON, a token for an hour, whole shillings. */

/** Credentials of a short code's API. */
export interface DarajaAccess {
  readonly shortCode: string;
  readonly type: 'paybill' | 'till' | 'phone';
  readonly keyId: string;
  readonly keySecret: string;
  readonly passkey?: string | undefined;
  readonly initiatorName?: string | undefined;
  /** The initiator's password, encrypted with Safaricom's certificate, as its portal makes it. */
  readonly securityCredential?: string | undefined;
}

export interface StkRequest {
  /** 254 and nine digits. */
  readonly phone: string;
  /** In cents; only whole shillings. */
  readonly amount: bigint;
  readonly reference: string;
  readonly callbackUrl: string;
}

export interface B2cRequest {
  readonly key: string;
  readonly phone: string;
  /** In cents; only whole shillings. */
  readonly amount: bigint;
  readonly resultUrl: string;
  readonly timeoutUrl: string;
  /** Once it is aborted, no request goes out. */
  readonly givenUp?: AbortSignal;
}

/** Unknown: the phone may have been asked, but no id names the request. A call that throws means the same. */
export type StkAnswer =
  | { readonly checkoutId: string }
  | { readonly refused: string }
  | { readonly unknown: string };

/** The result of a request to a phone: code 0 means paid. */
export interface StkResult {
  readonly code: number;
  readonly text: string;
}

export interface Daraja {
  registerUrls(
    access: DarajaAccess,
    urls: { readonly confirmation: string; readonly validation: string },
  ): Promise<void>;
  stkPush(access: DarajaAccess, request: StkRequest): Promise<StkAnswer>;
  /** Undefined while the payer has not decided. */
  stkResult(access: DarajaAccess, checkoutId: string): Promise<StkResult | undefined>;
  pay(access: DarajaAccess, request: B2cRequest): Promise<SendAnswer>;
  /** M-Pesa sends the answer to `resultUrl`. */
  askStatus(
    access: DarajaAccess,
    about: { readonly key: string; readonly resultUrl: string; readonly timeoutUrl: string },
  ): Promise<void>;
}

export interface DarajaOptions {
  /** https://api.safaricom.co.ke */
  readonly url: string;
  readonly clock: Clock;
  readonly patienceMs?: number;
}

const CENTS = 100n;
/** A value that Daraja writes as text in one place and as a number in another. */
export const wireText = z.union([z.string(), z.number()]).transform(String);
/** M-Pesa's result code: 0 is success. A code that is not a number (SFC_IC0003) counts as a failure. */
export const resultCode = wireText.transform((code) => (/^\d{1,9}$/.test(code) ? Number(code) : -1));
/** A value that M-Pesa lists with a result, as text; '' where it is neither text nor number. */
export const listedValue = wireText.catch('');
const token = z.object({ access_token: z.string().min(1), expires_in: z.union([z.string(), z.number()]) });
const accepted = z.object({
  ResponseCode: wireText,
  ResponseDescription: z.string().nullish(),
});
const failure = z.object({ errorCode: z.string(), errorMessage: z.string().nullish() });
const checkout = accepted.extend({ CheckoutRequestID: z.string().min(1).max(100) });
const conversation = accepted.extend({ ConversationID: z.string().min(1).max(100) });
const queried = z.object({
  ResultCode: resultCode,
  ResultDesc: z.string().nullish(),
});

/** 'The transaction is still under processing': the answer while the request is on the phone. */
const UNDER_PROCESSING = 4999;

/** M-Pesa knows the originator's id: an earlier request was accepted. */
const DUPLICATE = '500.002.1001';

export function createDaraja({ url, clock, patienceMs = 20 * SECOND }: DarajaOptions): Daraja {
  const tokens = new Map<string, { readonly text: string; readonly until: number }>();

  async function tokenOf({ keyId, keySecret }: DarajaAccess): Promise<string> {
    const known = tokens.get(keyId + keySecret);
    const now = clock.now().getTime();
    if (known && known.until > now) return known.text;
    const { status, body } = await callWire({
      url: `${url}/oauth/v1/generate?grant_type=client_credentials`,
      headers: { authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}` },
      patienceMs,
    });
    const made = token.safeParse(body).data;
    if (!made) throw new NoToken(`M-Pesa answered ${status} to its keys`);
    const until = now + Number(made.expires_in) * SECOND - MINUTE;
    tokens.set(keyId + keySecret, { text: made.access_token, until });
    return made.access_token;
  }

  async function post(
    access: DarajaAccess,
    path: string,
    body: object,
    givenUp?: AbortSignal,
  ): Promise<WireAnswer> {
    const headers = { authorization: `Bearer ${await tokenOf(access)}` };
    return callWire({ url: `${url}${path}`, headers, post: body, patienceMs, givenUp });
  }

  function signed({ shortCode, passkey }: DarajaAccess) {
    // Local time of Kenya, three hours ahead of UTC.
    const at = new Date(clock.now().getTime() + 3 * 60 * MINUTE).toISOString();
    const Timestamp = at.replace(/\D/g, '').slice(0, 14);
    return {
      BusinessShortCode: shortCode,
      Password: Buffer.from(`${shortCode}${passkey ?? ''}${Timestamp}`).toString('base64'),
      Timestamp,
    };
  }

  return {
    async registerUrls(access, { confirmation, validation }) {
      const { status, body } = await post(access, '/mpesa/c2b/v2/registerurl', {
        ShortCode: access.shortCode,
        ResponseType: 'Completed',
        ConfirmationURL: confirmation,
        ValidationURL: validation,
      });
      if (accepted.safeParse(body).data?.ResponseCode !== '0')
        throw new Error(`M-Pesa did not register the addresses: ${status} ${wordsOf(body)}`);
    },

    async stkPush(access, { phone, amount, reference, callbackUrl }) {
      if (amount % CENTS !== 0n) return { refused: 'whole shillings only' };
      let answer: WireAnswer;
      try {
        answer = await post(access, '/mpesa/stkpush/v1/processrequest', {
          ...signed(access),
          TransactionType: access.type === 'till' ? 'CustomerBuyGoodsOnline' : 'CustomerPayBillOnline',
          Amount: Number(amount / CENTS),
          PartyA: phone,
          PartyB: access.shortCode,
          PhoneNumber: phone,
          CallBackURL: callbackUrl,
          AccountReference: reference.slice(0, 12),
          TransactionDesc: 'Payment',
        });
      } catch (error) {
        if (error instanceof NoToken) return { refused: error.message };
        throw error;
      }
      const { status, body } = answer;
      const made = status < 300 ? checkout.safeParse(body).data : undefined;
      if (made?.ResponseCode === '0') return { checkoutId: made.CheckoutRequestID };
      const reason = `${status} ${wordsOf(body)}`;
      return isRefusal(answer) ? { refused: reason } : { unknown: reason };
    },

    async stkResult(access, checkoutId) {
      const { status, body } = await post(access, '/mpesa/stkpushquery/v1/query', {
        ...signed(access),
        CheckoutRequestID: checkoutId,
      });
      const found = status < 300 ? queried.safeParse(body).data : undefined;
      return found && found.ResultCode !== UNDER_PROCESSING
        ? { code: found.ResultCode, text: found.ResultDesc ?? '' }
        : undefined;
    },

    async pay(access, { key, phone, amount, resultUrl, timeoutUrl, givenUp }) {
      if (amount % CENTS !== 0n) return { outcome: 'refused', reason: 'M-Pesa pays whole shillings' };
      let answer: WireAnswer;
      try {
        const wanted = {
          OriginatorConversationID: key,
          InitiatorName: access.initiatorName ?? '',
          SecurityCredential: access.securityCredential ?? '',
          CommandID: 'BusinessPayment',
          Amount: Number(amount / CENTS),
          PartyA: access.shortCode,
          PartyB: phone,
          Remarks: `Payout ${key}`,
          QueueTimeOutURL: timeoutUrl,
          ResultURL: resultUrl,
          // M-Pesa spells the field like this.
          Occassion: '',
        };
        answer = await post(access, '/mpesa/b2c/v3/paymentrequest', wanted, givenUp);
      } catch (error) {
        if (error instanceof NoToken) return { outcome: 'refused', reason: error.message };
        throw error;
      }
      const { status, body } = answer;
      const made = status < 300 ? conversation.safeParse(body).data : undefined;
      if (made?.ResponseCode === '0') return { outcome: 'accepted', reference: made.ConversationID };
      const reason = `${status} ${wordsOf(body)}`;
      const code = failure.safeParse(body).data?.errorCode;
      const isRefused = code !== undefined && code !== DUPLICATE && status >= 400 && status < 500;
      return isRefused ? { outcome: 'refused', reason } : { outcome: 'unknown', reason };
    },

    async askStatus(access, { key, resultUrl, timeoutUrl }) {
      const { status, body } = await post(access, '/mpesa/transactionstatus/v1/query', {
        Initiator: access.initiatorName ?? '',
        SecurityCredential: access.securityCredential ?? '',
        CommandID: 'TransactionStatusQuery',
        OriginatorConversationID: key,
        TransactionID: '',
        PartyA: access.shortCode,
        IdentifierType: '4',
        ResultURL: resultUrl,
        QueueTimeOutURL: timeoutUrl,
        Remarks: `Payout ${key}`,
        Occasion: '',
      });
      if (accepted.safeParse(body).data?.ResponseCode !== '0')
        throw new Error(`M-Pesa does not say where a payout stands: ${status} ${wordsOf(body)}`);
    },
  };
}

/** No token could be got, so no request was sent. */
class NoToken extends Error {
  override readonly name = 'NoToken';
}

/** Whether M-Pesa refused the request. An error of its own servers does not say whether the request had an effect. */
function isRefusal({ status, body }: WireAnswer): boolean {
  const code = status < 300 ? accepted.safeParse(body).data?.ResponseCode : undefined;
  if (code !== undefined) return code !== '0';
  return status >= 400 && status < 500 && failure.safeParse(body).success;
}

function wordsOf(body: unknown): string {
  const error = failure.safeParse(body).data;
  if (error) return `${error.errorCode} ${error.errorMessage ?? ''}`.trim();
  return accepted.safeParse(body).data?.ResponseDescription ?? 'no answer of M-Pesa';
}
