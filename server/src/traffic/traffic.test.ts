import {
  exemptIp,
  freezeIp,
  getFrozenIpList,
  getIpList,
  unfreezeIp,
} from '@sangam/contract/endpoints/ip-analysis.ts';
import { getList } from '@sangam/contract/endpoints/order.ts';
import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import { sign } from '@sangam/contract/signature.ts';
import { parseTime } from '@sangam/contract/time.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOrders } from '../collection/create.ts';
import { heartbeat } from '../evidence/monitors/heartbeat.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { call, post } from '../testing/call.ts';
import { createOne, creditSms, makeShop, newOrder, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import { thawDue } from './abnormal.ts';
import { sweepMinutes } from './count-addresses.ts';
import { countChanges } from './fold.ts';
import { frozenAddresses } from './frozen.ts';

/** Orders by client address, and frozen addresses. */

let node: TestPlatform;
let app: FastifyInstance;
let shop: Shop;
let admin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  shop = await makeShop(node.platform);
  admin = viewerOf(node.platform, {
    role: 'admin',
    userId: (await makeUser(node.platform, { role: 'admin' })).id,
  });
});
beforeEach(async () => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
});
afterAll(() => node.close());

const order = (clientIp: string, fields: object = {}) =>
  createOne(node.platform, shop.merchantId, { clientIp, ...fields });
const ipsOf = async (query: Readonly<Record<string, unknown>> = {}) => {
  await countChanges(node.platform);
  return (await ask(node.platform, admin, getIpList, query)).list;
};
const freeze = (ipAddress: string, fields: object = {}) =>
  ask(node.platform, admin, freezeIp, { ipAddress, reason: 'floods', ...fields });
const abnormal = async (query: Readonly<Record<string, unknown>> = {}) =>
  (await ask(node.platform, admin, getFrozenIpList, query)).list;

test('an address shows its orders, what was paid, merchants, names and accounts; older than the window it is gone', async () => {
  const other = await makeMerchant(node.platform);
  const first = await order('203.0.113.1', { userName: 'Asha  Rao' });
  await order('::ffff:203.0.113.1', { userName: 'asha rao', amount: 501_00n });
  await createOne(node.platform, other.merchantId, { clientIp: '203.0.113.1', userName: 'Ravi' });
  await order('no address');
  const rows = await ipsOf({ ipAddress: '203.0.113.1' });
  expect(rows).toMatchObject([
    { ipAddress: '203.0.113.1', state: 'ordinary', orders: 3, paid: 0, merchants: 2, names: 2, accounts: 1 },
  ]);
  expect(rows[0]!.merchantNames).toHaveLength(2);
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, first.payable!)]);
  expect(await ipsOf({ ipAddress: '203.0.113.1' })).toMatchObject([{ orders: 3, paid: 1 }]);
  expect(await ipsOf({ ipAddress: '203.0.113.1', merchantId: String(other.merchantId) })).toHaveLength(1);
  node.clock.advance(11 * MINUTE);
  expect(await ipsOf({ ipAddress: '203.0.113.1' })).toEqual([]);
  node.clock.advance(26 * HOUR);
  await sweepMinutes(node.platform);
  expect(await node.platform.db.query(sql`select from ip_minutes`)).toEqual([]);
});

