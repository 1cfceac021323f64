import * as outside from '@sangam/contract/endpoints/outside.ts';
import { sign, signingString } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { sweepNonces } from '../parties/merchants/signed-merchant.ts';
import { refuse } from '../platform/refusal.ts';
import { createTestMerchant } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { merchantRoute } from '../http/route.ts';

const SECRET = 'abcDEF0123456789';
const HMAC_SECRET = 'FEDCBA9876543210FEDCBA9876543210';
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type',
};
const payParams = {
  payableAmount: 10_001,
  currency: 'INR' as const,
  identifyCode: 'K7',
  expireTime: '2026-11-16 12:15:00',
};

let node: TestPlatform;
let app: FastifyInstance;
let hmacId: string;
let received: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  node = await createTestPlatform();
  await createTestMerchant(node.platform, { id: 81n, signType: 'md5', secret: SECRET });
  hmacId = String((await createTestMerchant(node.platform, { secret: HMAC_SECRET })).id);
  app = await node.app([
    merchantRoute(outside.createOrder, async (_platform, merchant, input) => {
      received = merchant.fields;
      if (input.productId === '9') return refuse('productNotEnabled');
      if (input.productId === '8') throw new Error('boom');
      return { orderCode: '77', payUrl: 'http://127.0.0.1/pay/x', payParams, internal: 'not for merchants' };
    }),
    merchantRoute(outside.createBatch, async () => refuse('notFound')),
    merchantRoute(outside.queryOrder, async () => refuse('notFound')),
  ]);
});
afterAll(() => node.close());

const order = {
  amount: '10000',
  body: 'order',
  clientIp: '0.0.0.0',
  mchId: '81',
  mchOrderNo: 'T0001',
  notifyUrl: 'http://127.0.0.1/notify',
  productId: '3021',
  returnUrl: 'http://127.0.0.1/return',
  subject: 'order',
};

