import { getVerifyRuns } from '@sangam/contract/endpoints/fund.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { createLog } from '../platform/log.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { ask } from '../testing/ask.ts';
import { createOne, creditSms, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import { verifyRecent, verifyWhole } from './job.ts';

let node: TestPlatform;
let shop: Shop;
let orderId: bigint;

beforeAll(async () => {
  const world = await createTestPlatform();
  // The faults planted here are expected, so their log lines are not shown to whoever runs the tests.
  node = { ...world, platform: { ...world.platform, log: createLog('silent') } };
  shop = await makeShop(node.platform);
  orderId = await pay();
});
afterAll(() => node.close());

async function pay(): Promise<bigint> {
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  const order = await createOne(node.platform, shop.merchantId, { amount: 1_000_00n });
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, order.payable!)]);
  return order.id;
}

const runs = async (query: Record<string, string> = {}) =>
  (await ask(node.platform, viewerOf(node.platform, { role: 'admin' }), getVerifyRuns, query)).list;
const query = (statement: Sql) => node.owner.query(statement);

test('nodes share the work: one run in each interval, on whichever node', async () => {
  const other = node.anotherNode();
  for (let second = 0; second < 60; second += 5) {
    await Promise.all([verifyWhole(node.platform), verifyWhole(other), verifyRecent(other)]);
    node.clock.advance(5 * SECOND);
  }
  // The first run may be a recent one, before the time of a whole run is known.
  const made = (await runs()).filter(({ scope }) => scope === 'whole');
  expect(made.map(({ ok }) => ok)).toEqual([true, true]);
  expect(made[0]!.checks).toBeGreaterThan(20);
});

const entryOf = (ownerKind: string) => sql`
  (select e.id from ledger_entries e join ledger_accounts a on a.id = e.account_id join postings p on p.id = e.posting_id
    where p.order_id = ${orderId} and a.owner_kind = ${ownerKind} limit 1)`;
const merchantAccount = () =>
  sql`owner_kind = 'merchant' and owner_id = ${shop.merchantId} and bucket = 'available'`;

/** One paisa too much or too little in each of these places, with the check that finds it. */
const PLANTED: readonly (readonly [string, (sign: 1 | -1) => Sql, string])[] = [
  [
    'a balance',
    (sign) => sql`update ledger_accounts set balance = balance + ${sign} where ${merchantAccount()}`,
    'INR is off by 1',
  ],
  [
    'an entry',
    (sign) => sql`update ledger_entries set amount = amount + ${sign} where id = ${entryOf('merchant')}`,
    `(collection/`,
  ],
  [
    'a balance after',
    (sign) =>
      sql`update ledger_entries set balance_after = balance_after + ${sign} where id = ${entryOf('merchant')}`,
    'by its entries',
  ],
  [
    "an order's fee",
    (sign) => sql`update collection_orders set fee = fee + ${sign} where id = ${orderId}`,
    'but the ledger has merchant',
  ],
];

test.each(PLANTED)('one paisa planted in %s is found and named within 60 s', async (_where, plant, named) => {
  const plantedAt = node.clock.now().getTime();
  await query(plant(1));
  const found = async () =>
    (await runs({ ok: 'false' })).find((run) => JSON.stringify(run.broken).includes(named));
  while (!(await found())) {
    expect(node.clock.now().getTime() - plantedAt).toBeLessThan(60 * SECOND);
    node.clock.advance(5 * SECOND);
    await verifyWhole(node.platform);
  }
  await query(plant(-1));
  node.clock.advance(30 * SECOND);
  await verifyWhole(node.platform);
  expect((await runs())[0]).toMatchObject({ ok: true });
  await query(sql`delete from verify_runs where not is_ok`);
});

test.each(PLANTED)('where a whole run takes long, recent runs find %s', async (_where, plant, named) => {
  node.clock.advance(20 * MINUTE);
  orderId = await pay();
  await query(sql`update verify_runs set duration_ms = 3600000`);
  await verifyRecent(node.platform);
  expect((await runs())[0]).toMatchObject({ scope: 'recent', ok: true });
  await query(plant(1));
  node.clock.advance(30 * SECOND);
  await verifyRecent(node.platform);
  expect(JSON.stringify((await runs())[0])).toContain(named);
  await query(plant(-1));
});

test('when a node is killed during its run, another node gets the lease', async () => {
  const now = node.clock.now();
  await query(
    sql`update job_leases set token = gen_random_uuid(), leased_until = ${new Date(now.getTime() + 2 * MINUTE)}`,
  );
  expect(await verifyWhole(node.platform)).toBe(false);
  node.clock.advance(2 * MINUTE);
  expect(await verifyWhole(node.platform)).toBe(true);
});
