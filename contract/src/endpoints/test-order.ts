import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, minor, text, time } from '../fields.ts';

const TOP = ['superAdmin'] as const;

export const signTestOrder = endpoint({
  method: 'POST',
  path: '/v1.0/testOrder/sign',
  summary:
    'Registers a test order of any merchant and answers the signed call that creates it. Its money is taken back in the moment it is credited',
  access: TOP,
  sensitive: true,
  input: z.object({
    merchantId: id,
    productId: z.int().positive(),
    /** In the unit of the merchant API. */
    amount: z.int().positive(),
    userName: z.string().trim().max(128).optional(),
    /** Where the merchant's notification goes; left out: to a catcher that this screen shows. */
    notifyUrl: z
      .url({ protocol: /^https?$/ })
      .max(512)
      .optional(),
  }),
  output: z.object({
    mchOrderNo: z.string(),
    /** The fields of `POST /v1.0/api/order/create`. */
    fields: z.record(z.string(), z.string()),
  }),
});

const step = z.object({ time, kind: z.string(), toStatus: z.int().nullable() });

export const getTestOrder = endpoint({
  method: 'GET',
  path: '/v1.0/testOrder/get',
  summary: 'A test order: its steps so far, the attempts to notify the merchant, and what the catcher got',
  access: TOP,
  input: z.object({ mchOrderNo: text(64) }),
  output: z.object({
    mchOrderNo: z.string(),
    merchantId: id,
    productId: z.int().nullable(),
    /** Null: the order is not created yet. */
    orderCode: id.nullable(),
    status: z.int().nullable(),
    payable: minor.nullable(),
    currency: z.enum(['INR', 'KES', 'USDT']).nullable(),
    payUrl: z.string().nullable(),
    steps: z.array(step),
    attempts: z.array(
      z.object({ time, url: z.string(), httpStatus: z.int().nullable(), answer: z.string().nullable() }),
    ),
    caught: z.array(z.object({ time, body: z.string() })),
    /** In the demo a button can pay it. */
    canPay: z.boolean(),
  }),
});

export const getTestOrders = endpoint({
  method: 'GET',
  path: '/v1.0/testOrder/getList',
  summary: 'The newest test orders',
  access: TOP,
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        mchOrderNo: z.string(),
        merchantId: id,
        merchantName: z.string(),
        time,
        account: z.string(),
        orderCode: id.nullable(),
        status: z.int().nullable(),
      }),
    ),
  }),
});

export const payTestOrder = endpoint({
  method: 'POST',
  path: '/v1.0/testOrder/pay',
  summary: 'In the demo: the bank of the order’s account reports its payment',
  access: TOP,
  sensitive: true,
  input: z.object({ mchOrderNo: text(64) }),
  output: z.object({ state: z.string() }),
});

export const catchTestCallback = endpoint({
  method: 'POST',
  path: '/v1.0/testOrder/catch/:token',
  summary: 'Takes the notification of a test order, for the screen to show',
  access: 'webhook',
  input: z.object({ token: z.string() }),
  output: z.string(),
});

export const catchTestCallbackQuery = endpoint({
  method: 'GET',
  path: '/v1.0/testOrder/catch/:token',
  summary: 'The same, of merchants that are notified in the query',
  access: 'webhook',
  input: z.object({ token: z.string() }),
  output: z.string(),
});
