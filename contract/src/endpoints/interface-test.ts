import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, id, minor, time } from '../fields.ts';
import type { Role } from '../roles.ts';
import { SIGN_TYPES } from '../sign-types.ts';
import {
  cancelOrder,
  createBatch,
  createOrder,
  queryMerchantBalance,
  queryOrder,
  queryUtr,
  uploadPicture,
} from './outside.ts';

/** What a merchant's integrator can try from the console: signing, creating orders, getting notifications. */

const INTEGRATOR: readonly Role[] = ['merchant'];
const SIGNED_PATHS = [
  createOrder,
  createBatch,
  queryOrder,
  queryUtr,
  queryMerchantBalance,
  uploadPicture,
  cancelOrder,
].map(({ path }) => path);
const fields = z.record(z.string().min(1).max(64), z.string().max(2048));

export const getInterface = endpoint({
  method: 'GET',
  path: '/v1.0/interfaceTest/getInterface',
  summary: "The merchant's own ids, signature and products, as the documentation of its interface needs them",
  access: INTEGRATOR,
  input: z.object({}),
  output: z.object({
    mchId: id,
    signType: z.enum(SIGN_TYPES),
    callbackTransport: z.enum(['json', 'form', 'query']),
    /** Where the merchant API is; empty: at this console's address. */
    apiUrl: z.string(),
    /** The codes that the merchant API may answer, in the reader's language. */
    codes: z.array(z.object({ code: z.int(), text: z.string() })),
    products: z.array(
      z.object({
        productId: z.int(),
        productName: z.string(),
        direction: z.enum(['in', 'out']),
        currency,
        enabled: z.boolean(),
        minAmount: minor,
        maxAmount: minor,
        /** The merchant's fee for an order: parts per million of the amount, and a fixed part. */
        ratePpm: z.int(),
        fixedFee: minor,
        /** The fields of createOrder that describe a payout's payee and are required. */
        payeeFields: z.array(z.string()),
      }),
    ),
  }),
});

export const signFields = endpoint({
  method: 'POST',
  path: '/v1.0/interfaceTest/sign',
  summary:
    'Sign fields as the merchant would (its id is put in; with HMAC also timestamp and nonce where they are missing): what is signed, secret masked, and the signature. Fields that only a notification has are refused',
  access: INTEGRATOR,
  duty: 'signing',
  sensitive: true,
  input: z.object({
    fields: fields.refine((given) => Object.keys(given).length <= 60, '≤ 60'),
    /** The call that the fields are for, which hmac-sha256-v2 signs too. */
    path: z.enum(SIGNED_PATHS).default('/v1.0/api/order/create'),
  }),
  output: z.object({
    fields,
    stringToSign: z.string(),
    sign: z.string(),
    /** Where the console sends the call: its path under ApiUrl, or the path alone. */
    url: z.string(),
  }),
});

export const tryCallback = endpoint({
  method: 'POST',
  path: '/v1.0/interfaceTest/callback',
  summary:
    'Send a signed notification of an order that does not exist (its numbers begin with TEST) to a URL, and show what came back',
  access: INTEGRATOR,
  duty: 'signing',
  sensitive: true,
  input: z.object({ url: z.url({ protocol: /^https?$/ }).max(512), paid: z.boolean() }),
  output: z.object({
    httpMethod: z.string(),
    request: z.string(),
    status: z.int().nullable(),
    /** The first 2 KiB. */
    answer: z.string().nullable(),
    error: z.string().nullable(),
    durationMs: z.int(),
    /** The answer acknowledges the notification. */
    acknowledged: z.boolean(),
  }),
});

export const getSandbox = endpoint({
  method: 'GET',
  path: '/v1.0/interfaceTest/getSandbox',
  summary:
    "In the demo: the merchant's secret, and the notifications its endpoint took last, newest first. Elsewhere 404",
  access: INTEGRATOR,
  input: z.object({}),
  output: z.object({
    secret: z.string(),
    /** Null: the simulated world of the demo does not run, and so neither does the endpoint. */
    caught: z
      .array(
        z.object({
          mchOrderNo: z.string(),
          fields: z.record(z.string(), z.string()),
          signatureValid: z.boolean(),
          attempt: z.int(),
          at: time,
        }),
      )
      .nullable(),
  }),
});
