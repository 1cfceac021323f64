import { createOrder, payPage } from '@sangam/contract/endpoints/outside.ts';
import { updateAccount } from '@sangam/contract/endpoints/account.ts';
import {
  getLastOrder,
  getList,
  getStatusSummary,
  simpleStatistics,
  supplement,
} from '@sangam/contract/endpoints/order.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { getInfo } from '@sangam/contract/endpoints/user.ts';
import { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import { sign } from '@sangam/contract/signature.ts';
import { type SettingName, type SettingValues } from '@sangam/contract/settings.ts';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../platform/clock.ts';
import { readAllocationPool } from '../../accounts/allocation-pool.ts';
import { allocate } from '../../collection/allocate.ts';
import type { RunCandidate } from '../../collection/allocation-runs.ts';
import { expireDue } from '../../collection/expire.ts';
import { payUrlOf } from '../../collection/pay-params.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { call, post } from '../../testing/call.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop, newOrder } from '../../testing/payments.ts';
import { createTestUser, signedIn } from '../../testing/people.ts';
import { makeUsdtAccount } from '../../testing/usdt.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import {
  makeAccount,
  makeMerchant,
  makeMonitor,
  makeSupplier,
  setKyc,
  viewerOf,
} from '../../testing/world.ts';

/** Each setting flipped, and the difference it makes. See also cashier-effects, bank-effects, the tests of CardCountry and AutoCreate…. */

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  // The accounts of one test must not be candidates for the next test's orders.
  await node.platform.db.query(sql`update resources set state = 1`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

const set = <Name extends SettingName>(name: Name, value: SettingValues[Name]) =>
  node.platform.settings.write(name, value, null);
const admin = () => viewerOf(node.platform, { role: 'admin' });
const later = (order: { readonly createdAt: Date }, moment: Date | null) =>
  moment && moment.getTime() - order.createdAt.getTime();

async function verdictOf(productId: number, amount = 500_00n) {
  const { platform } = node;
  const want = {
    merchantId: 1n,
    orderId: platform.ids.next(),
    productId,
    currency: 'INR',
    amount,
    identifyCode: `S${platform.ids.next()}`,
    userName: null,
    payerUtr: null,
    avoid: null,
  };
  const at = platform.clock.now();
  const { explanation } = (
    await platform.db.tx(async (tx) =>
      allocate(platform, tx, [want], at, await readAllocationPool(platform, tx, [productId], at)),
    )
  ).byOrder.get(want.orderId)!;
  const [run] = await platform.db.query<{ candidates: readonly RunCandidate[] }>(
    sql`select candidates from allocation_runs where id = ${explanation.run}`,
  );
  const verdicts = run!.candidates.map(({ accountId, verdict }): [bigint, string] => [
    BigInt(accountId),
    explanation.verdicts[accountId] ?? verdict,
  ]);
  return new Map(verdicts);
}

test('enableService: off, creation answers 1101', async () => {
  const { merchantId, secret } = await makeMerchant(node.platform);
  const create = async () => {
    const fields = {
      mchId: String(merchantId),
      productId: '1010',
      mchOrderNo: randomUUID(),
      amount: '50000',
      notifyUrl: 'http://127.0.0.1:9/',
      timestamp: String(node.clock.now().getTime()),
      nonce: randomUUID(),
    };
    return (await post(app, createOrder.path, { ...fields, sign: sign(fields, 'hmac-sha256', secret) })).code;
  };
  expect(await create()).not.toBe(1101);
  await set('enableService', false);
  expect(await create()).toBe(1101);
});

test('OrderTimeoutMinutes and CompleteCheckOrderTime: how long an order waits, and how long after that', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const spans = async () => {
    const order = await createOne(platform, shop.merchantId);
    const [row] = await platform.db.query<{ release: Date }>(
      sql`select release_at as release from waiting_orders where order_id = ${order.id}`,
    );
    return [later(order, order.expiresAt), later(order, row!.release)];
  };
  expect(await spans()).toEqual([15 * MINUTE, 45 * MINUTE]);
  await set('OrderTimeoutMinutes', 20);
  await set('CompleteCheckOrderTime', 5);
  expect(await spans()).toEqual([20 * MINUTE, 25 * MINUTE]);
});