async function send(payload: string, type = 'application/json', url = '/v1.0/api/order/create') {
  const headers = { 'content-type': type, 'accept-language': 'en' };
  const response = await app.inject({ method: 'POST', url, payload, headers });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

const signed = (
  fields: Record<string, string>,
  type: 'md5' | 'hmac-sha256' = 'md5',
  secret = SECRET,
): Record<string, string> => ({
  ...fields,
  sign: sign(fields, type, secret),
});
const hmac = (fields: Record<string, string>) =>
  send(JSON.stringify(signed({ ...order, mchId: hmacId, ...fields }, 'hmac-sha256', HMAC_SECRET)));
const now = () => String(node.clock.now().getTime());

test('the vectors of the specification', async () => {
  const create = await send(JSON.stringify({ ...order, sign: '57BC7717163C777F4CBACF7774763323' }));
  expect(create).toEqual({
    status: 200,
    body: {
      code: 200,
      msg: 'Success',
      data: { orderCode: '77', payUrl: 'http://127.0.0.1/pay/x', payParams },
      retCode: 'SUCCESS',
      retMsg: 'Success',
      payOrderId: '77',
      payUrl: 'http://127.0.0.1/pay/x',
      payParams,
    },
  });
  const query = { mchId: '81', mchOrderNo: 'T0001', sign: '31EA941AFB9DD60618E7ECBFF8D8704D' };
  expect((await send(JSON.stringify(query), undefined, '/v1.0/api/order/query')).body).toMatchObject({
    code: 404,
  });
});

test('CORS lets only the console’s origin read the answers of create calls, without cookies', async () => {
  const home = node.platform.config.consoleOrigin!;
  const ask = (method: 'OPTIONS' | 'POST', url: string, origin: string) =>
    app.inject({
      method,
      url,
      headers: {
        origin,
        ...(method === 'POST' ? { 'content-type': 'application/json' } : PREFLIGHT),
      },
      ...(method === 'POST' ? { payload: JSON.stringify(signed(order)) } : {}),
    });
  for (const url of [outside.createOrder.path, outside.createBatch.path]) {
    const entered = await ask('OPTIONS', url, home);
    expect([entered.statusCode, entered.headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': home,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
      },
    ]);
    expect(entered.headers['access-control-allow-credentials']).toBeUndefined();
    for (const origin of [`${home}.evil.example`, 'https://pay.example.com', 'null']) {
      const foreign = await ask('OPTIONS', url, origin);
      expect([foreign.statusCode, foreign.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
  }
  const made = await ask('POST', outside.createOrder.path, home);
  expect([made.json<{ code: number }>().code, made.headers['access-control-allow-origin']]).toEqual([
    200,
    home,
  ]);
  expect(made.headers['vary']).toBe('origin');
  const foreign = await ask('POST', outside.createOrder.path, 'https://evil.example');
  expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  for (const url of [outside.queryOrder.path, '/v1.0/user/login']) {
    const other = await ask('OPTIONS', url, home);
    expect([other.statusCode, other.headers['access-control-allow-origin']]).toEqual([404, undefined]);
  }
});

test('the same path without the version, a form body, a signature in lower case', async () => {
  const sign = '57bc7717163c777f4cbacf7774763323';
  const form = new URLSearchParams({ ...order, sign }).toString();
  const answer = await send(form, 'application/x-www-form-urlencoded', '/api/order/create');
  expect(answer.body).toMatchObject({ code: 200, retCode: 'SUCCESS' });
});

// 400 means that the signature is right and the amount is invalid.
test.each([
  ['10000', '10000', 200],
  ['"10000"', '10000', 200],
  ['10000.0', '10000.0', 400],
  ['1e4', '1e4', 400],
  ['9007199254740993', '9007199254740993', 400],
  ['true', 'true', 400],
  ['0', '0', 400],
  ['false', 'false', 400],
  ['null', '', 400],
  ['""', '', 400],
])('an amount sent as %s is signed as %s', async (json, text, code) => {
  const digest = sign({ ...order, amount: text, extra: '0' }, 'md5', SECRET);
  const rest = JSON.stringify({ ...order, amount: undefined, extra: 0, sign: digest });
  const { body } = await send(`{"amount": ${json}, ${rest.slice(1)}`);
  expect(body).toMatchObject({ code });
  if (code === 200) expect(received).toMatchObject({ amount: text, extra: '0' });
});

test('half a surrogate pair is replaced before the signature check, and the order is found again by it', async () => {
  const { body } = await send(JSON.stringify(signed({ ...order, mchOrderNo: '1\ud800' })));
  expect([body['code'], received['mchOrderNo']]).toEqual([200, '1\uFFFD']);
});

test('a wrong signature shows the string the server signed, the secret masked', async () => {
  const { status, body } = await send(JSON.stringify({ ...order, amount: 10000.5, sign: 'ABC' }));
  expect(status).toBe(200);
  expect(body).toMatchObject({ code: 1102, retCode: 'FAIL', retMsg: 'Signature wrong' });
  expect((body['data'] as { signed: string }).signed).toBe(
    `${signingString({ ...order, amount: '10000.5' })}&secretKey=***`,
  );
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

test('an unknown or disabled merchant answers as one whose secret is wrong', async () => {
  const disabled = await createTestMerchant(node.platform, { signType: 'md5', secret: SECRET });
  await node.platform.db.query(sql`update merchants set enabled = false where id = ${disabled.id}`);
  const bodies = [];
  for (const mchId of ['81', String(disabled.id), '99999', '99998', '99997', 'abc', '']) {
    const { status, body } = await send(JSON.stringify({ ...order, mchId, sign: 'ABC' }));
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 1102, data: { signed: expect.any(String) } });
    bodies.push({ ...body, data: Object.keys(body['data'] as object) });
  }
  for (const body of bodies) expect(body).toEqual(bodies[0]);
  const right = await send(JSON.stringify(signed({ ...order, mchId: String(disabled.id) })));
  expect(right.body).toMatchObject({ code: 1102 });
});

test('hmac-sha256 needs a timestamp within 5 minutes and an unused nonce', async () => {
  const reason = async (fields: Record<string, string>) => {
    const { body } = await hmac(fields);
    return [body['code'], (body['data'] as { reason?: string }).reason];
  };
  const at = (offset: number) => String(node.clock.now().getTime() + offset);
  expect(await reason({ nonce: 'a' })).toEqual([1102, 'timestamp is missing or not in milliseconds']);
  expect(await reason({ timestamp: 'soon', nonce: 'a' })).toEqual([
    1102,
    'timestamp is missing or not in milliseconds',
  ]);
  expect((await reason({ timestamp: at(-5 * MINUTE - 1), nonce: 'a' }))[1]).toContain('5 minutes off');
  expect((await reason({ timestamp: at(5 * MINUTE + 1), nonce: 'a' }))[1]).toContain('5 minutes off');
  expect(await reason({ timestamp: now() })).toEqual([1102, 'nonce is missing or longer than 64 characters']);
  expect((await reason({ timestamp: now(), nonce: 'x'.repeat(65) }))[0]).toBe(1102);

  expect((await hmac({ timestamp: at(5 * MINUTE), nonce: 'a' })).body).toMatchObject({ code: 200 });
  expect(await reason({ timestamp: now(), nonce: 'a' })).toEqual([1102, 'nonce was used within 10 minutes']);
  node.clock.advance(10 * MINUTE - 1);
  expect((await reason({ timestamp: now(), nonce: 'a' }))[0]).toBe(1102);
  node.clock.advance(1);
  expect((await hmac({ timestamp: now(), nonce: 'a' })).body).toMatchObject({ code: 200 });
});

test('a stranger cannot use up a nonce', async () => {
  const fields = { ...order, mchId: hmacId, timestamp: now(), nonce: 'mine' };
  expect((await send(JSON.stringify({ ...fields, sign: 'wrong' }))).body).toMatchObject({ code: 1102 });
  expect((await hmac({ timestamp: now(), nonce: 'mine' })).body).toMatchObject({ code: 200 });
});

test('one nonce sent many times at once counts once', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => hmac({ timestamp: now(), nonce: 'burst' })));
  expect(all.filter(({ body }) => body['code'] === 200)).toHaveLength(1);
});

