import { afterAll, beforeAll, expect, test } from 'vitest';
import { sign } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { sql } from '../platform/db/database.ts';
import { makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { lastAllocation } from '../collection/allocation-runs.ts';
import { makeMerchant } from '../testing/world.ts';

let world: TestPlatform;
let app: FastifyInstance;
let shop: Shop;
let merchant: { mchId: string; secret: string; signType: 'md5' | 'hmac-sha256' };

beforeAll(async () => {
  world = await createTestPlatform();
  app = await world.app();
  shop = await makeShop(world.platform);
  const made = await makeMerchant(world.platform, { signType: 'md5' });
  merchant = { mchId: String(made.merchantId), secret: made.secret, signType: 'md5' };
});
afterAll(() => world.close());

let made = 0;
const order = (fields: Record<string, string | number> = {}) => ({
  mchId: merchant.mchId,
  productId: 1010,
  mchOrderNo: `T${(made += 1)}`,
  amount: 50_000,
  notifyUrl: 'http://127.0.0.1:9/notify',
  clientIp: '10.0.0.1',
  ...fields,
});

interface Answer {
  readonly data: Record<string, unknown>;
  readonly [field: string]: unknown;
}

async function call(path: string, fields: Record<string, string | number>, by = merchant): Promise<Answer> {
  const unsigned =
    by.signType === 'md5'
      ? fields
      : { ...fields, timestamp: String(world.clock.now().getTime()), nonce: randomUUID() };
  const text = Object.fromEntries(Object.entries(unsigned).map(([name, value]) => [name, String(value)]));
  const response = await app.inject({
    method: 'POST',
    url: path,
    payload: { ...unsigned, sign: sign(text, by.signType, by.secret) },
  });
  return Object.assign(response.json<Answer>(), { http: response.statusCode });
}

const create = (fields: Record<string, string | number>, by = merchant) =>
  call('/v1.0/api/order/create', fields, by);

test('an order answers with the envelope and the flat fields the family reads', async () => {
  const answer = await create(order());
  expect(answer).toMatchObject({
    http: 200,
    code: 200,
    retCode: 'SUCCESS',
    payOrderId: answer.data['orderCode'],
  });
  expect(answer['payUrl']).toBe(answer.data['payUrl']);
  expect(answer['payParams']).toMatchObject({
    payableAmount: 50_000,
    currency: 'INR',
    vpa: expect.stringContaining('@'),
  });
  expect((answer['payParams'] as { upiLink: string }).upiLink).toMatch(
    /^upi:\/\/pay\?pa=payee\d+@\w+&pn=Owner%20\d+&am=500\.00&cu=INR&tr=S\w{8}&tn=S\w{8}$/,
  );
});

test('the same request again answers the same, also without the version prefix; another amount is 1103', async () => {
  const request = order();
  const first = await create(request);
  expect(await create(request)).toEqual(first);
  expect(await call('/api/order/create', request)).toEqual(first);
  expect(await create({ ...request, amount: 50_001 })).toMatchObject({
    http: 200,
    code: 1103,
    retCode: 'FAIL',
  });
});

test('60 creates at once, some of them twice, make each order once', async () => {
  const requests = Array.from({ length: 30 }, () => order({ amount: 61_000 }));
  const answers = await Promise.all([...requests, ...requests].map((request) => create(request)));
  expect(answers.every((answer) => answer['code'] === 200)).toBe(true);
  expect(new Set(answers.map((answer) => answer['payOrderId'])).size).toBe(30);
  const payables = answers
    .slice(0, 30)
    .map((answer) => (answer['payParams'] as { payableAmount: number }).payableAmount);
  expect(new Set(payables).size).toBe(30);
});

test('limits, products and suspended service have codes of their own', async () => {
  expect(await create(order({ amount: 99 }))).toMatchObject({
    code: 1104,
    retMsg: expect.stringContaining('1.00'),
  });
  expect(await create(order({ productId: 1030 }))).toMatchObject({ code: 1106 });
  await world.platform.settings.write('enableService', false, null);
  expect(await create(order())).toMatchObject({ code: 1101 });
  await world.platform.settings.write('enableService', true, null);
});

test('an order no account can take is kept, explained and answered 1105, again and again', async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  const request = order();
  const answer = await create(request);
  expect(answer).toMatchObject({ code: 1105, retCode: 'FAIL', payOrderId: expect.any(String) });
  expect(await create(request)).toEqual(answer);
  const allocation = await lastAllocation(world.platform.db, BigInt(String(answer['payOrderId'])));
  expect(allocation!.candidates[0]).toMatchObject({ verdict: 'disabled' });
  await world.platform.db.query(sql`update resources set state = 0`);
});

test('a query answers by either number; another merchant finds nothing', async () => {
  const request = order();
  const { payOrderId } = await create(request);
  const query = (fields: Record<string, string | number>, by = merchant) =>
    call('/v1.0/api/order/query', { mchId: by.mchId, ...fields }, by);
  expect((await query({ mchOrderNo: request.mchOrderNo })).data).toMatchObject({
    orderCode: payOrderId,
    status: 0,
    amount: 50_000,
  });
  expect((await query({ orderCode: String(payOrderId) })).data).toMatchObject({
    mchOrderNo: request.mchOrderNo,
  });
  const [row] = await world.platform.db.query<{ secret: Buffer }>(
    sql`select secret from merchants where id = ${shop.merchantId}`,
  );
  const other = {
    mchId: String(shop.merchantId),
    secret: world.platform.vault.open(row!.secret, ['merchants.secret', shop.merchantId]),
    signType: 'hmac-sha256' as const,
  };
  expect(await query({ orderCode: String(payOrderId) }, other)).toMatchObject({
    http: 200,
    code: 404,
    retCode: 'FAIL',
  });
});

test('a screenshot call without its file is refused', async () => {
  const request = order();
  await create(request);
  const { mchId, mchOrderNo } = request;
  const answer = await call('/v1.0/api/order/uploadPicture', { mchId, mchOrderNo });
  expect(answer).toMatchObject({ http: 200, code: 400, msg: expect.stringContaining('file') });
});

test('the payer sees what to pay by the token of the payUrl, and nobody sees anything by another', async () => {
  const { payUrl, payOrderId } = await create(order({ subject: 'Shoes' }));
  const token = String(payUrl).split('/').at(-1)!;
  const page = await app.inject({ url: `/v1.0/pay/${token}` });
  expect(page.json()).toMatchObject({
    data: { state: 'waiting', orderCode: payOrderId, subject: 'Shoes', remainingMs: 900_000 },
  });
  const forged = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
  expect((await app.inject({ url: `/v1.0/pay/${forged}` })).json()).toMatchObject({ code: 404 });
});
