import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { CODES } from '@sangam/contract/codes.ts';
import type { Envelope } from '@sangam/contract/endpoint.ts';
import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign } from '@sangam/contract/signature.ts';
import type { OutputOf } from './call-types.ts';
import { demo, type DemoMerchant, serverUrl } from './demo.ts';
import { beatAll } from './monitor.ts';

/** The answer for a collection order, with payUrl and payParams. */
type Answer = {
  readonly [Field in keyof OutputOf<typeof createOrder>]-?: NonNullable<OutputOf<typeof createOrder>[Field]>;
};

export type CreatedOrder = Answer & {
  readonly mchOrderNo: string;
  /** The amount that the merchant asked for, in minor units. */
  readonly amount: number;
};

export interface OrderWish {
  /** One of the demo's merchants, or one that a test has created. */
  readonly merchant?: string | DemoMerchant;
  readonly productId?: number;
  readonly amount?: number;
  readonly notifyUrl?: string;
  readonly subject?: string;
  /** Further fields that the product needs, such as the payee of a payout. */
  readonly more?: Readonly<Record<string, string>>;
}

let made = 0;

/** Creates a payout to a bank account; returns the order code. */
export async function createPayoutAs(): Promise<string> {
  const { orderCode } = await createOrderAs({
    productId: 2001,
    more: {
      userName: 'Asha Rao',
      cardNumber: '50100123456789',
      ifscCode: 'HDFC0000521',
      bankName: 'HDFC Bank',
    },
  });
  return orderCode;
}

/** Creates a payout to a UPI address; returns the order code. */
export async function createUpiPayoutAs(): Promise<string> {
  const { orderCode } = await createOrderAs({
    productId: 2012,
    more: { userName: 'Asha Rao', vpa: 'asha.rao@okaxis' },
  });
  return orderCode;
}

/** The merchant's server creates an order with a signed API call. */
export async function createOrderAs(wish: OrderWish = {}): Promise<CreatedOrder> {
  await beatAll();
  made += 1;
  const { merchant: wished = 'merchant1', productId = 1010, subject = 'Order of a test' } = wish;
  const amount = wish.amount ?? 400_00 + made * 100;
  const merchant =
    typeof wished === 'string' ? demo().merchants.find(({ account }) => account === wished)! : wished;
  const mchOrderNo = `E2E${Date.now()}${made}`;
  const fields = {
    mchId: merchant.mchId,
    productId: String(productId),
    mchOrderNo,
    amount: String(amount),
    // Nobody listens there. A test that needs the callback has its own endpoint.
    notifyUrl: wish.notifyUrl ?? 'http://127.0.0.1:9/notify',
    subject,
    clientIp: '103.21.58.14',
    // HMAC signatures need the time and a nonce that was never used (docs/domain.md#signature).
    timestamp: String(Date.now()),
    nonce: randomUUID(),
    ...wish.more,
  };
  const response = await fetch(`${serverUrl}${createOrder.path}`, {
    method: createOrder.method,
    headers: { 'content-type': 'application/json', 'accept-language': 'en-US' },
    body: JSON.stringify({
      ...fields,
      sign: sign(fields, merchant.signType, merchant.secret, callLine(createOrder)),
    }),
  });
  const answer = (await response.json()) as Envelope<Answer>;
  if (answer.code !== CODES.ok.code || !answer.data)
    throw new Error(`order refused: ${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`);
  return { ...answer.data, mchOrderNo, amount };
}

export interface MerchantEndpoint {
  readonly url: string;
  readonly received: string[];
  close(): Promise<void>;
}

/** The merchant's callback address: accepts everything and answers `success`. */
export async function openMerchantEndpoint(): Promise<MerchantEndpoint> {
  const received: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      received.push(body);
      response.end('success');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