test('the sweep forgets expired nonces only', async () => {
  await hmac({ timestamp: now(), nonce: 'old' });
  node.clock.advance(10 * MINUTE);
  await hmac({ timestamp: now(), nonce: 'new' });
  await sweepNonces(node.platform);
  const rows = await node.platform.db.query<{ nonce: string }>(sql`select nonce from merchant_nonces`);
  expect(rows).toEqual([{ nonce: 'new' }]);
});

test('business refusals and wrong fields are HTTP 200, with flat fields', async () => {
  const refused = await send(JSON.stringify(signed({ ...order, productId: '9' })));
  expect(refused).toMatchObject({
    status: 200,
    body: { code: 1106, retCode: 'FAIL', retMsg: 'Product not enabled' },
  });
  const wrong = await send(JSON.stringify(signed({ ...order, amount: '10.5', notifyUrl: 'ftp://x' })));
  expect(wrong).toMatchObject({ status: 200, body: { code: 400, retCode: 'FAIL' } });
  const { fields } = wrong.body['data'] as { fields: { path: string }[] };
  expect(fields.map(({ path }) => path)).toEqual(['amount', 'notifyUrl']);
});

test('a body that is no flat object is 400, an outage 500: both with flat fields and no stack', async () => {
  for (const payload of [
    '{',
    '[]',
    '7',
    '"x"',
    'null',
    '{"a":{"b":1}}',
    '{"a":[1]}',
    '{"__proto__":"x"}',
    '{"a":"\\u0000"}',
    '{"a":"1","a":"2"}',
  ]) {
    expect(await send(payload)).toMatchObject({ status: 400, body: { code: 400, retCode: 'FAIL' } });
  }
  expect(await send('a=1&a=2', 'application/x-www-form-urlencoded')).toMatchObject({ status: 400 });
  expect(await send('<a/>', 'application/xml')).toMatchObject({ status: 415, body: { retCode: 'FAIL' } });
  const tooLarge = JSON.stringify({ ...order, body: 'x'.repeat(64 * 1024) });
  expect(await send(tooLarge)).toMatchObject({ status: 413, body: { code: 400, retCode: 'FAIL' } });
  const failed = await send(JSON.stringify(signed({ ...order, productId: '8' })));
  expect(failed).toMatchObject({ status: 500, body: { code: 500, retCode: 'FAIL' } });
  expect(JSON.stringify(failed.body)).not.toContain('boom');
});

