import { previewSetting } from '@sangam/contract/endpoints/system-config.ts';
import type { PreviewLine } from '@sangam/contract/setting-previews.ts';
import { SETTINGS, type SettingName, type SettingValues } from '@sangam/contract/settings.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOrders } from '../../../collection/create.ts';
import { expireDue } from '../../../collection/expire.ts';
import { isRefusal } from '../../../platform/refusal.ts';
import { receiveMessages } from '../../../evidence/matching/receive.ts';
import { releaseHeld } from '../../../evidence/matching/release-held.ts';
import { supplement } from '../../../evidence/matching/supplement.ts';
import { heartbeat } from '../../../evidence/monitors/heartbeat.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/database.ts';
import { makePartitions } from '../../../platform/db/partitions.ts';
import { ask, askRefused } from '../../../testing/ask.ts';
import {
  createOne,
  creditSms,
  makeShop,
  newOrder,
  newReference,
  type Shop,
  statedSms,
} from '../../../testing/payments.ts';
import { createTestUser } from '../../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../../testing/platform.ts';
import {
  makeAccount,
  makeMerchant,
  makeMonitor,
  makeSupplier,
  setKyc,
  viewerOf,
} from '../../../testing/world.ts';

/** Each preview compared with a count by hand: every test knows its orders and what the value would have done to each. */

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
beforeEach(async () => {
  // Moves the rows of earlier tests out of the period of a preview.
  node.clock.advance(8 * DAY);
  await makePartitions({ db: node.owner, clock: node.clock });
  await node.platform.db.query(sql`update resources set state = 1`);
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

const set = <Name extends SettingName>(name: Name, value: SettingValues[Name]) =>
  node.platform.settings.write(name, value, null);
const boss = () => viewerOf(node.platform, { role: 'superAdmin' });

/** Line → the orders it counts, oldest first. */
async function preview<Name extends SettingName>(name: Name, value: SettingValues[Name]) {
  const { lines } = await ask(node.platform, boss(), previewSetting, { name, value: JSON.stringify(value) });
  for (const { count, orders } of lines) expect(count).toBeGreaterThanOrEqual(orders.length);
  return Object.fromEntries(lines.map(({ key, orders }) => [key, orders.toReversed()])) as Partial<
    Record<PreviewLine, string[]>
  >;
}
async function counts<Name extends SettingName>(name: Name, value: SettingValues[Name]) {
  const { lines } = await ask(node.platform, boss(), previewSetting, { name, value: JSON.stringify(value) });
  return Object.fromEntries(lines.map(({ key, count }) => [key, count]));
}

const idOf = ({ id }: { readonly id: bigint }) => String(id);
const alive = () => node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
const pay = (shop: Shop, payable: bigint, reference?: string) =>
  receiveMessages(node.platform, shop.monitor, [
    creditSms(node.platform, shop, payable, reference === undefined ? {} : { reference }),
  ]);
const expire = async () => {
  while ((await expireDue(node.platform)) > 0);
};

/** Creates orders that were paid after 2 and 10 minutes, 5 minutes late, by hand after an hour, and never. */
async function lateOrders() {
  const { platform } = node;
  const shop = await makeShop(platform);
  const start = node.clock.now().getTime();
  const at = (minute: number) => node.clock.set(new Date(start + minute * MINUTE));
  const [quick, slow, late, byHand, never] = [
    await createOne(platform, shop.merchantId, { amount: 100_00n }),
    await createOne(platform, shop.merchantId, { amount: 200_00n }),
    await createOne(platform, shop.merchantId, { amount: 300_00n }),
    await createOne(platform, shop.merchantId, { amount: 400_00n }),
    await createOne(platform, shop.merchantId, { amount: 500_00n }),
  ];
  at(2);
  await pay(shop, quick!.payable!);
  at(10);
  await pay(shop, slow!.payable!);
  at(15);
  await expire();
  at(20);
  await pay(shop, late!.payable!);
  at(75);
  await expire();
  const reference = newReference();
  await pay(shop, byHand!.payable!, reference);
  await supplement(platform, viewerOf(platform, { role: 'customerService' }), {
    orderId: byHand!.id,
    utr: reference,
    offset: false,
  });
  return [quick, slow, late, byHand, never].map((order) => idOf(order!)) as [
    string,
    string,
    string,
    string,
    string,
  ];
}

test('OrderTimeoutMinutes, CompleteCheckOrderTime, CanTimeoutSupplement, TimeoutCallbackTime', async () => {
  const [, slow, late, byHand, never] = await lateOrders();
  expect(await preview('OrderTimeoutMinutes', 5)).toEqual({ paidTooLate: [slow], paidInLongerTime: [] });
  expect(await preview('OrderTimeoutMinutes', 25)).toEqual({ paidTooLate: [], paidInLongerTime: [late] });
  expect(await preview('OrderTimeoutMinutes', 90)).toEqual({
    paidTooLate: [],
    paidInLongerTime: [late, byHand],
  });
  expect(await preview('CompleteCheckOrderTime', 3)).toEqual({ lateNoMore: [late], lateByItself: [] });
  expect(await preview('CompleteCheckOrderTime', 61)).toEqual({ lateNoMore: [], lateByItself: [byHand] });
  expect(await preview('CanTimeoutSupplement', false)).toEqual({ supplementsRefused: [byHand] });
  expect(await preview('CanTimeoutSupplement', true)).toEqual({});
  expect(await preview('TimeoutCallbackTime', 600)).toEqual({
    timeoutsTold: [byHand, never],
    timeoutsPaidBefore: [late],
  });
  expect(await preview('TimeoutCallbackTime', 60)).toEqual({
    timeoutsTold: [late, byHand, never],
    timeoutsPaidBefore: [],
  });
  expect(await preview('TimeoutCallbackTime', 0)).toEqual({});
  // A week later none of these orders counts any more.
  node.clock.advance(7 * DAY);
  expect(await preview('OrderTimeoutMinutes', 5)).toEqual({ paidTooLate: [], paidInLongerTime: [] });
});

test('NeedNameCheck', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const [named, unnamed] = [
    await createOne(platform, shop.merchantId, { userName: 'Asha Rao' }),
    await createOne(platform, shop.merchantId),
  ];
  await pay(shop, named!.payable!);
  await pay(shop, unnamed!.payable!);
  expect(await preview('NeedNameCheck', true)).toEqual({ nameDiffers: [idOf(named!)] });
  expect(await counts('NeedNameCheck', false)).toEqual({ nameWouldPass: 0 });
  await set('NeedNameCheck', true);
  await pay(shop, (await createOne(platform, shop.merchantId, { userName: 'Ravi Kumar' })).payable!);
  expect(await counts('NeedNameCheck', false)).toEqual({ nameWouldPass: 1 });
});

test('LimitMode', async () => {
  const { platform } = node;
  const { merchantId } = await makeMerchant(platform);
  const { supplierId } = await makeSupplier(platform);
  const { monitorId } = await makeMonitor(platform, { supplierId });
  await makeAccount(platform, { supplierId, monitorId, dailyCountLimit: 1 });
  const create = async () => {
    const [order] = await createOrders(platform, [newOrder(merchantId)]);
    if (isRefusal(order)) return String((order.data as { orderCode: string }).orderCode);
    return idOf(order!);
  };
  await create();
  const refused = await create();
  expect(await preview('LimitMode', 'warn')).toEqual({ limitRefusals: [refused] });
  expect(await counts('LimitMode', 'enforce')).toEqual({ limitPassed: 0, limitDays: 0 });
  await set('LimitMode', 'warn');
  const past = await create();
  expect(await preview('LimitMode', 'enforce')).toEqual({ limitPassed: [past], limitDays: [] });
  expect(await counts('LimitMode', 'enforce')).toEqual({ limitPassed: 1, limitDays: 1 });
});

test('redWalletCount', async () => {
  const { platform } = node;
  const wallet = 1021;
  const { merchantId } = await makeMerchant(platform, { products: [wallet] });
  const { supplierId } = await makeSupplier(platform, { products: [wallet] });
  const { monitorId } = await makeMonitor(platform, { supplierId });
  await makeAccount(platform, { supplierId, monitorId, products: [wallet] });
  const create = async () => {
    node.clock.advance(SECOND);
    return idOf(await createOne(platform, merchantId, { productId: wallet }));
  };
  const made = [await create(), await create(), await create()];
  expect(await preview('redWalletCount', 2)).toEqual({ walletRefused: made.slice(2), walletWouldPass: [] });
  expect(await preview('redWalletCount', 1)).toEqual({ walletRefused: made.slice(1), walletWouldPass: [] });
  expect(await preview('redWalletCount', 0)).toEqual({ walletWouldPass: [] });
  node.clock.advance(20 * MINUTE);
  await expire();
  await alive();
  await create();
  expect(await preview('redWalletCount', 2)).toEqual({ walletRefused: made.slice(2), walletWouldPass: [] });
});

test('MonitorLiveTime', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  const soon = await createOne(platform, shop.merchantId);
  node.clock.advance(80 * SECOND);
  const after80 = await createOne(platform, shop.merchantId);
  expect(await preview('MonitorLiveTime', 70)).toEqual({ silentMonitor: [idOf(after80)] });
  expect(await preview('MonitorLiveTime', 85)).toEqual({ silentMonitor: [] });
  expect(await preview('MonitorLiveTime', 30)).toEqual({});
  node.clock.advance(5 * MINUTE);
  const [refused] = await createOrders(platform, [newOrder(shop.merchantId)]);
  const code = isRefusal(refused) ? (refused.data as { orderCode: string }).orderCode : idOf(refused!);
  expect(await preview('MonitorLiveTime', 600)).toEqual({ silentMonitor: [], offlineWouldPass: [code] });
  expect(soon.status).toBe(1);
});

