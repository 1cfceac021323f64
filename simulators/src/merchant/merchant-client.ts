import { randomUUID } from 'node:crypto';
import type { PayParams } from '@sangam/contract/endpoints/outside.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign, type SignType } from '@sangam/contract/signature.ts';
import {
  createPatientCaller,
  type Answer,
  type CallerStatistics,
  type PatientCaller,
} from '../patient-caller.ts';

/** Status of the merchant API. */
const FAILED = 2;

export interface MerchantClientOptions {
  /** One or several nodes. */
  readonly url: string | readonly string[];
  readonly mchId: string;
  readonly secret: string;
  readonly signType: SignType;
  readonly statistics?: CallerStatistics;
  /** How long it retries, in milliseconds; some minutes if absent. */
  readonly patienceMs?: number;
}

export interface CreateRequest {
  readonly productId: number;
  readonly mchOrderNo: string;
  /** Hundredths, as a number or as text. */
  readonly amount: number | string;
  readonly notifyUrl: string;
  readonly [name: string]: string | number;
}

export interface CreatedOrder {
  readonly orderCode: string;
  readonly payUrl: string;
  readonly payParams: PayParams;
}

export interface QueriedOrder {
  readonly orderCode: string;
  readonly mchOrderNo: string;
  readonly amount: number;
  readonly realAmount: number | null;
  readonly status: number;
  readonly utr: string | null;
}

/** A refusal by the merchant API (not a network failure). */
export interface Refused {
  readonly refused: { readonly code: number; readonly msg: string; readonly orderCode: string | undefined };
}

export type BodyFormat = 'json' | 'form';

export interface MerchantClient {
  /** Safe to repeat: the same number gives the same order. */
  create(request: CreateRequest, format?: BodyFormat): Promise<CreatedOrder | Refused>;
  query(mchOrderNo: string, format?: BodyFormat): Promise<QueriedOrder | Refused>;
  /** Cancels an order that nobody has worked on yet. */
  cancel(mchOrderNo: string): Promise<void>;
}

/** A merchant's integration. It signs by the merchant's sign type and retries calls without an answer. */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const urls = typeof options.url === 'string' ? [options.url] : options.url;
  const caller: PatientCaller = createPatientCaller(urls, options.statistics, options.patienceMs);

  function send(
    path: string,
    fields: Readonly<Record<string, string | number>>,
    format: BodyFormat,
  ): Promise<Answer> {
    return caller.call(() => {
      const signed = signedFields(path, fields, options);
      return format === 'json'
        ? {
            method: 'POST',
            path,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(signed),
          }
        : {
            method: 'POST',
            path,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams(textOf(signed)).toString(),
          };
    });
  }

  return {
    async create(request, format = 'json') {
      const answer = await send('/v1.0/api/order/create', request, format);
      return answer.code === 200 ? (answer.data as unknown as CreatedOrder) : refusedBy(answer);
    },
    async query(mchOrderNo, format = 'json') {
      const answer = await send('/v1.0/api/order/query', { mchOrderNo }, format);
      return answer.code === 200 ? (answer.data as unknown as QueriedOrder) : refusedBy(answer);
    },
    async cancel(mchOrderNo) {
      const answer = await send('/v1.0/api/order/cancel', { mchOrderNo }, 'json');
      if (answer.code === 200) return;
      // The answer to an earlier try may have been lost; then the order has already failed.
      const { data } = await send('/v1.0/api/order/query', { mchOrderNo }, 'json');
      if (data['status'] !== FAILED) throw new Error(`cancel: ${answer.code} ${answer.msg}`);
    },
  };
}

function refusedBy({ code, msg, data }: Answer): Refused {
  const orderCode = data['orderCode'];
  return { refused: { code, msg, orderCode: typeof orderCode === 'string' ? orderCode : undefined } };
}

/** Time and nonce are new for every try. Merchants with sign type md5 send neither. */
function signedFields(
  path: string,
  fields: Readonly<Record<string, string | number>>,
  { mchId, secret, signType }: MerchantClientOptions,
): Record<string, string | number> {
  const whole = {
    mchId,
    ...fields,
    ...(signType === 'md5' ? {} : { timestamp: Date.now(), nonce: randomUUID() }),
  };
  return { ...whole, sign: sign(textOf(whole), signType, secret, callLine({ method: 'POST', path })) };
}

function textOf(fields: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