test('the merchant filter chooses addresses; their counts are of all orders in the window, as the linked list shows', async () => {
  const [few, many] = [await makeMerchant(node.platform), await makeMerchant(node.platform)];
  const at = (merchantId: bigint, amount: bigint, clientIp = '203.0.113.20') =>
    createOne(node.platform, merchantId, { clientIp, amount });
  const started = node.clock.now();
  await at(few.merchantId, 710_00n);
  await at(many.merchantId, 711_00n);
  node.clock.advance(2 * MINUTE);
  for (let n = 0; n < 18; n += 1) await at(many.merchantId, BigInt(720_00 + n * 100));
  await at(many.merchantId, 750_00n, '203.0.113.21');
  const [row, ...others] = await ipsOf({ merchantId: String(few.merchantId) });
  expect(others).toEqual([]);
  expect(row).toMatchObject({ ipAddress: '203.0.113.20', orders: 20, merchants: 2, state: 'abnormal' });
  expect(parseTime(row!.firstTime)!.getTime()).toBe(Math.floor(started.getTime() / MINUTE) * MINUTE);
  const linked = {
    ipAddress: '203.0.113.20',
    counted: 'created',
    filing: 'created',
    startTime: row!.firstTime,
    endTime: `${row!.lastTime.slice(0, 17)}59`,
  };
  for (const byCompletion of [true, false]) {
    await node.platform.settings.write('CompleteTimeFilter', byCompletion, null);
    expect((await ask(node.platform, admin, getList, linked)).total).toBe(20);
  }
});