test('CardCountry', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  expect(await counts('CardCountry', ['IN'])).toEqual({ cardAccounts: 0 });
  await platform.db.query(
    sql`update accounts set kind = 'card', country = 'KE' where id = ${shop.accountId}`,
  );
  expect(await preview('CardCountry', ['IN'])).toEqual({ cardAccounts: [idOf(order)] });
  expect(await preview('CardCountry', ['IN', 'KE'])).toEqual({ cardAccounts: [] });
});

test('KYC', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const proper = await createOne(platform, shop.merchantId);
  await set('KYC', false);
  const other = await makeMerchant(platform);
  await setKyc(platform, { subject: 'merchant', id: other.merchantId, verdict: 'rejected' });
  const improper = await createOne(platform, other.merchantId);
  expect(await preview('KYC', true)).toEqual({ kycRefused: [idOf(improper)] });
  await set('KYC', true);
  await setKyc(platform, { subject: 'account', id: shop.accountId, verdict: 'rejected' });
  const [refused] = await createOrders(platform, [newOrder(shop.merchantId)]);
  const code = isRefusal(refused) ? (refused.data as { orderCode: string }).orderCode : idOf(refused!);
  expect(await preview('KYC', false)).toEqual({ kycWouldPass: [code] });
  expect(await preview('KYC', true)).toEqual({ kycRefused: [idOf(proper), idOf(improper)] });
});

