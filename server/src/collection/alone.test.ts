import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { makeShop, newOrder } from '../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { makeAccount } from '../testing/world.ts';
import { createOrders } from './create.ts';

/* An order that is created alone is written on a guess. Whatever happens in between, the result must be as exact as without the guess. */

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

async function createAlone(nodeOf: TestPlatform['platform'], order: ReturnType<typeof newOrder>) {
  const [created] = await createOrders(nodeOf, [order]);
  if (!created || isRefusal(created)) throw new Error(`refused: ${JSON.stringify(created)}`);
  return created;
}

test('two nodes create orders of one amount one by one: limits are filled exactly and no amount is given twice', async () => {
  const nodes = [node.platform, node.anotherNode()];
  const { merchantId, supplierId, accountId, monitor } = await makeShop(node.platform);
  const other = await makeAccount(node.platform, { supplierId, monitorId: monitor.id, maxWaiting: 1000 });
  const accounts = [accountId, other.accountId];
  const LIMIT = 12;
  await node.platform.db.query(
    sql`update accounts set daily_count_limit = ${LIMIT} where id = any(${accounts})`,
  );
  const made = (
    await Promise.all(
      nodes.map(async (each) => {
        const orders = [];
        for (let n = 0; n < 18; n += 1) orders.push(await createAlone(each, newOrder(merchantId)));
        return orders;
      }),
    )
  ).flat();
  const placed = made.filter((order) => order.accountId !== null);
  expect(placed).toHaveLength(2 * LIMIT);
  expect(new Set(placed.map((order) => `${order.accountId}/${order.payable}`)).size).toBe(placed.length);
  const carried = await node.platform.db.query(sql`
    select l.waiting_count as waiting, d.orders, d.allocated, (d.amount = l.waiting_amount) as "sameAmount"
    from account_load l join account_days d using (account_id) where account_id = any(${accounts})`);
  expect(carried).toEqual(
    accounts.map(() => ({ waiting: LIMIT, orders: LIMIT, allocated: LIMIT, sameAmount: true })),
  );
});

test('an account filled, freed or passed over by another node since the last order is checked again', async () => {
  const [here, there] = [node.platform, node.anotherNode()];
  const { merchantId, accountId } = await makeShop(here);
  await here.db.query(
    sql`update accounts set frozen = (id <> ${accountId}), max_waiting = 2 where id >= ${accountId}`,
  );
  await here.db.query(sql`update accounts set frozen = true where id < ${accountId}`);
  const first = await createAlone(here, newOrder(merchantId));
  const second = await createAlone(there, newOrder(merchantId));
  expect([first.accountId, second.accountId]).toEqual([accountId, accountId]);
  expect(second.payable).not.toBe(first.payable);
  for (const each of [here, there])
    expect((await createAlone(each, newOrder(merchantId))).accountId).toBeNull();
  await here.db.query(sql`update accounts set max_waiting = 3 where id = ${accountId}`);
  expect((await createAlone(here, newOrder(merchantId))).accountId).toBe(accountId);
});

test('a number used before answers its order on either node; with other content 1103', async () => {
  const nodes = [node.platform, node.anotherNode()];
  const { merchantId, accountId } = await makeShop(node.platform);
  await node.platform.db.query(sql`update accounts set frozen = (id <> ${accountId})`);
  const order = newOrder(merchantId);
  const { id } = await createAlone(node.platform, order);
  for (const each of nodes) {
    // This makes the next order a guessed one.
    await createAlone(each, newOrder(merchantId));
    expect((await createAlone(each, order)).id).toBe(id);
    const [changed] = await createOrders(each, [{ ...order, amount: order.amount + 1n }]);
    expect(changed).toMatchObject({ code: 'orderNumberReused' });
  }
  expect(
    await node.platform.db.query(
      sql`select waiting_count as n from account_load where account_id = ${accountId}`,
    ),
  ).toEqual([{ n: 3 }]);
});