test('with the service off, create calls are refused and queries are answered', async () => {
  await node.platform.settings.write('enableService', false, null);
  expect((await send(JSON.stringify(signed(order)))).body).toMatchObject({ code: 1101, retCode: 'FAIL' });
  const query = JSON.stringify(signed({ mchId: '81', mchOrderNo: 'T0001' }));
  expect((await send(query, undefined, '/v1.0/api/order/query')).body).toMatchObject({ code: 404 });
  await node.platform.settings.write('enableService', true, null);
});

test('an hmac-sha256-v2 signature is valid for its own call only, with or without the version in the path', async () => {
  const secret = 'S3';
  const mchId = String((await createTestMerchant(node.platform, { signType: 'hmac-sha256-v2', secret })).id);
  const fields = () => ({
    ...order,
    mchId,
    timestamp: String(node.clock.now().getTime()),
    nonce: randomUUID(),
  });
  const sent = async (path: string, signedFor: string) => {
    const all = fields();
    const payload = { ...all, sign: sign(all, 'hmac-sha256-v2', secret, signedFor) };
    const response = await app.inject({ method: 'POST', url: path, payload });
    return response.json<{ code: number; data?: { signed: string } }>();
  };
  const line = 'POST /v1.0/api/order/create';
  expect((await sent(outside.createOrder.path, line)).code).not.toBe(1102);
  expect((await sent('/api/order/create', line)).code).not.toBe(1102);
  const crossed = await sent(outside.queryOrder.path, line);
  expect(crossed).toMatchObject({
    code: 1102,
    data: { signed: expect.stringMatching(/^POST \/v1\.0\/api\/order\/query\namount=/) },
  });
  expect((await sent(outside.createOrder.path, 'NOTIFY')).code).toBe(1102);
  const first = fields();
  const old = { ...first, sign: sign(first, 'hmac-sha256', secret) };
  expect(
    (await app.inject({ method: 'POST', url: outside.createOrder.path, payload: old })).json(),
  ).toMatchObject({
    code: 1102,
  });
});

test('an MD5 signature cancels only where the merchant has opted in', async () => {
  const { id } = await createTestMerchant(node.platform, { signType: 'md5', secret: SECRET });
  const fields = { mchId: String(id), mchOrderNo: 'none' };
  const whole = await node.app();
  const cancel = async () => {
    const payload = { ...fields, sign: sign(fields, 'md5', SECRET) };
    const headers = { 'accept-language': 'en' };
    return (
      await whole.inject({ method: 'POST', url: outside.cancelOrder.path, payload, headers })
    ).json<object>();
  };
  expect(await cancel()).toMatchObject({ code: 403, msg: expect.stringContaining('MD5') });
  await node.platform.db.query(sql`update merchants set cancel_by_md5 = true where id = ${id}`);
  expect(await cancel()).toMatchObject({ code: 404 });
});