test('EnableIpChangedCheck', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const [same, elsewhere] = [
    await createOne(platform, shop.merchantId),
    await createOne(platform, shop.merchantId),
  ];
  const seen = (orderId: bigint, ip: string) =>
    platform.db.query(sql`
      insert into order_events (id, order_id, kind, actor_kind, ip, created_at)
      values (${platform.ids.next()}, ${orderId}, 'utrSubmitted', 'payer', ${ip}, ${node.clock.now()})`);
  await seen(same!.id, '10.0.0.1');
  await seen(elsewhere!.id, '203.0.113.9');
  const { id: userId } = await createTestUser(platform, 'admin');
  const now = node.clock.now();
  const later = new Date(now.getTime() + HOUR);
  const session = (ip: string) =>
    platform.db.query(sql`
      insert into sessions (id, token_hash, cookie_hash, user_id, stage, ip, user_agent, created_at, last_seen_at, active_at, expires_at)
      values (${platform.ids.next()}, ${Buffer.from(`${userId}${ip}`)}, '', ${userId}, 'full', ${ip}, 'x', ${now}, ${later}, ${later}, ${later})`);
  const acted = (ip: string) =>
    platform.db.query(sql`
      insert into audit_log (id, user_id, action, subject, ip, created_at)
      values (${platform.ids.next()}, ${userId}, 'user.update', 'user:1', ${ip}, ${now})`);
  await session('10.0.0.5');
  await acted('10.0.0.5');
  expect((await counts('EnableIpChangedCheck', true))['sessionsElsewhere']).toBe(0);
  await acted('198.51.100.1');
  expect(await counts('EnableIpChangedCheck', true)).toEqual({ sessionsElsewhere: 1, payersElsewhere: 1 });
  expect((await preview('EnableIpChangedCheck', true)).payersElsewhere).toEqual([idOf(elsewhere!)]);
  expect(await preview('EnableIpChangedCheck', false)).toEqual({});
});

