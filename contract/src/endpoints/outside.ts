import { z } from 'zod';
import { kenyanPhone } from '../account-kinds.ts';
import { DEMO_PAYMENTS } from '../demo-payments.ts';
import { endpoint } from '../endpoint.ts';
import { currency, id, minor, pictureFile, text, time, utr } from '../fields.ts';

/** Merchant API, monitor API and the payer's page. */

/** The unit of `amount` on the merchant API. */
const API_UNIT = 'INR, KES: hundredths; products of USDT: 1/10,000 USDT';
const apiAmount = z.int().describe(API_UNIT);
const raw = z.string().max(2048).optional();
const payee = z.string().trim().max(256).optional();

/** What the payer needs. The product decides which fields are present. */
export const payParams = z.object({
  payableAmount: minor,
  currency,
  identifyCode: z.string(),
  expireTime: time,
  vpa: z.string().optional(),
  payeeName: z.string().optional(),
  upiLink: z.string().optional(),
  accountNumber: z.string().optional(),
  ifsc: z.string().optional(),
  bankName: z.string().optional(),
  /** USDT: the address, and the network it is on. */
  address: z.string().optional(),
  network: z.string().optional(),
  /** M-Pesa: a paybill with the account text to give, a till, or a phone number. */
  paybill: z.string().optional(),
  accountReference: z.string().optional(),
  till: z.string().optional(),
  phone: z.string().optional(),
  /** M-Pesa can send a payment request to the payer's phone. */
  stkPush: z.boolean().optional(),
  /** The gateway's own page, to which our page sends the payer; absent while it is being asked for. */
  hostedUrl: z.string().optional(),
});
export type PayParams = z.infer<typeof payParams>;

export const createOrder = endpoint({
  method: 'POST',
  path: '/v1.0/api/order/create',
  summary:
    'Create a collection order, or a payout order by a payout product (signed; JSON or form). The same request again answers the same',
  access: 'merchant',
  input: z
    .object({
      mchId: z.string().regex(/^\d{1,18}$/),
      productId: z.string().regex(/^\d{1,9}$/),
      mchOrderNo: z.string().min(1).max(64),
      amount: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, 'a positive integer')
        .describe(API_UNIT),
      notifyUrl: z.url({ protocol: /^https?$/ }).max(512),
      returnUrl: raw,
      subject: raw,
      body: raw,
      clientIp: z.string().max(64).optional(),
      param1: raw,
      param2: raw,
      userName: z.string().max(128).optional(),
      validateUserName: z.string().max(128).optional(),
      /** The payee of a payout. The product decides which fields are required. */
      cardNumber: payee,
      ifscCode: payee,
      bankName: payee,
      accountType: payee,
      vpa: payee,
      address: payee,
      phone: payee,
      sign: z.string().min(1).max(128),
    })
    .loose(),
  /** A payout has no payer: its answer is only the order code. */
  output: z.object({ orderCode: z.string(), payUrl: z.string().optional(), payParams: payParams.optional() }),
});

/** Columns of a merchant's payout file, named like createOrder's fields. The product decides which payee columns are required. */
export const BATCH_COLUMNS = [
  'mchOrderNo',
  'productId',
  'amount',
  'userName',
  'cardNumber',
  'ifscCode',
  'bankName',
  'accountType',
  'vpa',
  'address',
  'phone',
  'notifyUrl',
  'param1',
  'param2',
] as const;
export const NEEDED_BATCH_COLUMNS = ['mchOrderNo', 'productId', 'amount'] as const;

const merchantOnly = {
  mchId: z.string().regex(/^\d{1,18}$/),
  sign: z.string().min(1).max(128),
};
const orderOfMerchant = z
  .object({ ...merchantOnly, mchOrderNo: z.string().min(1).max(64).optional(), orderCode: id.optional() })
  .loose();

const orderOnApi = z.object({
  mchId: z.string(),
  mchOrderNo: z.string(),
  orderCode: z.string(),
  productId: z.int(),
  amount: apiAmount,
  /** The amount that arrived, or was paid out. */
  realAmount: apiAmount.nullable(),
  income: apiAmount.nullable(),
  /** 0 waiting, 1 success, 2 failed, rejected or reversed, 3 timed out (may still succeed), 11 creation failed. */
  status: z.int(),
  paySuccessTime: time.nullable(),
  utr: z.string().nullable(),
  rejectReason: z.string().nullable(),
  createTime: time,
});