test('CanTimeoutSupplement: off, a timed-out order is not supplemented', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  node.clock.advance(HOUR);
  while ((await expireDue(platform)) > 0);
  const input = { orderCode: String(order.id), utr: '632512349999' };
  await set('CanTimeoutSupplement', false);
  expect((await askRefused(platform, admin(), supplement, input)).code).toBe('actionNotAllowed');
  await set('CanTimeoutSupplement', true);
  await ask(platform, admin(), supplement, input);
});

test('TimeoutCallbackTime: the merchant is notified of a timeout so long after it, or not at all', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const delays = async () => {
    const order = await createOne(platform, shop.merchantId);
    node.clock.advance(15 * MINUTE);
    while ((await expireDue(platform)) > 0);
    const rows = await platform.db.query<{ at: Date }>(
      sql`select next_at as at from callback_queue where order_id = ${order.id}`,
    );
    await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
    return rows.map(({ at }) => at.getTime() - order.expiresAt!.getTime());
  };
  expect(await delays()).toEqual([]);
  await set('TimeoutCallbackTime', 60);
  expect(await delays()).toEqual([60 * SECOND]);
});

test('CallbackType: the transport of merchants without one of their own', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const transport = async () => {
    const order = await createOne(platform, shop.merchantId);
    await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
    const rows = await platform.db.query<{ transport: string }>(
      sql`select transport from callbacks where order_id = ${order.id}`,
    );
    return rows[0]!.transport;
  };
  expect(await transport()).toBe('json');
  await set('CallbackType', 'form');
  expect(await transport()).toBe('form');
  await platform.db.query(
    sql`update merchants set callback_transport = 'query' where id = ${shop.merchantId}`,
  );
  expect(await transport()).toBe('query');
});

test('NeedNameCheck: on, money of another payer is left to an operator', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const pay = async () => {
    const order = await createOne(platform, shop.merchantId, { userName: 'Asha Rao' });
    const [result] = await receiveMessages(platform, shop.monitor, [
      creditSms(platform, shop, order.payable!),
    ]);
    const [row] = await platform.db.query(
      sql`select state, reason from messages where id = (select max(id) from messages)`,
    );
    return { reported: result!.state, row };
  };
  expect((await pay()).reported).toBe('matched');
  await set('NeedNameCheck', true);
  expect(await pay()).toEqual({ reported: 'ambiguous', row: { state: 'ambiguous', reason: 'nameDiffers' } });
});

test('EnablePayPassword: off, sensitive calls need no second-level token', async () => {
  const boss = await createTestUser(node.platform, 'superAdmin');
  const { token } = await signedIn(node.platform, boss);
  const write = async () =>
    (await post(app, '/v1.0/system-config/ShowLogo', { enable: true }, { token })).code;
  expect(await write()).toBe(1024);
  await set('EnablePayPassword', false);
  expect(await write()).toBe(200);
});

test('EnableIpChangedCheck: on, a session seen from another address ends', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { token } = await signedIn(node.platform, user);
  const moved = async () =>
    (await post(app, getInfo.path, {}, { token, 'x-forwarded-for': '203.0.113.7' })).code;
  expect(await moved()).toBe(200);
  await set('EnableIpChangedCheck', true);
  expect(await moved()).toBe(1003);
});

test('KYC: on, a merchant without approved records creates nothing', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  await setKyc(platform, { subject: 'merchant', id: shop.merchantId, verdict: 'rejected' });
  await expect(createOne(platform, shop.merchantId)).rejects.toThrow('kycMissing');
  await set('KYC', false);
  await createOne(platform, shop.merchantId);
});

test('MonitorLiveTime: accounts of a monitor silent for longer get no orders', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  node.clock.advance(5 * MINUTE);
  expect((await verdictOf(1010)).get(shop.accountId)).toBe('monitorOffline');
  await set('MonitorLiveTime', 600);
  expect((await verdictOf(1010)).get(shop.accountId)).not.toBe('monitorOffline');
});

