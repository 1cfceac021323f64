import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPayers } from '../accounts/payers.ts';
import type { PayoutChannels } from '../channels/payout-channel.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { raw, sql } from '../platform/db/database.ts';
import { createBatch } from './batch/create.ts';
import type { Platform } from '../platform/platform.ts';
import { batchRequest, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting, makeGatewayAccount } from '../testing/gateway.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import { createDispatcher } from './dispatch.ts';
import { reselectPayout } from './reselect.ts';
import { readPayouts } from './store.ts';

let world: TestPlatform;
let other: Platform;
let shop: PayoutShop;
let accountId: bigint;
beforeAll(async () => {
  world = await createTestPlatform();
  other = world.anotherNode();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  // Payouts that one test leaves waiting would use the room of the next test.
  await world.platform.db.query(sql`update payout_orders set frozen = true where status = 0`);
  shop = await makePayoutShop(world.platform, 10n ** 12n);
  accountId = await makeGatewayAccount(world.platform, shop.supplierId);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

let answer: 'accepted' | 'refused' = 'accepted';
const channelsOf = (platform: Platform): PayoutChannels =>
  new Map([
    [
      GATEWAY_PAYOUT,
      {
        payers: () => openPayers(platform, platform.db, 'gateway', GATEWAY_PAYOUT),
        send: (_payout, key) =>
          Promise.resolve(
            answer === 'accepted'
              ? { outcome: 'accepted', reference: `pout_${key}` }
              : { outcome: 'refused', reason: 'no such payee' },
          ),
        check: () => Promise.resolve({ state: 'processing' }),
      },
    ],
  ]);
const dispatch = (platform = world.platform) => dispatchWaiting(platform, channelsOf(platform));
const make = async (amount = 500_00n) =>
  (await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT, amount })).id;
const payersOf = async (ids: readonly bigint[]) => {
  const orders = new Map((await readPayouts(world.platform.db, ids)).map((order) => [order.id, order]));
  return ids.map((id) => orders.get(id)!.accountId);
};
const set = (id: bigint, column: string, value: unknown) =>
  world.platform.db.query(sql`update accounts set ${raw(column)} = ${value} where id = ${id}`);

test('a gateway account pays within its hours and its amounts; what fits no account waits and blocks nothing', async () => {
  const large = await makeGatewayAccount(world.platform, shop.supplierId);
  await world.platform.db.query(sql`
    update resources set min_amount = case when account_id = ${large} then 100000 else 100 end, max_amount =
      case when account_id = ${large} then 900000 else 99900 end where account_id in (${accountId}, ${large})`);
  const ids = [await make(9_500_00n), await make(500_00n), await make(5_000_00n)];
  // The account opens in an hour and closes in three.
  const [hour = 0, minute = 0] = formatTime(world.clock.now()).slice(11, 16).split(':').map(Number);
  const now = hour * 60 + minute;
  await world.platform.db.query(sql`
    update accounts set opens_minute = ${(now + 60) % 1_440}, closes_minute = ${(now + 180) % 1_440} where id = ${accountId}`);
  await dispatch();
  expect(await payersOf(ids)).toEqual([null, null, large]);
  world.clock.advance(2 * HOUR);
  await dispatch();
  expect(await payersOf(ids)).toEqual([null, accountId, large]);
});

test('an account pays only for the merchants it is for', async () => {
  await set(accountId, 'merchant_whitelist', [shop.merchantId + 1n]);
  const id = await make();
  await dispatch();
  expect(await payersOf([id])).toEqual([null]);
  await set(accountId, 'merchant_whitelist', [shop.merchantId]);
  await dispatch();
  expect(await payersOf([id])).toEqual([accountId]);
});

test('daily limits of an account end its payouts exactly, on two nodes; the next takes over, failures use nothing', async () => {
  const next = await makeGatewayAccount(world.platform, shop.supplierId);
  await world.platform.db.query(sql`update resources set weight = 10 where account_id = ${next}`);
  await set(accountId, 'daily_count_limit', 3);
  await set(next, 'daily_amount_limit', 1_000_00n);
  const ids = [];
  for (let made = 0; made < 7; made += 1) ids.push(await make());
  await Promise.all([dispatch(), dispatch(other), dispatch()]);
  await dispatch();
  const paying = (await payersOf(ids)).map(String).toSorted();
  expect(Map.groupBy(paying, String).get(String(accountId))).toHaveLength(3);
  expect(Map.groupBy(paying, String).get(String(next))).toHaveLength(2);
  expect(Map.groupBy(paying, String).get('null')).toHaveLength(2);
  // The next day both accounts have room again. A refused payout gives its room back.
  world.clock.advance(DAY);
  answer = 'refused';
  await dispatch();
  answer = 'accepted';
  const failed = (await readPayouts(world.platform.db, ids)).filter(({ status }) => status === 9);
  expect(failed).toHaveLength(2);
  const desk = viewerOf(world.platform, { role: 'admin' });
  for (const { id } of failed) await reselectPayout(world.platform, desk, id);
  await make();
  await dispatch();
  expect((await payersOf(failed.map(({ id }) => id))).map(String)).toEqual([
    String(accountId),
    String(accountId),
  ]);
});

test('LimitMode off: daily limits of accounts are not looked at', async () => {
  const { settings } = world.platform;
  await set(accountId, 'daily_count_limit', 0);
  const id = await make();
  await dispatch();
  expect(await payersOf([id])).toEqual([null]);
  await settings.write('LimitMode', 'off', null);
  await dispatch();
  expect(await payersOf([id])).toEqual([accountId]);
  await settings.write('LimitMode', 'enforce', null);
});

test('a batch takes no more than its account’s day leaves', async () => {
  const batchShop = await makeBatchShop(world.platform);
  const wanted = { minAmount: 7_000_00, maxAmount: 7_000_00 };
  await set(batchShop.accountId, 'daily_count_limit', 2);
  for (let made = 0; made < 3; made += 1)
    await payOut(world.platform, batchShop.merchantId, { amount: 7_000_00n });
  expect(await makeBatch(world.platform, batchShop, wanted)).toMatchObject({ count: 2 });
  const again = await batchRequest(world.platform, batchShop, wanted);
  expect(await createBatch(world.platform, batchShop.admin, again)).toMatchObject({
    code: 'dailyLimitReached',
  });
});

test('a payout that the gateway keeps waiting does not hold up those after it', async () => {
  const { platform } = world;
  await world.platform.db.query(sql`
    update accounts set daily_count_limit = null, daily_amount_limit = null, merchant_whitelist = null`);
  const answered = Promise.withResolvers<void>();
  const [slow, quick] = [await make(), await make()];
  const channels: PayoutChannels = new Map([
    [
      GATEWAY_PAYOUT,
      {
        send: async ({ orderCode }, key) => {
          if (orderCode === String(slow)) await answered.promise;
          return { outcome: 'accepted', reference: `pout_${key}` };
        },
        check: () => Promise.resolve({ state: 'processing' }),
      },
    ],
  ]);
  const statusOf = async (id: bigint) => (await readPayouts(platform.db, [id]))[0]!.status;
  const { submitted, preparing } = PAYOUT_STATUS;
  const dispatcher = createDispatcher(platform, channels);
  await dispatcher.round();
  await expect.poll(() => statusOf(quick)).toBe(submitted);
  const after = await make();
  await dispatcher.round();
  await expect.poll(() => statusOf(after)).toBe(submitted);
  expect(await statusOf(slow)).toBe(preparing);
  answered.resolve();
  await dispatcher.settled();
  expect(await statusOf(slow)).toBe(submitted);
});