export const queryOrder = endpoint({
  method: 'POST',
  path: '/v1.0/api/order/query',
  summary: "One order by the merchant's number or ours (signed)",
  access: 'merchant',
  input: orderOfMerchant,
  output: orderOnApi,
});

export const queryUtr = endpoint({
  method: 'POST',
  path: '/v1.0/api/order/queryUtr',
  summary: "The merchant's order that used a UTR (signed)",
  access: 'merchant',
  input: z.object({ ...merchantOnly, utr }).loose(),
  output: orderOnApi,
});

export const queryMerchantBalance = endpoint({
  method: 'POST',
  path: '/v1.0/api/order/queryMerchantBalance',
  summary: "The merchant's available and frozen money per currency (signed)",
  access: 'merchant',
  input: z.object(merchantOnly).loose(),
  output: z.object({
    mchId: z.string(),
    balances: z.array(z.object({ currency, available: apiAmount, frozen: apiAmount })),
  }),
});

export const cancelOrder = endpoint({
  method: 'POST',
  path: '/v1.0/api/order/cancel',
  summary: 'Take back an unpaid collection order or a waiting payout (signed)',
  access: 'merchant',
  input: orderOfMerchant,
  output: orderOnApi,
});

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/v1.0/api/order/uploadPicture',
  summary:
    "Add a screenshot of the payer's payment to a collection order; the UTR that comes with it is searched (signed; multipart)",
  access: 'merchant',
  file: 'PNG or JPEG, at most 512 KiB; at most 3 an order',
  input: orderOfMerchant.extend({
    utr: utr.optional(),
    /** SHA-256 of the file's bytes, lower-case hex: so the signature covers the file. Required with HMAC. */
    fileHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  }),
  output: z.object({ orderCode: z.string(), pictures: z.int() }),
});

export const createBatch = endpoint({
  method: 'POST',
  path: '/v1.0/api/order/createBatch',
  summary:
    'Create up to 500 payouts from a CSV file, all or none (signed; multipart). The same key with the same file answers as the first time, with another 1103',
  access: 'merchant',
  file: `UTF-8 CSV, comma-separated, first row the column names in any order: ${BATCH_COLUMNS.join(', ')}. Needed: ${NEEDED_BATCH_COLUMNS.join(', ')} and the payee columns of each row's product. amount as in create (hundredths; ten-thousandths of a USDT). At most 500 rows (1301), a name ending in .csv (1302). When anything is wrong nothing is created: 1303 with data.rows [{row, problem}], row 1 being the header`,
  input: z
    .object({
      ...merchantOnly,
      /** Payouts: 1. */
      orderType: z.literal('1'),
      /** The merchant's own name for this file. */
      key: z.string().min(1).max(64),
      /** SHA-256 of the file's bytes, lower-case hex: so the signature covers the file. Required with HMAC. */
      fileHash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
    })
    .loose(),
  output: z.object({
    batchId: id,
    count: z.int(),
    /** The sum of all rows; it has no meaning when the products of a file have several currencies. */
    sum: apiAmount,
  }),
});

export const heartbeat = endpoint({
  method: 'POST',
  path: '/v1.0/monitor/heartbeat',
  summary: 'A monitor says it is alive',
  access: 'monitor',
  input: z.object({
    scriptVersion: z.string().max(64),
    battery: z.number().min(0).max(100).optional(),
    accounts: z.array(id).max(100).optional(),
  }),
  output: z.object({ serverTime: time }),
});

export const MESSAGE_STATES = [
  'matched',
  'unmatched',
  'ambiguous',
  'held',
  'duplicate',
  'untrusted',
  'ignored',
  'unparsed',
  /** A credit that was refunded by hand or is not ours; two people agreed to that. */
  'settledOutside',
] as const;

