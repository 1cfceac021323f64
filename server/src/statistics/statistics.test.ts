import { getDurations, getTable, statisticsV2 } from '@sangam/contract/endpoints/statistics.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import { simpleStatistics } from '@sangam/contract/endpoints/order.ts';
import { DAY } from '../platform/clock.ts';
import { archivedUntil } from '../testing/archived-until.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { makeMerchant, viewerOf } from '../testing/world.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { createOne, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { checkDay } from './check.ts';
import { addUp, forgetHalfHours } from './keep.ts';
import { type Question, readFreshness, readSums } from './read.ts';

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  shop = await makeShop(node.platform);
});
afterAll(() => node.close());

const dayAfter = (day: string) => new Date(parseTime(day)!.getTime() + DAY);

const question = (fields: Partial<Question> = {}): Question => ({
  direction: 'in',
  filing: 'created',
  from: new Date(node.clock.now().getTime() - 86_400_000),
  to: new Date(node.clock.now().getTime() + 86_400_000),
  by: [],
  ...fields,
});

test('an order is counted once it is added up, and the answer says until when it is fresh', async () => {
  const order = await createOne(node.platform, shop.merchantId);
  const before = await readFreshness(node.platform.db, node.clock.now());
  expect(before.asOf.getTime()).toBeLessThan(node.clock.now().getTime());
  expect(await addUp(node.platform)).toBeGreaterThan(0);
  const fresh = await readFreshness(node.platform.db, node.clock.now());
  expect(fresh.asOf).toEqual(node.clock.now());
  const [group] = await readSums(node.platform.db, question(), fresh);
  expect(group).toMatchObject({
    currency: 'INR',
    sums: { created: 1, createdAmount: 50_000, allocated: 1, paid: 0 },
  });
  node.clock.advance(90_000);
  await node.platform.db.query(sql`
    update collection_orders set status = ${COLLECTION_STATUS.paid}, received = payable, fee = 700, supplier_commission = 200,
      agent_commission = 100, paid_at = ${node.clock.now()} where id = ${order.id}`);
  await addUp(node.platform);
  for (const by of [
    [],
    ['merchant'],
    ['supplier', 'bank'],
    ['product'],
    ['merchant', 'supplier'],
    ['day', 'halfHour'],
    ['merchant', 'account', 'halfHour'],
  ] as const) {
    const groups = await readSums(node.platform.db, question({ by }), fresh);
    expect(groups).toHaveLength(1);
    expect(groups[0]!.sums).toMatchObject({ created: 1, paid: 1, fee: 700, commission: 200, timedOut: 0 });
    expect(groups[0]!.times.pay).toEqual(new Map([[48, 1]]));
  }
});

test('OrderStatisticsTimeFormat: a payment counts where its order was made, or where it was paid itself', async () => {
  const { platform, clock } = node;
  const { merchantId } = await makeShop(platform);
  const order = await createOne(platform, merchantId);
  const yesterday = businessDay(clock.now());
  clock.advance(DAY);
  await platform.db.query(sql`
    update collection_orders set status = 3, received = amount, paid_at = ${clock.now()} where id = ${order.id}`);
  await addUp(platform);
  const paidOn = async () => {
    const { list } = await ask(platform, viewerOf(platform, { role: 'merchant', merchantId }), getTable, {
      startTime: yesterday,
    });
    return list.filter(({ measures }) => measures.paid === 1).map(({ day }) => day);
  };
  expect(await paidOn()).toEqual([yesterday]);
  await platform.settings.write('OrderStatisticsTimeFormat', 'completed', null);
  expect(await paidOn()).toEqual([businessDay(clock.now())]);
});

test('statisticsV2 takes ids of users, and groups by merchant', async () => {
  const { platform } = node;
  const { merchantId, userId } = await makeMerchant(platform);
  await createOne(platform, merchantId);
  await addUp(platform);
  const admin = viewerOf(platform, { role: 'admin' });
  const { list, totals } = await ask(platform, admin, statisticsV2, {
    merchantUserId: String(userId),
    groupByMerchant: 'true',
    orderType: '0',
  });
  expect(list).toMatchObject([
    { merchantId: String(merchantId), measures: { created: 1, paid: 0, successRate: 0 } },
  ]);
  expect(totals).toMatchObject([{ currency: 'INR', measures: { created: 1 } }]);
  expect((await ask(platform, admin, statisticsV2, { merchantUserId: '1' })).list).toEqual([]);
});

