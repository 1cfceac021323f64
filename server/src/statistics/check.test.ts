import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heartbeat } from '../evidence/monitors/heartbeat.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import { raw, type Sql, type Tx, sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { createOne, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { checksOfDay } from './check.ts';
import { addUp, settleOrders, sumUpDays } from './keep.ts';

/** The check of a day's sums, in slices so small that the day has many. */

let node: TestPlatform;
let shops: Shop[];
let day: string;
const SIZE = 4;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  shops = [await makeShop(node.platform), await makeShop(node.platform), await makeShop(node.platform)];
  // A day lies ahead. Its orders come in five hours; one half hour has more of them than a slice.
  node.clock.advance(DAY - ((node.clock.now().getTime() + 5.5 * HOUR) % DAY) + HOUR);
  day = businessDay(node.clock.now());
  for (let hour = 0; hour < 5; hour += 1) {
    for (const shop of hour === 2 ? [...shops, ...shops, ...shops] : shops) await order(shop);
    node.clock.advance(HOUR);
  }
  await addUp(node.platform);
  await settleOrders(node.platform);
}, 60_000);
afterAll(() => node.close());

/** An order of the shop's merchant, paid after a minute. */
async function order(shop: Shop): Promise<void> {
  for (const { monitor } of shops) await heartbeat(node.platform, monitor, { scriptVersion: '1' });
  const { id } = await createOne(node.platform, shop.merchantId);
  node.clock.advance(MINUTE);
  await pay(id);
}
const pay = (id: bigint) =>
  node.platform.db.query(sql`
    update collection_orders set status = ${COLLECTION_STATUS.paid}, received = payable, fee = 700, paid_at = ${node.clock.now()}
    where id = ${id}`);

const isCut = (statement: Sql): boolean => / % \d+ = \d+/.test(statement.sql);

/** Runs the check, each statement in a snapshot of its own. `between` runs before each of them. */
async function check(between: () => Promise<unknown> = async () => {}) {
  const { db } = node.platform;
  const statements = await checksOfDay((statement) => db.query(statement), sql`${day}::date`, SIZE);
  const found: string[] = [];
  for (const statement of statements) {
    await between();
    for (const { detail } of await db.query<{ detail: string }>(statement)) found.push(detail);
  }
  return { found, statements };
}

test('a large day is compared in many statements, also its largest half hour', async () => {
  const { found, statements } = await check();
  expect(found).toEqual([]);
  expect(statements.length).toBeGreaterThan(15);
  expect(statements.filter(isCut).length).toBeGreaterThan(10);
}, 60_000);

test('orders that change between the statements are no difference', async () => {
  let turn = 0;
  const works = [
    () => createOne(node.platform, shops[0]!.merchantId),
    () => addUp(node.platform),
    async () => {
      const [last] = await node.platform.db.query<{ id: bigint }>(sql`
        select max(id) as id from collection_orders where paid_at is null and account_id is not null`);
      if (last?.id) await pay(last.id);
    },
    () =>
      node.platform.db.query(sql`
        update collection_orders set fee = fee + 1 where id = (select min(id) from collection_orders where paid_at is not null)`),
    () => settleOrders(node.platform),
  ];
  const { found } = await check(async () => {
    turn += 1;
    await works[turn % works.length]!();
  });
  expect(found).toEqual([]);
  expect(turn).toBeGreaterThan(15);
}, 60_000);

class Undo extends Error {}

test('a wrong sum is named in every table and grain', async () => {
  await addUp(node.platform);
  node.clock.advance(9 * DAY);
  await settleOrders(node.platform);
  await sumUpDays(node.platform);
  const wrong = (table: string, sum: string, are: Sql) =>
    sql`update ${raw(table)} set ${raw(`${sum} = coalesce(${sum}, 0) + 1`)} where day = ${day} and ${are}`;
  const work = async (tx: Tx): Promise<void> => {
    await tx.query(wrong('statistics_days', 'created', sql`grain = 7`));
    await tx.query(wrong('statistics_days', 'fee', sql`grain in (0, 5, 6)`));
    await tx.query(sql`delete from statistics_half_hours where day = ${day} and half_hour = 8 and grain > 0`);
    await tx.query(wrong('statistics_half_hours', 'created', sql`grain = 0`));
    await tx.query(wrong('statistics_spans', 'paid', sql`span = 1`));
    // Merchant and supplier together: one merchant's rows are lost, another's count a payment too many, and a third has a row of no order.
    const [lost, high, strange] = shops.map(({ merchantId }) => merchantId);
    await tx.query(sql`delete from statistics_spans where grain = 3 and merchant_id = ${lost!}`);
    await tx.query(
      sql`update statistics_spans set paid = coalesce(paid, 0) + 1 where grain = 3 and merchant_id = ${high!}`,
    );
    await tx.query(sql`
      insert into statistics_spans (direction, grain, span, day, merchant_id, supplier_id, account_id, product_id, currency, created)
      select direction, grain, span, day, ${strange!}, supplier_id, 0, 0, currency, created from statistics_spans
      where grain = 3 and merchant_id = ${high!} limit 1`);
    const found: string[] = [];
    for (const statement of await checksOfDay((each) => tx.query(each), sql`${day}::date`, SIZE))
      for (const { detail } of await tx.query<{ detail: string }>(statement)) found.push(detail);
    const named = (table: string, grain: number, sum: string) =>
      found.some((detail) => detail.startsWith(`${table} of [${grain},`) && detail.includes(`"${sum}"`));
    expect(named('statistics_days', 7, 'created')).toBe(true);
    for (const grain of [0, 5, 6]) {
      expect(named('statistics_days', grain, 'fee'), `days ${grain}`).toBe(true);
      expect(named('statistics_half_hours', grain, 'created'), `half hours ${grain}`).toBe(true);
    }
    for (const grain of [1, 2, 4, 8])
      expect(named('statistics_spans', grain, 'paid'), `spans ${grain}`).toBe(true);
    for (const merchantId of [lost, high, strange])
      expect(
        found.some(
          (detail) =>
            detail.startsWith('statistics_spans of [3, 8,') && detail.includes(`", ${merchantId}, `),
        ),
        `spans 3 of ${merchantId}`,
      ).toBe(true);
    throw new Undo();
  };
  await expect(node.owner.tx(work)).rejects.toThrow(Undo);
}, 60_000);
