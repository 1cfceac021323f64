import { DIRECTIONS, FILINGS } from '@sangam/contract/statistics.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../demo/random.ts';
import { DAY } from '../platform/clock.ts';
import { type Database, sql } from '../platform/db/database.ts';
import {
  changeHistories,
  insertHistories,
  makeOrder,
  type Order,
  type Parties,
  stateOf,
} from '../testing/order-histories.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SEED } from '../testing/seed.ts';
import { checkDay, daysOf } from './check.ts';
import { addUp, settleOrders, sumUpDays } from './keep.ts';
import { readFreshness, readSums } from './read.ts';
import { rebuild } from './rebuild.ts';

/** Spans by merchant and supplier together, of which only the first merchants are made yet. */

let node: TestPlatform;
let orders: readonly Order[];
const random = createRandom(SEED);
const PARTIES: Parties = {
  merchants: [1n, 2n, 3n],
  suppliers: new Map([1n, 2n, 3n].map((id) => [id, [id * 10n, id * 10n + 1n]])),
};
beforeAll(async () => {
  node = await createTestPlatform();
  orders = Array.from({ length: 600 }, (_, index) => makeOrder(random, PARTIES, node.clock.now(), index));
  await insertHistories(node.platform, orders);
  await changeAll();
  node.clock.advance(20 * DAY);
  await addUp(node.platform);
  await settleOrders(node.platform);
});
afterAll(() => node.close());

async function changeAll(): Promise<void> {
  for (const order of orders) order.state = stateOf(random, PARTIES, order);
  await changeHistories(node.platform, orders);
}

/** Makes spans, one merchant in a transaction, until the spans of `merchants` are there. */
async function sumUpUntil(merchants: number): Promise<void> {
  const { db, clock } = node.platform;
  const made = async () => {
    const [row] = await db.query<{ merchants: number }>(sql`
      select count(distinct merchant_id)::int as merchants from statistics_spans where grain = 3`);
    return row!.merchants;
  };
  const broken: Pick<Database, 'tx'> = {
    tx: async (work, silence) => {
      if ((await made()) >= merchants) throw new Error('Broken off.');
      return db.tx(work, silence);
    },
  };
  await expect(sumUpDays({ db: { ...db, ...broken }, clock }, 1)).rejects.toThrow('Broken off.');
  const [state] = await db.query<{ merchant: bigint }>(
    sql`select pairs_merchant as merchant from statistics_state`,
  );
  expect(state!.merchant).toBeGreaterThan(0n);
}

/** Compares every day with its orders and spans, and the answers by merchant and supplier with those by merchant and product. */
async function compare(): Promise<void> {
  const { db } = node.platform;
  for (const day of await daysOf(db, {})) expect(await checkDay(db, day)).toEqual([]);
  const freshness = await readFreshness(db, node.clock.now());
  const to = parseTime(businessDay(node.clock.now()))!;
  const period = { from: new Date(to.getTime() - 40 * DAY), to };
  for (const direction of DIRECTIONS)
    for (const filing of FILINGS) {
      const [pairs, all] = await Promise.all(
        ([['merchant', 'bank'], []] as const).map((by) =>
          readSums(db, { direction, filing, by, ...period }, freshness),
        ),
      );
      for (const { currency, sums } of all!) {
        const sum = (name: keyof typeof sums) =>
          pairs!.reduce((total, group) => total + (group.currency === currency ? group.sums[name] : 0), 0);
        for (const name of ['created', 'paid', 'fee', 'toldFirst'] as const)
          expect([direction, filing, name, sum(name)]).toEqual([direction, filing, name, sums[name]]);
      }
    }
}

test('late changes enter the spans of the merchants that are made, and the others are made with them', async () => {
  for (const merchants of [1, 2]) {
    await sumUpUntil(merchants);
    await changeAll();
    await compare();
    await addUp(node.platform);
    await compare();
  }
  await sumUpDays(node.platform);
  await compare();
}, 60_000);

test('a rebuild of a day takes all merchants out of its spans', async () => {
  const days = await daysOf(node.platform.db, {});
  for (const day of days.slice(1, 4)) {
    await rebuild(node.platform, days);
    await sumUpUntil(2);
    await rebuild(node.platform, [day]);
    await compare();
  }
  await sumUpDays(node.platform);
  await compare();
}, 60_000);
