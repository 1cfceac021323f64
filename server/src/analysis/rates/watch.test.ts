import { afterAll, beforeAll, expect, test } from 'vitest';
import { rateKeyOf } from '@sangam/contract/alerts.ts';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ensurePartitions } from '../../platform/db/partitions.ts';
import { makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { lookAtRates } from './watch.ts';

/** The watch over success rates, on real orders. */

let node: TestPlatform;
let shops: Shop[];
beforeAll(async () => {
  node = await createTestPlatform();
  shops = [await makeShop(node.platform), await makeShop(node.platform)];
  const now = node.clock.now();
  await ensurePartitions(node.owner, new Date(now.getTime() - 40 * DAY), new Date(now.getTime() + DAY));
});
afterAll(() => node.close());

/** Creates orders evenly from `from` to `to`. A `share` of them is paid a minute later, unless that is after `now`. */
async function orders(shop: Shop, from: Date, to: Date, count: number, share: number): Promise<void> {
  const { platform } = node;
  const now = platform.clock.now();
  const step = (to.getTime() - from.getTime()) / count;
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(from.getTime() + n * step);
    const paidAt = new Date(at.getTime() + MINUTE);
    // The golden ratio spreads the paid orders evenly.
    const paid = (n * 0.618_034) % 1 < share && paidAt <= now;
    return { id: platform.ids.next(at), at, paidAt: paid ? paidAt : null };
  });
  await platform.db.query(sql`
    insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, payable, received, status,
      supplier_id, account_id, identify_code, notify_url, merchant_rate_ppm, merchant_fixed_fee, paid_at, created_at)
    select id, ${shop.merchantId}, 'R' || id, 1010, 'INR', 10000, 10000, case when paid_at is not null then 10000 end,
      case when paid_at is null then 2 else 3 end, ${shop.supplierId}, ${shop.accountId}, 'X', '', 0, 0, paid_at, at
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ at }) => at)}::timestamptz[],
      ${rows.map(({ paidAt }) => paidAt)}::timestamptz[]) as v (id, at, paid_at)`);
}

const open = async () =>
  (
    await node.platform.db.query<{ kind: string; subject: string }>(sql`
      select kind, subject from alerts where closed_at is null and kind in ('successRateFall', 'accountAlone') order by 1, 2`)
  ).map(({ kind, subject }) => `${kind} ${subject}`);

test('missing payments raise one alert within three minutes, and it closes when payments come again', async () => {
  const { platform, clock } = node;
  const half = 30 * MINUTE;
  // Moves to the middle of a half hour, so that the same half hour of four weeks is in the past.
  clock.advance(half - (clock.now().getTime() % half) + 20 * MINUTE);
  const [first, second] = [shops[0]!, shops[1]!];
  const begin = new Date(Math.floor(clock.now().getTime() / half) * half);
  for (let week = 1; week <= 4; week += 1) {
    const from = new Date(begin.getTime() - week * 7 * DAY);
    for (const shop of shops) await orders(shop, from, new Date(from.getTime() + 2 * half), 1200, 0.7);
  }
  const back = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE);
  for (const shop of shops) await orders(shop, back(45), back(0), 900, 0.7);
  await lookAtRates(platform);
  expect(await open()).toEqual([]);

  // Three minutes without payments on the first account.
  clock.advance(3 * MINUTE);
  await orders(first, back(3), back(0), 60, 0);
  await orders(second, back(3), back(0), 60, 0.7);
  await node.platform.db.query(sql`
    update collection_orders set received = null, paid_at = null, status = 2
    where account_id = ${first.accountId} and paid_at > ${back(3)}`);
  await lookAtRates(platform);
  expect(await open()).toEqual([
    `accountAlone ${first.accountId}`,
    'successRateFall bank HDFC INR',
    `successRateFall merchant ${first.merchantId} INR`,
    'successRateFall product 1010 INR',
  ]);
  // The alert is raised once, however often the fall is seen.
  const told = await open();
  await lookAtRates(platform);
  expect(await open()).toEqual(told);
  for (const subject of told.filter((each) => each.startsWith('successRateFall')))
    expect(rateKeyOf(subject.replace('successRateFall ', ''))).toBeDefined();

  // Payments come again, on all accounts.
  clock.advance(30 * MINUTE);
  for (const shop of shops) await orders(shop, back(30), back(0), 600, 0.7);
  await lookAtRates(platform);
  expect(await open()).toEqual([]);
});

test('a fall of thirty points on one account is named within three minutes, and only this account', async () => {
  const { platform, clock } = node;
  const half = 30 * MINUTE;
  // Past all orders of the first test.
  clock.advance(half - (clock.now().getTime() % half) + 2 * half + 20 * MINUTE);
  const pair = [await makeShop(platform), await makeShop(platform)];
  const [fallen, well] = [pair[0]!, pair[1]!];
  const begin = new Date(Math.floor(clock.now().getTime() / half) * half);
  const back = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE);
  for (const shop of pair) {
    for (let week = 1; week <= 4; week += 1) {
      const from = new Date(begin.getTime() - week * 7 * DAY);
      await orders(shop, from, new Date(from.getTime() + 2 * half), 1200, 0.7);
    }
    await orders(shop, back(45), back(0), 45 * 60, 0.7);
  }
  await lookAtRates(platform);
  expect(await open()).toEqual([]);

  // Three of seven payments of the last three minutes stay away.
  await platform.db.query(sql`
    update collection_orders set received = null, paid_at = null, status = 2 where id in (
      select id from (
        select id, row_number() over (order by id) as place from collection_orders
        where account_id = ${fallen.accountId} and paid_at > ${back(3)}
      ) p where place % 7 < 3)`);
  await lookAtRates(platform);
  const ofAccounts = async () => (await open()).filter((each) => each.includes('ccount'));
  expect(await ofAccounts()).toEqual([`successRateFall account ${fallen.accountId} INR`]);
  expect(rateKeyOf(`account ${fallen.accountId} INR`)).toMatchObject({ kind: 'account' });

  // Then all payments stay away: the account fails alone.
  await platform.db.query(sql`
    update collection_orders set received = null, paid_at = null, status = 2
    where account_id = ${fallen.accountId} and paid_at > ${back(3)}`);
  await lookAtRates(platform);
  expect(await ofAccounts()).toEqual([
    `accountAlone ${fallen.accountId}`,
    `successRateFall account ${fallen.accountId} INR`,
  ]);

  clock.advance(30 * MINUTE);
  for (const shop of [fallen, well]) await orders(shop, back(30), back(0), 30 * 60, 0.7);
  await lookAtRates(platform);
  expect(await open()).toEqual([]);
});
