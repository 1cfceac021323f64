import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makeShop, newOrder } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeAccount } from '../testing/world.ts';
import { createOrders } from './create.ts';
import { expireDue } from './expire.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

/** More than two batches. */
const SIZE = 2_400;

async function whatWaits() {
  const [row] = await node.platform.db.query<{ waiting: number; events: number; reserved: number }>(sql`
    select (select sum(waiting_count)::int from account_load) as waiting,
      (select count(*)::int from order_events where kind = 'timedOut') as events,
      (select count(*)::int from waiting_orders) as reserved`);
  return row!;
}

test('a storm of due orders is swept batch by batch on two nodes: each order once, and a node that is to stop stops', async () => {
  const { platform, clock } = node;
  const nodes = [platform, node.anotherNode()];
  const { merchantId, supplierId, monitor } = await makeShop(platform);
  await makeAccount(platform, { supplierId, monitorId: monitor.id, maxWaiting: SIZE });
  const orders = Array.from({ length: SIZE }, (_, n) =>
    newOrder(merchantId, { amount: 100_00n + BigInt(n) * 1_00n }),
  );
  for (let n = 0; n < SIZE; n += 200) {
    await createOrders(platform, orders.slice(n, n + 200));
    clock.advance(100);
  }
  expect(await whatWaits()).toEqual({ waiting: SIZE, events: 0, reserved: SIZE });

  clock.advance(16 * MINUTE);
  expect(await expireDue(platform, clock.now(), () => true)).toBeLessThan(SIZE);
  await Promise.all(nodes.map((each) => expireDue(each)));
  expect(await whatWaits()).toEqual({ waiting: 0, events: SIZE, reserved: SIZE });

  clock.advance(HOUR);
  const released = await Promise.all(nodes.map((each) => expireDue(each)));
  expect(released.reduce((sum, each) => sum + each, 0)).toBe(SIZE);
  expect(await whatWaits()).toEqual({ waiting: 0, events: SIZE, reserved: 0 });
});
