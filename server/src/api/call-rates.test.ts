import { heartbeat, payPage, queryOrder } from '@sangam/contract/endpoints/outside.ts';
import { login } from '@sangam/contract/endpoints/user.ts';
import { sign, signMonitorCall } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { createTestMerchant, createTestUser, PASSWORD } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMonitor, makeSupplier } from '../testing/world.ts';

/** Floods of calls from outside, on each kind of route. */

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

interface Call {
  readonly method?: 'GET' | 'POST';
  readonly url: string;
  readonly ip: string;
  readonly payload?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}
const call = ({ method = 'GET', url, ip, payload, headers }: Call) =>
  app.inject({
    method,
    url,
    headers: { 'x-forwarded-for': ip, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
/** The first 429 among at most `most` calls. */
async function flood(most: number, one: Call) {
  for (let sent = 0; sent < most; sent += 1) {
    const answer = await call(one);
    if (answer.statusCode === 429) return { answer, sent };
  }
  throw new Error(`${most} calls passed`);
}
const signIn = (ip: string, userName: string, password = PASSWORD): Call => ({
  method: 'POST',
  url: login.path,
  ip,
  payload: { userName, password },
});
const payUrl = payPage.path.replace(':token', 'x'.repeat(32));

test.each([
  ['sign-in', 61, { method: 'POST' as const, url: login.path, payload: { userName: 'x', password: '' } }],
  ['the payer’s page', 1_001, { url: '/pay/sometoken0000000' }],
  ['the payer’s calls', 1_001, { url: payUrl }],
  ['health', 121, { url: '/healthz' }],
  ['webhooks', 3_001, { method: 'POST' as const, url: '/v1.0/c2b/1/abcdef/confirmation', payload: {} }],
])('a flood at %s is answered 429 and when to come again; others are served', async (_door, most, one) => {
  const { answer } = await flood(most, { ...one, ip: '203.0.113.1' });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect((await call({ ...one, ip: '203.0.113.2' })).statusCode).not.toBe(429);
  // Calls from this machine, such as a health probe, are not counted.
  expect((await app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
  node.clock.advance(MINUTE);
  expect((await call({ ...one, ip: '203.0.113.1' })).statusCode).not.toBe(429);
});

test.each([
  ['en', 'Too many requests; try again shortly'],
  ['zh-CN', '请求过于频繁，请稍后再试'],
  ['zh-TW', '請求過於頻繁，請稍後再試'],
])('the refusal is said in %s', async (language, text) => {
  const one = { url: payUrl, ip: '203.0.113.9', headers: { 'accept-language': language } };
  const { answer } = await flood(1_001, one);
  expect(answer.json()).toMatchObject({ code: 429, msg: text });
});

test('hosts of one IPv6 network are one source', async () => {
  const at = (n: number) => signIn(`2001:db8::${n.toString(16)}`, 'nobody', '');
  let last = 0;
  for (let n = 1; n <= 61; n += 1) last = (await call(at(n))).statusCode;
  expect(last).toBe(429);
});

test(
  'who floods sign-in, or guesses from a hundred addresses, keeps its owner out from nowhere that it signs in from',
  { timeout: 90_000 },
  async () => {
    const boss = await createTestUser(node.platform, 'superAdmin', { enableGoogleVerify: false });
    const home = '198.51.100.1';
    expect((await call(signIn(home, boss.account))).statusCode).toBe(200);
    await flood(61, signIn('203.0.113.1', boss.account, 'wrong'));
    expect((await call(signIn(home, boss.account))).statusCode).toBe(200);

    for (let n = 0; n < 100; n += 1) await call(signIn(`192.0.2.${n}`, boss.account, 'wrong'));
    const guessed = await call(signIn('192.0.2.200', boss.account));
    expect(guessed.json()).toMatchObject({ code: 1005 });
    expect((await call(signIn(home, boss.account))).statusCode).toBe(200);
    node.clock.advance(16 * MINUTE);
    expect((await call(signIn('192.0.2.200', boss.account))).statusCode).toBe(200);
    // An account that does not exist gets the same answer.
    for (let n = 0; n < 100; n += 1) await call(signIn(`192.0.2.${n}`, 'nosuch', 'wrong'));
    expect((await call(signIn('192.0.2.200', 'nosuch'))).json()).toMatchObject({ code: 1005 });
  },
);

test('a stranger who knows a phone’s id cannot block the phone, though both share an address', async () => {
  const { supplierId } = await makeSupplier(node.platform);
  const { monitorId, secret } = await makeMonitor(node.platform, { supplierId });
  const other = await makeMonitor(node.platform, { supplierId });
  const ip = '203.0.113.77';
  let sequence = 0;
  const beat = (key: string, id = monitorId) => {
    sequence += 1;
    const payload = JSON.stringify({ scriptVersion: '1' });
    const timestamp = String(node.clock.now().getTime());
    return call({
      method: 'POST',
      url: heartbeat.path,
      ip,
      payload,
      headers: {
        'content-type': 'application/json',
        'x-monitor-id': String(id),
        'x-monitor-timestamp': timestamp,
        'x-monitor-sequence': String(sequence),
        'x-monitor-signature': signMonitorCall(key, timestamp, String(sequence), Buffer.from(payload)),
      },
    });
  };
  expect((await beat(secret)).statusCode).toBe(200);
  for (let n = 0; n < 200; n += 1) await beat('guessed');
  expect((await beat(secret)).statusCode).toBe(200);
  // A monitor that has never signed from this address must wait: its wrong signatures look like a stranger's.
  const refused = await beat(other.secret, other.monitorId);
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  node.clock.advance(MINUTE);
  expect((await beat(other.secret, other.monitorId)).statusCode).toBe(200);
});

test('after too many wrong monitor signatures the answer is 429, also for a phone that signs from that address', async () => {
  const { supplierId } = await makeSupplier(node.platform);
  const { monitorId, secret } = await makeMonitor(node.platform, { supplierId });
  const payload = JSON.stringify({ scriptVersion: '1' });
  const timestamp = String(node.clock.now().getTime());
  const beat = (ip: string, key: string, sequence: string): Call => ({
    method: 'POST',
    url: heartbeat.path,
    ip,
    payload,
    headers: {
      'content-type': 'application/json',
      'x-monitor-id': String(monitorId),
      'x-monitor-timestamp': timestamp,
      'x-monitor-sequence': sequence,
      'x-monitor-signature': signMonitorCall(key, timestamp, sequence, payload),
    },
  });
  expect((await call(beat('203.0.113.78', secret, '1'))).statusCode).toBe(200);
  const { answer, sent } = await flood(2_001, beat('203.0.113.78', 'guessed', '2'));
  // The limit of wrong signatures is far lower, and it holds back only strangers.
  expect(sent).toBe(1_999);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect((await call(beat('203.0.113.79', secret, '3'))).statusCode).toBe(200);
});

test('a flood of wrong signatures of a merchant is answered 429 unread; no other address and no other merchant waits', async () => {
  const [merchant, other] = [
    await createTestMerchant(node.platform),
    await createTestMerchant(node.platform),
  ];
  const query = async (ip: string, { id }: typeof merchant, secret: string) => {
    const timestamp = String(node.clock.now().getTime());
    const fields = { mchId: String(id), mchOrderNo: 'X', timestamp, nonce: randomUUID() };
    const payload = { ...fields, sign: sign(fields, 'hmac-sha256', secret) };
    const answer = await call({ method: 'POST', url: queryOrder.path, ip, payload });
    return {
      status: answer.statusCode,
      ...answer.json<{ code: number; retCode: string; data?: object }>(),
      answer,
    };
  };
  const [home, abroad] = ['203.0.113.90', '203.0.113.91'];
  for (let n = 0; n < 60; n += 1) expect((await query(abroad, merchant, 'guessed')).code).toBe(1102);
  const refused = await query(abroad, merchant, 'guessed');
  expect(refused).toMatchObject({ status: 200, code: 429, retCode: 'FAIL' });
  expect(refused.data).not.toHaveProperty('signed');
  expect(Number(refused.answer.headers['retry-after'])).toBeGreaterThan(0);
  // Not signed right from there yet, so it is a stranger there.
  expect((await query(abroad, merchant, merchant.secret)).code).toBe(429);
  expect((await query(abroad, other, other.secret)).code).toBe(404);
  expect((await query(home, merchant, merchant.secret)).code).toBe(404);
  // Once it has signed there, strangers at its own address do not keep it out.
  for (let n = 0; n < 100; n += 1) await query(home, merchant, 'guessed');
  expect((await query(home, merchant, merchant.secret)).code).toBe(404);
  node.clock.advance(MINUTE);
  expect((await query(abroad, merchant, merchant.secret)).code).toBe(404);
});

test('signed calls of a monitor are limited to its own rate', async () => {
  const { supplierId } = await makeSupplier(node.platform);
  const { monitorId, secret } = await makeMonitor(node.platform, { supplierId });
  const statuses = new Set<number>();
  for (let n = 1; n <= 601; n += 1) {
    const payload = JSON.stringify({ scriptVersion: '1' });
    const timestamp = String(node.clock.now().getTime());
    const signature = signMonitorCall(secret, timestamp, String(n), Buffer.from(payload));
    const headers = {
      'x-monitor-id': String(monitorId),
      'x-monitor-timestamp': timestamp,
      'x-monitor-sequence': String(n),
      'x-monitor-signature': signature,
    };
    statuses.add(
      (await call({ method: 'POST', url: heartbeat.path, ip: '203.0.113.80', payload, headers })).statusCode,
    );
  }
  expect(statuses).toContain(429);
});