test('two nodes count each order once, also when a count is interrupted', async () => {
  const second = node.anotherNode();
  const inputs = Array.from({ length: 30 }, (_, index) =>
    newOrder(shop.merchantId, { clientIp: `198.51.100.${index % 3}`, amount: BigInt(600_00 + index * 100) }),
  );
  await Promise.all([
    createOrders(node.platform, inputs.slice(0, 15)),
    createOrders(second, inputs.slice(15)),
  ]);
  // A counting transaction that is rolled back has counted nothing.
  await expect(
    node.platform.db.tx(async (tx) => {
      await tx.query(sql`delete from order_changes`);
      throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  await Promise.all([countChanges(node.platform), countChanges(second)]);
  const rows = (await ipsOf()).filter(({ ipAddress }) => ipAddress.startsWith('198.51.100.'));
  expect(rows.map(({ orders }) => orders)).toEqual([10, 10, 10]);
});

test('from perMinuteFreqCount orders within the window on an address is abnormal, with the reason', async () => {
  for (let n = 0; n < 19; n += 1) await order('192.0.2.7', { amount: BigInt(900_00 + n * 100) });
  expect(await ipsOf({ ipAddress: '192.0.2.7' })).toMatchObject([{ state: 'ordinary' }]);
  expect(await abnormal({ ipAddress: '192.0.2.7' })).toEqual([]);
  await order('192.0.2.7', { amount: 2_000_00n });
  expect(await ipsOf({ ipAddress: '192.0.2.7', state: 'abnormal' })).toMatchObject([
    { state: 'abnormal', orders: 20 },
  ]);
  expect(await abnormal({ ipAddress: '192.0.2.7' })).toMatchObject([
    { state: 'abnormal', orders: 20, windowMinutes: 10, threshold: 20, ordersNow: 20, serverOf: null },
  ]);
});

test('a frozen address orders nothing more: 1107 on every node within a second, until it thaws by itself', async () => {
  const { platform } = node;
  const second = node.anotherNode();
  await frozenAddresses(second).isFrozen('192.0.2.8');
  const before = newOrder(shop.merchantId, { clientIp: '192.0.2.8', amount: 333_00n });
  const [made] = await createOrders(platform, [before]);
  await freeze('192.0.2.8', { minutes: 30 });
  const [refused] = await createOrders(platform, [newOrder(shop.merchantId, { clientIp: '192.0.2.8' })]);
  expect(isRefusal(refused) && refused.code).toBe('ipNotAllowed');
  // A request that was answered before gets the same answer.
  expect(await createOrders(platform, [before])).toMatchObject([{ id: (made as { id: bigint }).id }]);
  await expect.poll(() => frozenAddresses(second).isFrozen('192.0.2.8'), { timeout: 5_000 }).toBe(true);
  expect(await abnormal({ state: 'frozen' })).toMatchObject([
    { ipAddress: '192.0.2.8', reason: 'floods', changedBy: expect.any(String) },
  ]);
  node.clock.advance(31 * MINUTE);
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  await order('192.0.2.8');
  expect(await thawDue(platform)).toBe(1);
  expect(await abnormal({ state: 'frozen' })).toEqual([]);
  const actions = await platform.db.query<{ action: string }>(sql`
    select action from audit_log where subject = 'ip:192.0.2.8' order by id`);
  expect(actions.map(({ action }) => action)).toEqual(['ip.freeze', 'ip.thaw']);
});

test('an exempt address orders also inside a frozen network, and nothing in an exempt network is frozen', async () => {
  const { platform } = node;
  const isFrozen = (ip: string) => frozenAddresses(platform).isFrozen(ip);
  const exempt = (ipAddress: string) =>
    ask(platform, admin, exemptIp, { ipAddress, exempt: true, reason: 'a call centre' });
  await freeze('198.18.8.200');
  await exempt('198.18.7.7');
  await exempt('198.18.8.128/25');
  await freeze('198.18.0.0/16');
  expect(await isFrozen('198.18.7.7')).toBe(false);
  expect(await isFrozen('198.18.8.200')).toBe(false);
  expect(await isFrozen('198.18.7.8')).toBe(true);
  expect(await isFrozen('198.18.8.127')).toBe(true);
  await order('198.18.7.7');
  await order('198.18.8.200');
  expect(await ipsOf({ ipAddress: '198.18.0.0/16' })).toEqual([
    expect.objectContaining({ state: 'exempt' }),
    expect.objectContaining({ state: 'exempt' }),
  ]);
  for (const ipAddress of ['198.18.8.200', '198.18.8.192/26'])
    expect((await askRefused(platform, admin, freezeIp, { ipAddress, reason: 'floods' })).data).toEqual({
      reason: 'exempt',
    });
});

test('a frozen network shows the orders of its addresses, and the frequency list finds these addresses', async () => {
  for (const ip of ['198.19.4.1', '198.19.4.1', '198.19.4.9', '198.19.5.1', '2001:db8:77:1::1'])
    await order(ip);
  await countChanges(node.platform);
  await freeze('198.19.4.0/24');
  await freeze('2001:db8:77::/48');
  expect(await abnormal({ ipAddress: '198.19.4.0/24' })).toMatchObject([
    { ordersNow: 3, firstTime: expect.any(String), lastTime: expect.any(String) },
  ]);
  expect(await abnormal({ ipAddress: '2001:db8:77::/48' })).toMatchObject([{ ordersNow: 1 }]);
  const inside = await ipsOf({ ipAddress: '198.19.4.0/24' });
  expect(inside.map(({ ipAddress, orders }) => [ipAddress, orders])).toEqual([
    ['198.19.4.1', 2],
    ['198.19.4.9', 1],
  ]);
  expect(inside.map(({ state }) => state)).toEqual(['frozen', 'frozen']);
  expect(await ipsOf({ ipAddress: '198.19.5.1' })).toMatchObject([{ state: 'ordinary' }]);
  expect(await ipsOf({ ipAddress: '198.19.4.0/99' })).toEqual([]);
});

test('no row that cannot be read keeps other freezes from taking effect', async () => {
  const { platform } = node;
  const write = (ip: string) =>
    platform.db.query(sql`
      insert into abnormal_ips (id, ip, state, since, frozen_at, frozen_until)
      values (${platform.ids.next()}, ${ip}, 'frozen', now(), now(), ${new Date(node.clock.now().getTime() + HOUR)})`);
  for (const ip of ['192.0.2.0/120', 'no address']) await expect(write(ip), ip).rejects.toThrow();
  await freeze('192.0.2.201');
  expect(await frozenAddresses(platform).isFrozen('192.0.2.201')).toBe(true);
});

test('a payer at a frozen address is not shown where to pay; one who has paid is told so', async () => {
  const { platform } = node;
  const made = await order('192.0.2.60');
  const page = (ip: string, part = '') =>
    call(app, 'GET', `/v1.0/pay/${platform.vault.payToken(made.id)}${part}`, {}, { 'x-forwarded-for': ip });
  expect(await page('192.0.2.9')).toMatchObject({ code: 200 });
  await freeze('192.0.2.9');
  expect(await page('192.0.2.9')).toMatchObject({ code: 1107 });
  // Nor the account's own QR code, which shows where to pay.
  expect(await page('192.0.2.9', '/qr')).toMatchObject({ code: 1107 });
  expect(await page('192.0.2.10', '/qr')).toMatchObject({ code: 404 });
  expect(await page('192.0.2.10')).toMatchObject({ code: 200 });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, made.payable!)]);
  expect(await page('192.0.2.9')).toMatchObject({ code: 200, data: { state: 'paid' } });
});