test('GlobalSecuritySetting and SecurityFreqParameters', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  let balance = 1_000_00n;
  const report = (amount: bigint) => {
    balance += amount;
    return receiveMessages(platform, shop.monitor, [statedSms(platform, shop, { amount, balance })]);
  };
  const made: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const order = await createOne(platform, shop.merchantId, { clientIp: '203.0.113.1' });
    made.push(idOf(order));
    expect((await report(order.payable!))[0]!.state).toBe('matched');
  }
  const security = { ...SETTINGS.GlobalSecuritySetting.fallback, perMinuteFreqCount: 3 };
  expect(await preview('GlobalSecuritySetting', security)).toEqual({
    addressesFrequent: made.slice(3),
    messagesSurplus: made.slice(3),
    heldTooLong: [],
  });
  const parameters = SETTINGS.SecurityFreqParameters.fallback;
  // Four messages near each other. Each counts four, including itself.
  expect(
    await preview('SecurityFreqParameters', {
      ...parameters,
      minReliableCheckAmount: 100_00,
      minReliableCheckSize: 5,
    }),
  ).toEqual({ nowChecked: made, noLongerChecked: [], fewNeighbours: made });
  expect(await preview('SecurityFreqParameters', { ...parameters, minReliableCheckAmount: 600_00 })).toEqual({
    nowChecked: [],
    noLongerChecked: [],
    fewNeighbours: [],
  });
});

test('a large credit that was held: with a shorter wait, and without the check', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  let balance = 1_000_00n;
  const report = (amount: bigint) => {
    balance += amount;
    return receiveMessages(platform, shop.monitor, [statedSms(platform, shop, { amount, balance })]);
  };
  for (let n = 0; n < 6; n += 1) {
    node.clock.advance(MINUTE);
    await report(100_00n);
  }
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  const large = await createOne(platform, shop.merchantId, { amount: 20_000_00n });
  expect((await report(large.payable!))[0]!.state).toBe('held');
  node.clock.advance(5 * MINUTE);
  await report(100_00n);
  await releaseHeld(platform);
  const security = SETTINGS.GlobalSecuritySetting.fallback;
  expect(
    (await preview('GlobalSecuritySetting', { ...security, lookForwardMinutes: 4 })).heldTooLong,
  ).toEqual([idOf(large)]);
  expect(
    (await preview('GlobalSecuritySetting', { ...security, lookForwardMinutes: 6 })).heldTooLong,
  ).toEqual([]);
  const parameters = { ...SETTINGS.SecurityFreqParameters.fallback, minReliableCheckAmount: 50_000_00 };
  expect((await preview('SecurityFreqParameters', parameters)).noLongerChecked).toEqual([idOf(large)]);
});

test('FixSecurityChainSupplementLimit', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const patch = async (orders: number) => {
    const [gapId, id] = [platform.ids.next(), platform.ids.next()];
    const ids = Array.from({ length: orders }, () => platform.ids.next());
    await platform.db.query(sql`
      insert into chain_gaps (id, account_id, tail_id, head_id, delta, from_minute, to_minute, state, opened_at)
      values (${gapId}, ${shop.accountId}, ${gapId}, ${id}, 1, 0, 1, 'open', ${node.clock.now()})`);
    await platform.db.query(sql`
      insert into chain_patches (id, gap_id, account_id, kind, amount, order_ids, state, created_at)
      values (${id}, ${gapId}, ${shop.accountId}, 'order-supplement', 1, ${ids}, 'live', ${node.clock.now()})`);
    return ids.map(String);
  };
  const [one, two] = [await patch(1), await patch(2), await patch(5)];
  const five = await patch(5);
  expect(one).toHaveLength(1);
  expect(await preview('FixSecurityChainSupplementLimit', 1)).toEqual({ patchesWait: two, patchesAlone: [] });
  expect((await preview('FixSecurityChainSupplementLimit', 5)).patchesAlone).toHaveLength(10);
  expect((await preview('FixSecurityChainSupplementLimit', 5)).patchesAlone).toEqual(
    expect.arrayContaining(five),
  );
});

test('where history can tell nothing there is no line, and a value out of range is refused', async () => {
  expect(await preview('ShowLogo', false)).toEqual({});
  for (const value of ['5000', '"x"', 'no json'])
    expect(
      (await askRefused(node.platform, boss(), previewSetting, { name: 'OrderTimeoutMinutes', value })).code,
    ).toBe('invalidInput');
});
