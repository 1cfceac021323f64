import { queryMerchantBalance, createBatch, createOrder } from '@sangam/contract/endpoints/outside.ts';
import { getLimits, updateLimits } from '@sangam/contract/endpoints/merchant.ts';
import { getInfo, login } from '@sangam/contract/endpoints/user.ts';
import { sign } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { ask } from '../../testing/ask.ts';
import { post } from '../../testing/call.ts';
import { PASSWORD } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../../testing/world.ts';
import { addressMatcher } from '../../platform/net/addresses.ts';
import { merchantLimits } from './limits.ts';

const PAYOUT_PRODUCT = '2001';

let world: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  world = await createTestPlatform();
  app = await world.app();
});
afterAll(() => world.close());

interface TestMerchant {
  readonly merchantId: bigint;
  readonly secret: string;
}

async function limit(merchant: TestMerchant, limits: object, node: Platform = world.platform) {
  const admin = viewerOf(node, { role: 'admin', userId: (await makeUser(node, { role: 'admin' })).id });
  return ask(node, admin, updateLimits, { id: String(merchant.merchantId), ...limits });
}

/** A signed call of the merchant from this address, as a proxy on this machine passes it on. */
async function callFrom(
  merchant: TestMerchant,
  ip: string,
  fields: Record<string, string> = {},
  path: string = queryMerchantBalance.path,
) {
  const all = { mchId: String(merchant.merchantId), ...fields };
  const signed = { ...all, sign: sign(all, 'md5', merchant.secret) };
  const { status, code, body, retryAfter } = await post(app, path, signed, { 'x-forwarded-for': ip });
  return { status, code, retCode: body['retCode'], retryAfter };
}

const create = (merchant: TestMerchant, ip: string, productId: string) =>
  callFrom(
    merchant,
    ip,
    { productId, mchOrderNo: `L${Math.random()}`, amount: '10000', notifyUrl: 'http://127.0.0.1:9/' },
    createOrder.path,
  );

test('above its rate a merchant gets 429 in a business answer, and is served again a little later', async () => {
  const merchant = await makeMerchant(world.platform, { signType: 'md5' });
  await limit(merchant, { callsPerSecond: 3 });
  const codes = async (calls: number) => {
    const made = [];
    for (let n = 0; n < calls; n += 1) made.push((await callFrom(merchant, '10.0.0.1')).code);
    return made;
  };
  expect(await codes(4)).toEqual([200, 200, 200, 429]);
  expect(await callFrom(merchant, '10.0.0.1')).toEqual({
    status: 200,
    code: 429,
    retCode: 'FAIL',
    retryAfter: '1',
  });
  world.clock.advance(SECOND / 2);
  expect(await codes(2)).toEqual([200, 429]);
  // However long the merchant was quiet, at most one second's worth of calls is saved up.
  world.clock.advance(60 * SECOND);
  expect(await codes(4)).toEqual([200, 200, 200, 429]);
  await limit(merchant, { callsPerSecond: null });
  expect(await codes(4)).toEqual([200, 200, 200, 200]);
});

test('a wrong signature uses up nobody’s rate', async () => {
  const merchant = await makeMerchant(world.platform, { signType: 'md5' });
  await limit(merchant, { callsPerSecond: 1 });
  for (let n = 0; n < 5; n += 1)
    expect((await callFrom({ ...merchant, secret: 'GUESSED' }, '10.0.0.1')).code).toBe(1102);
  expect((await callFrom(merchant, '10.0.0.1')).code).toBe(200);
});

test('nodes that answer calls share the rate; workers and nodes that are gone have no part in it', async () => {
  const merchant = await makeMerchant(world.platform, { signType: 'md5' });
  await limit(merchant, { callsPerSecond: 6 });
  const slot = (number: number, takesCalls: boolean, leased: string) =>
    world.platform.db.query(sql`
      insert into node_slots (slot, token, takes_calls, leased_until)
      values (${number}, gen_random_uuid(), ${takesCalls}, now() + ${leased}::interval)`);
  await slot(1, true, '1 minute');
  await slot(2, true, '1 minute');
  await slot(3, false, '1 minute');
  await slot(4, true, '-1 minute');
  const another = merchantLimits(world.anotherNode());
  const call = { merchantId: merchant.merchantId, about: 'any', ip: '10.0.0.1', signType: 'md5' } as const;
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push((await another.callProblem(call))?.code);
  expect(answers).toEqual([undefined, undefined, undefined, 'tooMany']);
  await world.platform.db.query(sql`delete from node_slots`);
});