test('a network is frozen whole, an address only if no merchant calls from it, and an exempt one not at all', async () => {
  const { platform } = node;
  await freeze('2001:db8:5::/48');
  expect(await frozenAddresses(platform).isFrozen('2001:db8:5:1::9')).toBe(true);
  expect(await frozenAddresses(platform).isFrozen('2001:db8:6::9')).toBe(false);
  await ask(platform, admin, unfreezeIp, { ipAddress: '2001:db8:5::/48', reason: 'a mistake' });
  expect(await frozenAddresses(platform).isFrozen('2001:db8:5:1::9')).toBe(false);
  for (const ipAddress of ['10.0.0.0/8', '::ffff:192.0.2.0/120', '0:0:0:0:0:ffff:c000:200/120'])
    expect(freezeIp.input.safeParse({ ipAddress, reason: 'all' }).success).toBe(false);

  const merchant = await makeMerchant(platform, { signType: 'md5' });
  const fields = {
    mchId: String(merchant.merchantId),
    productId: '1010',
    mchOrderNo: 'FROM-SERVER',
    amount: '77700',
    notifyUrl: 'http://127.0.0.1:9/',
    clientIp: '192.0.2.77',
  };
  await post(
    app,
    createOrder.path,
    { ...fields, sign: sign(fields, 'md5', merchant.secret) },
    { 'x-forwarded-for': '192.0.2.77' },
  );
  await expect
    .poll(async () => (await ipsOf({ ipAddress: '192.0.2.77' }))[0]?.state, { timeout: 10_000 })
    .toBe('server');
  const onServer = { ipAddress: '192.0.2.77', reason: 'floods' };
  expect(await askRefused(platform, admin, freezeIp, onServer)).toMatchObject({
    code: 'conflict',
    data: { reason: 'merchantServer' },
  });
  expect(
    (await askRefused(platform, admin, freezeIp, { ...onServer, ipAddress: '192.0.2.0/24' })).data,
  ).toEqual({
    reason: 'merchantServer',
    ipAddress: '192.0.2.77',
  });
  // A network that a merchant lists counts whole. Who lists all addresses states no server.
  await platform.db.query(sql`
    update merchants set payout_ips = ${['198.51.100.128/25', '0.0.0.0/0']} where id = ${merchant.merchantId}`);
  for (const ipAddress of ['198.51.100.200', '198.51.100.192/28', '198.51.0.0/16'])
    expect((await askRefused(platform, admin, freezeIp, { ipAddress, reason: 'floods' })).data).toEqual({
      reason: 'merchantServer',
      ipAddress: '198.51.100.128/25',
    });

  await ask(platform, admin, exemptIp, { ipAddress: '203.0.113.50', exempt: true, reason: 'a call centre' });
  expect(
    (await askRefused(platform, admin, freezeIp, { ipAddress: '203.0.113.50', reason: 'x' })).data,
  ).toEqual({ reason: 'exempt' });
  await ask(platform, admin, exemptIp, { ipAddress: '203.0.113.50', exempt: false, reason: 'closed' });
  await freeze('203.0.113.50');
});