test('only the largest groups, with the totals of all', async () => {
  const { platform } = node;
  const shops = [await makeShop(platform), await makeShop(platform), await makeShop(platform)];
  for (const [index, { merchantId }] of shops.entries())
    for (let n = 0; n <= index; n += 1) await createOne(platform, merchantId);
  await addUp(platform);
  node.clock.advance(DAY);
  for (const { merchantId } of shops) await createOne(platform, merchantId);
  await addUp(platform);
  const admin = viewerOf(platform, { role: 'admin' });
  const today = businessDay(node.clock.now());
  const yesterday = businessDay(new Date(node.clock.now().getTime() - DAY));
  for (const period of [
    { startTime: today, endTime: today },
    { startTime: yesterday, endTime: today },
  ])
    for (const groupBy of ['merchant', 'supplier', 'bank', 'product', 'day'] as const) {
      const all = await ask(platform, admin, getTable, { ...period, groupBy });
      const largest = await ask(platform, admin, getTable, { ...period, groupBy, rows: 2 });
      expect(largest.totals).toEqual(all.totals);
      expect(largest.totals[0]!.groups).toBe(all.list.length);
      expect(largest.list).toHaveLength(Math.min(2, all.list.length));
      for (const row of largest.list) expect(all.list).toContainEqual(row);
      const created = all.list.map(({ measures }) => measures.created!).toSorted((a, b) => b - a);
      expect(largest.list.map(({ measures }) => measures.created)).toEqual(created.slice(0, 2));
    }
});

test('half hours that are too old are forgotten, their days are not', async () => {
  const { platform, clock } = node;
  const day = businessDay(clock.now());
  clock.advance(40 * DAY);
  await forgetHalfHours(platform);
  const admin = viewerOf(platform, { role: 'admin' });
  const kept = await platform.db.query(
    sql`select distinct grain from statistics_half_hours where day = ${day}`,
  );
  expect(kept).toEqual([{ grain: 0 }]);
  const asked = { startTime: day, endTime: day };
  const { totals } = await ask(platform, admin, getTable, asked);
  // Counted from the orders themselves.
  const { list } = await ask(platform, admin, getTable, { ...asked, groupBy: 'merchant' });
  const merchantId = list.find(({ measures }) => measures.created! > 0)!.merchantId!;
  const ofOne = await ask(platform, admin, getTable, { ...asked, merchantId });
  for (const [by, of] of [
    [{ ...asked, groupBy: 'halfHour' }, totals],
    [{ ...asked, groupBy: 'halfHour', merchantId }, ofOne.totals],
  ] as const) {
    const { totals: recounted } = await ask(platform, admin, getTable, by);
    expect(of[0]!.measures.created).toBeGreaterThan(0);
    expect(recounted[0]!.measures).toEqual(of[0]!.measures);
  }
  expect(await checkDay(platform.db, day)).toEqual([]);

  // Once orders of the day may be in the archive, what was counted from the orders would be too low.
  await archivedUntil(node.owner, day);
  const merchant = viewerOf(platform, { role: 'merchant', merchantId: BigInt(merchantId) });
  const old = { todayDate: day, yesterdayDate: day, tomorrowDate: businessDay(dayAfter(day)) };
  for (const refused of [
    await askRefused(platform, admin, getTable, { ...asked, groupBy: 'halfHour', merchantId }),
    await askRefused(platform, admin, getTable, {
      startTime: `${day} 10:00:00`,
      endTime: `${day} 11:59:59`,
      merchantId,
    }),
    await askRefused(platform, admin, getDurations, {
      startTime: `${day} 10:00:00`,
      endTime: `${day} 11:59:59`,
      merchantId,
    }),
    await askRefused(platform, merchant, simpleStatistics, old),
  ])
    expect(refused.code).toBe('ordersArchived');
  expect((await ask(platform, admin, getTable, { ...asked, groupBy: 'halfHour' })).totals).toEqual(
    expect.arrayContaining([expect.objectContaining({ measures: totals[0]!.measures })]),
  );
  expect((await ask(platform, admin, getTable, { ...asked, merchantId })).totals[0]!.measures).toEqual(
    ofOne.totals[0]!.measures,
  );
  // Nor is a later period compared with it.
  const hours = question({
    by: ['halfHour'],
    merchantId: BigInt(merchantId),
    from: parseTime(day)!,
    to: dayAfter(day),
  });
  const groupsAt = async () => readSums(platform.db, hours, await readFreshness(platform.db, clock.now()));
  expect(await groupsAt()).toEqual([]);
  await node.owner.query(sql`delete from archives`);
  expect(await groupsAt()).not.toEqual([]);
});

