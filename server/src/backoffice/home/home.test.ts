import { getHome } from '@sangam/contract/endpoints/home.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { businessDay } from '@sangam/contract/time.ts';
import { DAY, HOUR } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { ask } from '../../testing/ask.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { setTerms, viewerOf } from '../../testing/world.ts';

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
  // One credit without an order, and an order whose merchant could not be notified.
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

test('staff sees all open work', async () => {
  expect(await counts({ role: 'admin' })).toMatchObject({
    approvals: 0,
    payoutsWaiting: 2,
    payoutsToConfirm: 0,
    callbacksFailed: 1,
    messagesUnmatched: 1,
  });
});

test('a supplier sees its own work and what it may claim, a merchant its own, neither that of others', async () => {
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

test('a merchant on a term sees what is due on which day, and nobody else does', async () => {
  const { platform, clock } = node;
  const late = await makeShop(platform);
  await platform.db.query(sql`update merchants set settlement_days = 2 where id = ${late.merchantId}`);
  const due = async () => (await homeOf({ role: 'merchant', merchantId: late.merchantId })).due!;
  expect(await due()).toEqual([]);
  const order = await createOne(platform, late.merchantId);
  await receiveMessages(platform, late.monitor, [creditSms(platform, late, order.payable!)]);
  const [only, ...more] = await due();
  expect(more).toEqual([]);
  expect(only!.day > businessDay(new Date(clock.now().getTime() + DAY))).toBe(true);
  const [paid] = await platform.db.query<{ net: bigint }>(sql`
    select received - fee as net from collection_orders where id = ${order.id}`);
  expect(only).toMatchObject({ currency: 'INR', amount: Number(paid!.net) });
  expect((await homeOf({ role: 'merchant', merchantId: shop.merchantId })).due).toEqual([]);
  expect((await homeOf({ role: 'admin' })).due).toBeNull();
  expect((await homeOf({ role: 'supplier', supplierId: late.supplierId })).due).toBeNull();
});

test('a team’s head sees how each supplier below it fares, and they do not see it', async () => {
  const { platform } = node;
  const head = await makeShop(platform);
  const teamOf = async (supplierId: bigint) => (await homeOf({ role: 'supplier', supplierId })).team;
  expect(await teamOf(head.supplierId)).toBeNull();
  await platform.db.query(
    sql`update suppliers set agent_id = ${head.supplierId} where id = ${payouts.supplierId}`,
  );
  await platform.db.query(
    sql`update suppliers set agent_id = ${payouts.supplierId} where id = ${shop.supplierId}`,
  );
  const team = await teamOf(head.supplierId);
  expect(team?.total).toBe(2);
  const member = team!.list.find(({ supplierId }) => supplierId === String(shop.supplierId))!;
  expect(member).toMatchObject({ accounts: 1, open: 1, payoutsWaiting: 0, payoutsClaimed: 0 });
  const [deposit] = await platform.db.query<{ balance: bigint }>(sql`
    select balance from ledger_accounts where owner_kind = 'supplier' and owner_id = ${shop.supplierId} and bucket = 'deposit'`);
  expect(member.deposits).toEqual([{ currency: 'INR', balance: Number(deposit!.balance) }]);
  expect(team!.list.find(({ supplierId }) => supplierId === String(payouts.supplierId))?.payoutsWaiting).toBe(
    2,
  );
  expect(await teamOf(shop.supplierId)).toBeNull();
  expect((await homeOf({ role: 'admin' })).team).toBeNull();
});

test('a team’s head sees what it earned on the orders of its team, and not what it earned on its own', async () => {
  const { platform, clock } = node;
  const [head, member] = [await makeShop(platform), await makeShop(platform)];
  const earned = async () => (await homeOf({ role: 'supplier', supplierId: head.supplierId })).team!.earned;
  await platform.db.query(
    sql`update suppliers set agent_id = ${head.supplierId} where id = ${member.supplierId}`,
  );
  await setTerms(platform, { ownerKind: 'agent', ownerId: head.supplierId, productId: 1010 });
  expect((await earned()).list).toEqual([]);
  const paid = async (of: Shop) => {
    await heartbeat(platform, of.monitor, { scriptVersion: '1' });
    await platform.db.query(
      sql`update resources set state = case account_id when ${of.accountId} then 0 else 1 end`,
    );
    const order = await createOne(platform, of.merchantId);
    expect(order.accountId).toBe(of.accountId);
    await receiveMessages(platform, of.monitor, [creditSms(platform, of, order.payable!)]);
    const [row] = await platform.db.query<{ agent: bigint }>(sql`
      select agent_commission as agent from collection_orders where id = ${order.id}`);
    return { id: order.id, agent: Number(row!.agent) };
  };
  const first = await paid(member);
  await paid(head);
  expect(first.agent).toBeGreaterThan(0);
  expect((await earned()).list).toEqual([
    { currency: 'INR', direction: 'in', today: first.agent, yesterday: 0 },
  ]);
  clock.advance(DAY);
  const second = await paid(member);
  expect(await earned()).toMatchObject({
    todayDate: businessDay(clock.now()),
    list: [{ today: second.agent, yesterday: first.agent }],
  });
  await reverseByTwo(platform, { orderId: second.id });
  expect((await earned()).list).toMatchObject([{ today: 0, yesterday: first.agent }]);
  await platform.db.query(sql`update resources set state = 0`);
});

test('rows older than the lists show are not counted', async () => {
  const before = await counts({ role: 'admin' });
  node.clock.advance(32 * DAY);
  expect(before['payoutsWaiting']).toBe(2);
  expect((await counts({ role: 'admin' }))['payoutsWaiting']).toBe(0);
});

test('an open account with a silent monitor is named until the monitor reports; a closed account is not', async () => {
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
