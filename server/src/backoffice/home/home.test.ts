import { getHome } from '@sangam/contract/endpoints/home.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { ask } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let shop: Shop;
let payouts: PayoutShop;
beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  shop = await makeShop(platform);
  payouts = await makePayoutShop(platform);
  await payOut(platform, payouts.merchantId);
  await payOut(platform, payouts.merchantId);
  // One credit that no order waits for, and an order whose merchant could not be notified.
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, 77_77n)]);
  const order = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  await platform.db.query(sql`update collection_orders set status = 4 where id = ${order.id}`);
});
afterAll(() => node.close());

const homeOf = (options: Parameters<typeof viewerOf>[1]) =>
  ask(node.platform, viewerOf(node.platform, options), getHome);
const counts = async (options: Parameters<typeof viewerOf>[1]) =>
  Object.fromEntries((await homeOf(options)).waiting.map(({ kind, count }) => [kind, count]));

test('staff sees what waits anywhere', async () => {
  expect(await counts({ role: 'admin' })).toMatchObject({
    approvals: 0,
    payoutsWaiting: 2,
    payoutsToConfirm: 0,
    callbacksFailed: 1,
    messagesUnmatched: 1,
  });
});

test('a supplier sees its own and what it may claim, a merchant its own, neither the others’', async () => {
  expect(await counts({ role: 'supplier', supplierId: shop.supplierId })).toMatchObject({
    payoutsWaiting: 0,
    messagesUnmatched: 1,
  });
  expect(await counts({ role: 'supplier', supplierId: payouts.supplierId })).toMatchObject({
    payoutsWaiting: 2,
    messagesUnmatched: 0,
  });
  expect(await counts({ role: 'merchant', merchantId: shop.merchantId })).toEqual({ callbacksFailed: 1 });
  expect(await counts({ role: 'merchant', merchantId: payouts.merchantId })).toEqual({ callbacksFailed: 0 });
  expect((await homeOf({ role: 'merchant', merchantId: shop.merchantId })).accounts).toBeNull();
});

test('what is older than the lists show is not counted', async () => {
  const before = await counts({ role: 'admin' });
  node.clock.advance(32 * DAY);
  expect(before['payoutsWaiting']).toBe(2);
  expect((await counts({ role: 'admin' }))['payoutsWaiting']).toBe(0);
});

test('an open account nobody hears of is named until it is heard again; a closed one is not', async () => {
  const supplier = { role: 'supplier', supplierId: shop.supplierId } as const;
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  expect((await homeOf(supplier)).accounts).toMatchObject({ total: 1, open: 1, online: 1, stuck: [] });
  node.clock.advance(HOUR);
  expect((await homeOf(supplier)).accounts).toMatchObject({
    online: 0,
    stuck: [{ id: String(shop.accountId), why: 'offline' }],
  });
  expect((await homeOf({ role: 'supplier', supplierId: payouts.supplierId })).accounts?.stuck).toEqual([]);
  await node.platform.db.query(sql`update resources set state = 1 where account_id = ${shop.accountId}`);
  expect((await homeOf(supplier)).accounts?.stuck).toEqual([]);
});