test('MonitorLiveTime: an unwatched USDT address gets no orders, because the chain’s node is silent', async () => {
  const { platform } = node;
  const { supplierId } = await makeSupplier(platform, { products: [1045] });
  const { accountId } = await makeUsdtAccount(platform, supplierId);
  expect((await verdictOf(1045)).get(accountId)).toBe('chainNodeSilent');
});

test('LimitMode: only enforced, daily limits refuse', async () => {
  const { platform } = node;
  const { supplierId } = await makeSupplier(platform);
  const { monitorId } = await makeMonitor(platform, { supplierId });
  const { accountId } = await makeAccount(platform, { supplierId, monitorId, dailyCountLimit: 0 });
  expect((await verdictOf(1010)).get(accountId)).toBe('dailyCountReached');
  await set('LimitMode', 'warn');
  expect((await verdictOf(1010)).get(accountId)).not.toBe('dailyCountReached');
});

test('redWalletCount: a wallet account holds at most so many unpaid orders, other accounts are not meant', async () => {
  const { platform } = node;
  const [wallet, upi] = [1021, 1010];
  const { supplierId } = await makeSupplier(platform, { products: [wallet, upi] });
  const { monitorId } = await makeMonitor(platform, { supplierId });
  const { accountId } = await makeAccount(platform, {
    supplierId,
    monitorId,
    products: [wallet, upi],
    weight: 9_999,
  });
  expect((await verdictOf(wallet)).get(accountId)).toBe('chosen');
  await set('redWalletCount', 1);
  expect((await verdictOf(wallet)).get(accountId)).toBe('walletFull');
  expect((await verdictOf(upi)).get(accountId)).toBe('chosen');
  await set('redWalletCount', 0);
  expect((await verdictOf(wallet)).get(accountId)).toBe('chosen');
});

test('HighPerfOrderQuery: on, a long list’s total is capped; off, it is exact', async () => {
  const { platform } = node;
  await platform.db.query(sql`
    insert into users (id, account, nickname, role, password_hash, created_at)
    select n, 'many' || n, 'x', 'merchant', 'x', now() from generate_series(1, 10010) n`);
  await platform.db.query(sql`
    insert into merchants (user_id, name, secret, created_at) select n, 'many', ''::bytea, now() from generate_series(1, 10010) n`);
  const total = async () => {
    const { total: count, totalCapped } = await ask(platform, admin(), getMerchantList, {
      name: 'many',
      pageSize: 1,
    });
    return { count, totalCapped };
  };
  expect(await total()).toEqual({ count: 10_001, totalCapped: true });
  await set('HighPerfOrderQuery', false);
  expect(await total()).toEqual({ count: 10_010, totalCapped: false });
});

test('ApiUrl: what payment addresses begin with', async () => {
  expect(await payUrlOf(node.platform, { id: 1n, productId: 1010 })).toMatch(/^http:\/\/127\.0\.0\.1/);
  await set('ApiUrl', 'https://pay.example.com/');
  expect(await payUrlOf(node.platform, { id: 1n, productId: 1010 })).toMatch(
    /^https:\/\/pay\.example\.com\/pay\//,
  );
});

test('AllowOneMonitorAccountMoreUser: on, an account may be given another supplier’s monitor, and keeps it', async () => {
  const { platform } = node;
  const [mine, theirs] = [await makeShop(platform), await makeShop(platform)];
  const give = { id: String(mine.accountId), monitorId: String(theirs.monitor.id) };
  const desk = viewerOf(platform, { role: 'admin', userId: (await createTestUser(platform, 'admin')).id });
  expect((await askRefused(platform, desk, updateAccount, give)).code).toBe('invalidInput');
  await set('AllowOneMonitorAccountMoreUser', true);
  await ask(platform, desk, updateAccount, give);
  await set('AllowOneMonitorAccountMoreUser', false);
  await ask(platform, desk, updateAccount, { id: give.id, purpose: 'rent' });
});