test('home holds what today has so far against the same half hours of yesterday', async () => {
  const days = [1, 2, 3].map((ahead) => businessDay(new Date(node.clock.now().getTime() + ahead * DAY)));
  const goTo = (day: number, clock: string) =>
    node.clock.advance(parseTime(`${days[day]} ${clock}:00`)!.getTime() - node.clock.now().getTime());
  const { merchantId } = await makeMerchant(node.platform);
  for (const [day, clock] of [
    [0, '10:10'],
    [0, '10:40'],
    [1, '10:20'],
    [1, '10:35'],
  ] as const) {
    goTo(day, clock);
    await createOne(node.platform, merchantId);
  }
  await addUp(node.platform);
  const viewer = viewerOf(node.platform, { role: 'merchant', merchantId });
  const [yesterdayDate, todayDate, tomorrowDate] = days;
  const home = async () =>
    (await ask(node.platform, viewer, simpleStatistics, { yesterdayDate, todayDate, tomorrowDate })).list[0]!;
  expect(await home()).toMatchObject({
    today: { created: 2 },
    yesterday: { created: 2 },
    soFar: { until: '10:30', today: { created: 1 }, yesterday: { created: 1 } },
  });
  goTo(1, '11:00');
  expect(await home()).toMatchObject({
    soFar: { until: '11:00', today: { created: 2 }, yesterday: { created: 2 } },
  });
  // Only for today there is a 'so far'.
  goTo(2, '12:00');
  expect((await home()).soFar).toBeNull();
});

test('a day is compared with the same weekday seven days earlier, also in a period of two weeks', async () => {
  const { platform, clock } = node;
  const { merchantId } = await makeShop(platform);
  const dayAt = () => businessDay(clock.now());
  const days: string[] = [];
  await makePartitions({ db: node.owner, clock });
  // Three weeks; each day of the second week has two orders, each other day one.
  for (let day = 0; day < 21; day += 1) {
    days.push(dayAt());
    for (let n = 0; n < (day >= 7 && day < 14 ? 2 : 1); n += 1) await createOne(platform, merchantId);
    clock.advance(DAY);
  }
  await addUp(platform);
  const asked = { merchantId: String(merchantId), startTime: days[7], endTime: days[20] };
  const admin = viewerOf(platform, { role: 'admin' });
  for (const groupBy of ['day', 'halfHour'] as const) {
    const { list, lastWeekDays } = await ask(platform, admin, getTable, { ...asked, groupBy });
    expect(lastWeekDays).toBe(7);
    const lastWeekOf = (day: string) => list.find((row) => row.day === day)!.lastWeek;
    expect([lastWeekOf(days[7]!), lastWeekOf(days[14]!)]).toMatchObject([{ created: 1 }, { created: 2 }]);
  }
  // A group of the whole period moves by as many weeks as the period has.
  const { list, lastWeekDays } = await ask(platform, admin, getTable, { ...asked, groupBy: 'product' });
  expect(lastWeekDays).toBe(14);
  expect(list).toMatchObject([{ measures: { created: 21 }, lastWeek: { created: 7 } }]);
});

test('the largest day, beside the day before it', async () => {
  const { platform, clock } = node;
  const { merchantId } = await makeShop(platform);
  const days: string[] = [];
  for (const orders of [1, 1, 2]) {
    for (let n = 0; n < orders; n += 1) await createOne(platform, merchantId);
    days.push(businessDay(clock.now()));
    clock.advance(DAY);
  }
  await addUp(platform);
  const { list } = await ask(platform, viewerOf(platform, { role: 'admin' }), getTable, {
    merchantId: String(merchantId),
    startTime: days[1],
    endTime: days[2],
    groupBy: 'day',
    rows: 1,
  });
  expect(list).toMatchObject([{ day: days[2], measures: { created: 2 }, before: { created: 1 } }]);
});