test('pay-in and payout have their own address lists; a call about neither may come from both', async () => {
  const merchant = await makeMerchant(world.platform, { signType: 'md5' });
  await limit(merchant, { payInIps: ['203.0.113.0/24'], payoutIps: ['2001:db8::/32', '198.51.100.7'] });
  const [payIn, payout, neither] = ['203.0.113.9', '2001:db8:1::5', '192.0.2.1'];
  expect((await create(merchant, payout, '1010')).code).toBe(1107);
  expect((await create(merchant, payIn, '1010')).code).not.toBe(1107);
  expect((await create(merchant, payIn, PAYOUT_PRODUCT)).code).toBe(1107);
  expect((await create(merchant, payout, PAYOUT_PRODUCT)).code).not.toBe(1107);
  expect((await create(merchant, '198.51.100.7', PAYOUT_PRODUCT)).code).not.toBe(1107);
  expect((await callFrom(merchant, payIn)).code).toBe(200);
  expect((await callFrom(merchant, payout)).code).toBe(200);
  expect(await callFrom(merchant, neither)).toMatchObject({ status: 200, code: 1107 });
});

test('payouts by the API need a list of addresses or HMAC signatures', async () => {
  const merchant = await makeMerchant(world.platform, { signType: 'md5' });
  await limit(merchant, { payoutIps: ['127.0.0.1'] });
  expect((await create(merchant, '127.0.0.1', PAYOUT_PRODUCT)).code).not.toBe(1107);
  const batch = async () => (await callFrom(merchant, '127.0.0.1', { key: 'k' }, createBatch.path)).code;
  expect(await batch()).not.toBe(1107);
  await limit(merchant, { payoutIps: [] });
  expect((await create(merchant, '127.0.0.1', PAYOUT_PRODUCT)).code).toBe(1107);
  // A batch file names no product.
  expect(await batch()).toBe(1107);
  expect((await create(merchant, '127.0.0.1', '1010')).code).not.toBe(1107);
  await world.platform.db.query(
    sql`update merchants set sign_type = 'hmac-sha256' where id = ${merchant.merchantId}`,
  );
  expect((await create(merchant, '127.0.0.1', PAYOUT_PRODUCT)).code).not.toBe(1107);
});

test('the console list closes sign-in and sessions to other addresses', async () => {
  const merchant = await makeMerchant(world.platform, { signType: 'md5' });
  const [user] = await world.platform.db.query<{ account: string }>(
    sql`select account from users where id = ${merchant.userId}`,
  );
  const signIn = (ip: string) =>
    post(app, login.path, { userName: user!.account, password: PASSWORD }, { 'x-forwarded-for': ip });
  const session = await signIn('203.0.113.5');
  expect(session.code).toBe(200);
  await limit(merchant, { consoleIps: ['198.51.100.0/24'] });
  expect((await signIn('203.0.113.5')).code).toBe(1107);
  expect((await signIn('198.51.100.9')).code).toBe(200);
  const info = (ip: string) =>
    app.inject({
      method: getInfo.method,
      url: getInfo.path,
      headers: { token: String(session.data['token']), 'x-forwarded-for': ip },
    });
  expect((await info('203.0.113.5')).json()).toMatchObject({ code: 1107 });
  expect((await info('198.51.100.9')).json()).toMatchObject({ code: 200 });
});

test('another node applies a change within a second', async () => {
  const merchant = await makeMerchant(world.platform, { signType: 'md5' });
  const another = merchantLimits(world.anotherNode());
  const call = { merchantId: merchant.merchantId, about: 'payIn', ip: '10.0.0.1', signType: 'md5' } as const;
  expect(await another.callProblem(call)).toBeUndefined();
  await limit(merchant, { payInIps: ['10.9.9.9'] });
  await expect
    .poll(async () => (await another.callProblem(call))?.code, { timeout: 1_500 })
    .toBe('ipNotAllowed');
});

test('limits are read back, changed one by one, and each change is in the audit', async () => {
  const merchant = await makeMerchant(world.platform);
  await limit(merchant, { callsPerSecond: 20, payInIps: ['10.0.0.1'] });
  await limit(merchant, { consoleIps: ['10.0.0.2'] });
  const admin = viewerOf(world.platform, { role: 'admin' });
  expect(await ask(world.platform, admin, getLimits, { id: String(merchant.merchantId) })).toEqual({
    callsPerSecond: 20,
    payInIps: ['10.0.0.1'],
    payoutIps: [],
    consoleIps: ['10.0.0.2'],
  });
  const rows = await world.platform.db.query<{ before: unknown; after: unknown }>(sql`
    select before, after from audit_log where subject = ${`merchant:${merchant.merchantId}`} order by id`);
  expect(rows).toHaveLength(2);
  expect(rows[1]).toMatchObject({ before: { consoleIps: [] }, after: { consoleIps: ['10.0.0.2'] } });
});

test.each(['10.0.0.0/33', '10.0.0', '10.0.0.1/', 'example.com', '::1/129', '1.2.3.4/-1', ''])(
  '%j is no address and no network',
  (entry) => {
    expect(updateLimits.input.safeParse({ id: '1', payInIps: [entry] }).success).toBe(false);
  },
);

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['11.0.0.1', '10.0.0.0/8', false],
  ['2001:db8:0:0::1', '2001:db8::1', true],
  ['2001:db9::1', '2001:db8::/32', false],
  ['10.0.0.1', '0.0.0.0/0', true],
  ['nonsense', '0.0.0.0/0', false],
])('%s in %s: %s', (ip, entry, inside) => {
  expect(addressMatcher([entry])(ip)).toBe(inside);
});