export const report = endpoint({
  method: 'POST',
  path: '/v1.0/monitor/report',
  summary: 'A monitor reports messages (≤ 500): idempotent by messageId',
  access: 'monitor',
  input: z.object({
    messages: z
      .array(
        z.object({
          messageId: text(128),
          kind: z.enum(['sms', 'web', 'usdt']),
          sender: z.string().max(64),
          text: z.string().min(1).max(4000),
          /** Milliseconds since 1970, or an ISO time. */
          receivedAt: z.union([z.int().positive(), z.iso.datetime({ offset: true })]),
          accountHint: z.string().max(64).optional(),
        }),
      )
      .min(1)
      .max(500),
  }),
  output: z.object({
    results: z.array(
      z.object({
        messageId: z.string(),
        state: z.enum([...MESSAGE_STATES, 'discarded']),
        orderCode: z.string().optional(),
      }),
    ),
  }),
});

const payToken = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);

export const payPage = endpoint({
  method: 'GET',
  path: '/v1.0/pay/:token',
  summary: "The payer's view of an order",
  access: 'public',
  payer: true,
  input: z.object({ token: payToken }),
  output: z.object({
    state: z.enum(['preparing', 'waiting', 'paid', 'timedOut', 'failed', 'reversed']),
    orderCode: z.string(),
    productId: z.int(),
    channel: z.string(),
    /** The merchant that the payer buys from. */
    merchantName: z.string(),
    subject: z.string().nullable(),
    amount: minor,
    currency,
    payParams: payParams.nullable(),
    /** Milliseconds until the expiry, by the server's clock. */
    remainingMs: z.int(),
    submittedUtr: z.string().nullable(),
    payTime: time.nullable(),
    returnUrl: z.string().nullable(),
    contactInfo: z.string(),
    /** Set where the account has its own QR picture, which payers see. Another picture has another version. */
    qrVersion: z.string().nullable(),
    /** The payer must state a name before the account is shown. */
    needsName: z.boolean(),
    /** A screenshot of the payment may be added. */
    takesPicture: z.boolean(),
    /** The demo's bank can pay this order (`payInDemo`). */
    demoBank: z.boolean(),
  }),
});

export const payInDemo = endpoint({
  method: 'POST',
  path: '/v1.0/pay/:token/demo',
  summary: "Demo only (else 404): the simulated bank pays the order, and tells its account's phone of it",
  access: 'public',
  payer: true,
  input: z.object({ token: payToken, how: z.enum(DEMO_PAYMENTS) }),
  output: z.object({}),
});

export const payPicture = endpoint({
  method: 'GET',
  path: '/v1.0/pay/:token/qr',
  summary: "The QR code of an order's account, as its owner uploaded it",
  access: 'public',
  payer: true,
  input: z.object({ token: payToken }),
  output: z.object({
    /** data: address. */
    picture: z.string(),
  }),
});

export const payerPaid = endpoint({
  method: 'POST',
  path: '/v1.0/pay/:token/paid',
  summary: "The payer says 'I have paid' and gives the UTR",
  access: 'public',
  payer: true,
  input: z.object({ token: payToken, utr }),
  output: z.object({ state: z.enum(['waiting', 'paid', 'timedOut']) }),
});

/** Screenshots an order may carry. */
export const MOST_PICTURES = 3;

export const payerPicture = endpoint({
  method: 'POST',
  path: '/v1.0/pay/:token/picture',
  summary:
    'The payer adds a screenshot of the payment, and its UTR, which is searched (AllowPictureQueryOrder)',
  access: 'public',
  payer: true,
  input: z.object({
    token: payToken,
    /** PNG or JPEG. */
    picture: pictureFile,
    utr: utr.optional(),
  }),
  output: z.object({ pictures: z.int() }),
});

export const payerName = endpoint({
  method: 'POST',
  path: '/v1.0/pay/:token/name',
  summary: 'The payer gives the name it is going to pay under, where the page asks for it',
  access: 'public',
  payer: true,
  input: z.object({ token: payToken, name: text(128) }),
  output: z.object({}),
});

export const payerStk = endpoint({
  method: 'POST',
  path: '/v1.0/pay/:token/stk',
  summary: "Ask the payer's phone to pay an M-Pesa order",
  access: 'public',
  payer: true,
  input: z.object({
    token: payToken,
    phone: z
      .string()
      .transform(kenyanPhone)
      .pipe(z.string().regex(/^254[17]\d{8}$/, '254 7…/1… + 8')),
  }),
  output: z.object({ state: z.literal('asked') }),
});
