import { whatIf } from '@sangam/contract/endpoints/what-if.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOrders } from '../../collection/create.ts';
import { expireDue } from '../../collection/expire.ts';
import { createRandom } from '../../demo/random.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { DAY, HOUR, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { archivedUntil } from '../../testing/archived-until.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { creditSms, makeShop, newOrder, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { SEED } from '../../testing/seed.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';

/** Replays a day that the real allocation served. */

let node: TestPlatform;
let shops: Shop[];
let admin: Viewer;
let day: string;
const ORDERS = 120;
beforeAll(async () => {
  node = await createTestPlatform();
  const { platform, clock } = node;
  const random = createRandom(SEED);
  // The deposit of the third shop carries only a little.
  shops = [await makeShop(platform), await makeShop(platform), await makeShop(platform, 3_000_00n)];
  await platform.db.query(sql`update accounts set max_waiting = 3 where id = ${shops[0]!.accountId}`);
  await platform.db.query(sql`update accounts set daily_count_limit = 20 where id = ${shops[1]!.accountId}`);
  admin = viewerOf(platform, { role: 'admin', userId: (await makeUser(platform, { role: 'admin' })).id });
  // A whole business day lies ahead.
  clock.advance(DAY - ((clock.now().getTime() + 5.5 * HOUR) % DAY) + HOUR);
  day = businessDay(clock.now());
  const newOne = () => newOrder(shops[0]!.merchantId, { amount: BigInt(random.int(5, 9)) * 100_00n });
  for (let made = 0; made < ORDERS;) {
    await pass(random.int(5, 80));
    for (const shop of shops) await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
    // Calls that come together are allocated together.
    const together = Math.min(random.chance(0.2) ? random.int(2, 4) : 1, ORDERS - made);
    made += together;
    for (const order of await createOrders(platform, Array.from({ length: together }, newOne))) {
      if (isRefusal(order)) throw new Error(order.code);
      const shop = shops.find(({ accountId }) => accountId === order.accountId);
      if (!shop || random.chance(0.4)) continue;
      await pass(random.int(1, 30));
      await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
    }
  }
  await pass(DAY / SECOND);
}, 120_000);
afterAll(() => node.close());

/** Time passes, and sweeps run whenever something is due, as the loop would do it. */
async function pass(seconds: number): Promise<void> {
  const { platform, clock } = node;
  const end = new Date(clock.now().getTime() + seconds * SECOND);
  for (;;) {
    const [next] = await platform.db.query<{ at: Date | null }>(sql`
      select min(case when timed_out then release_at else expires_at end) as at from waiting_orders`);
    if (!next?.at || next.at > end) break;
    clock.set(next.at);
    await expireDue(platform);
  }
  clock.set(end);
}

const run = (change: Readonly<Record<string, unknown>> = {}) =>
  ask(node.platform, admin, whatIf, { day, ...change });

test(`with nothing changed every order gets the account it had (SEED=${SEED})`, async () => {
  const before = await counts();
  const { asItWas, changed, sameAccount } = await run();
  expect(asItWas.orders).toBe(ORDERS);
  expect(asItWas.refused).toBeGreaterThan(0);
  expect(sameAccount).toBe(ORDERS);
  expect(changed).toEqual(asItWas);
  const [real] = await node.platform.db.query<{
    paid: number;
    amount: bigint;
    fee: bigint;
    profit: bigint;
  }>(sql`
    select count(*)::int as paid, sum(received)::bigint as amount, sum(fee)::bigint as fee,
      sum(fee - supplier_commission - agent_commission)::bigint as profit
    from collection_orders where received is not null`);
  expect(asItWas.money).toEqual([
    {
      currency: 'INR',
      paid: real!.paid,
      paidAmount: Number(real!.amount),
      fee: Number(real!.fee),
      profit: Number(real!.profit),
    },
  ]);
  // The replay has written nothing.
  expect(await counts()).toEqual(before);
});

test('more room refuses fewer orders, a closed account gives others more, and a rate changes only the fee', async () => {
  const { asItWas, changed } = await run({ maxWaiting: 1000, limitMode: 'off', floatSteps: 50 });
  expect(changed.refused).toBeLessThan(asItWas.refused);
  const closed = String(shops[1]!.accountId);
  const without = await run({ accounts: [{ resourceId: closed, closed: true }] });
  expect(without.changed.accounts.map(({ resourceId }) => resourceId)).not.toContain(closed);
  const full = String(shops[0]!.accountId);
  const limited = await run({
    limitMode: 'enforce',
    accounts: [{ resourceId: full, dailyAmountLimit: 1_500_00 }],
  });
  // Unpaid orders give their room back, so more than three of 500 may come.
  const ordersOf = ({ accounts }: typeof asItWas) =>
    accounts.find(({ resourceId }) => resourceId === full)!.orders;
  expect(ordersOf(limited.changed)).toBeLessThan(ordersOf(asItWas));
  expect(limited.changed.why.map(({ verdict }) => verdict)).toContain('dailyAmountReached');
  const dearer = await run({ ratePpm: 60_000 });
  expect(dearer.changed.allocated).toBe(asItWas.allocated);
  expect(dearer.changed.money[0]!.fee).toBeGreaterThan(asItWas.money[0]!.fee);
  expect(dearer.changed.money[0]!.paidAmount).toBe(asItWas.money[0]!.paidAmount);
});

test('a day some of whose orders are in the archive is refused, because its replay would miss them', async () => {
  await archivedUntil(node.owner, day);
  expect(await askRefused(node.platform, admin, whatIf, { day })).toMatchObject({ code: 'ordersArchived' });
  await node.owner.query(sql`delete from archives`);
});

test('a day that is not over is refused', async () => {
  const today = businessDay(node.clock.now());
  expect(await askRefused(node.platform, admin, whatIf, { day: today })).toMatchObject({
    code: 'invalidInput',
  });
});

const counts = () =>
  node.platform.db.query(sql`
    select (select count(*)::int from collection_orders) as orders, (select count(*)::int from order_events) as events,
      (select count(*)::int from allocation_runs) as runs, (select sum(waiting_count)::int from account_load) as waiting,
      (select count(*)::int from waiting_orders) as rows`);