test('CompleteTimeFilter: the lists’ times mean the completion', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const [first, second] = [
    await createOne(platform, shop.merchantId),
    await createOne(platform, shop.merchantId),
  ];
  node.clock.advance(10 * MINUTE);
  const since = formatTime(node.clock.now());
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, first.payable!)]);
  node.clock.advance(MINUTE);
  const third = await createOne(platform, shop.merchantId);
  const listed = async () => {
    const asked = { startTime: since, merchantId: String(shop.merchantId) };
    const [{ list }, cards] = await Promise.all([
      ask(platform, admin(), getList, asked),
      ask(platform, admin(), getStatusSummary, asked),
    ]);
    expect(cards.list.reduce((sum, { count }) => sum + count, 0)).toBe(list.length);
    return list.map(({ id }) => id);
  };
  expect(await listed()).toEqual([String(third.id)]);
  await set('CompleteTimeFilter', true);
  expect(await listed()).toEqual([String(first.id)]);
  expect(second.status).toBe(1);
});

test('SupplierUnifyQueryGroup: an agent’s lists hold its own orders and its team’s', async () => {
  const { platform } = node;
  const { supplierId: agentId } = await makeSupplier(platform);
  const { supplierId } = await makeSupplier(platform, { agentId });
  const ids = [];
  for (const owner of [agentId, supplierId]) {
    const { monitorId } = await makeMonitor(platform, { supplierId: owner });
    await platform.db.query(sql`update resources set state = 1`);
    await makeAccount(platform, { supplierId: owner, monitorId });
    const { merchantId } = await makeMerchant(platform);
    ids.push(String((await createOne(platform, merchantId)).id));
  }
  const [own, theirs] = ids;
  const agent = viewerOf(platform, { role: 'supplier', supplierId: agentId });
  const seen = async (viewer: Viewer, scope?: 'own' | 'team') =>
    (await ask(platform, viewer, getList, { scope })).list.map(({ id }) => id);
  expect(await seen(agent)).toEqual([own]);
  await set('SupplierUnifyQueryGroup', true);
  expect(await seen(agent)).toEqual([theirs, own]);
  expect([await seen(agent, 'own'), await seen(agent, 'team')]).toEqual([[own], [theirs]]);
  expect(await seen(viewerOf(platform, { role: 'supplier', supplierId }))).toEqual([theirs]);
});

test('ShowUserStatisticInfo: off, merchants and suppliers are shown no figures of the day', async () => {
  const day = formatTime(node.clock.now()).slice(0, 10);
  const days = { todayDate: day, tomorrowDate: day, yesterdayDate: day };
  const { supplierId } = await makeSupplier(node.platform);
  const supplier = viewerOf(node.platform, { role: 'supplier', supplierId });
  const hidden = async (viewer: Viewer) => (await ask(node.platform, viewer, simpleStatistics, days)).hidden;
  expect([await hidden(supplier), await hidden(admin())]).toEqual([false, false]);
  await set('ShowUserStatisticInfo', false);
  expect([await hidden(supplier), await hidden(admin())]).toEqual([true, false]);
});

test('NewOrderNotice: a role that is left out is told of no new orders', async () => {
  const isTold = async (role: Role) =>
    (await ask(node.platform, viewerOf(node.platform, { role }), getLastOrder)).notice;
  expect([await isTold('technicalSupport'), await isTold('admin')]).toEqual([true, true]);
  await set('NewOrderNotice', ['admin']);
  expect([await isTold('technicalSupport'), await isTold('admin')]).toEqual([false, true]);
});

test('ShowLogo and SysFlag: what the shell shows', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const info = async () => (await post(app, getInfo.path, {}, await signedIn(node.platform, user))).data;
  expect(await info()).toMatchObject({ showLogo: true, systemFlag: 'main' });
  await set('ShowLogo', false);
  await set('SysFlag', 'north');
  expect(await info()).toMatchObject({ showLogo: false, systemFlag: 'north' });
});

test('ContactInfo: what the payer is shown', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, newOrder(shop.merchantId));
  const path = payPage.path.replace(':token', platform.vault.payToken(order.id));
  const shown = async () => (await call(app, 'GET', path)).data['contactInfo'];
  expect(await shown()).toBe('');
  await set('ContactInfo', 'help@example.com');
  expect(await shown()).toBe('help@example.com');
});
