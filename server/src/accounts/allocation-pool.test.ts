import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOrders } from '../collection/create.ts';
import { expireDue } from '../collection/expire.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { DAY } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { creditSms, makeShop, newOrder, type Shop } from '../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { makeAccount } from '../testing/world.ts';
import { waitingAmountOf } from './load.ts';

let node: TestPlatform;
let nodes: readonly Platform[];
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  nodes = [node.platform, node.anotherNode()];
});
afterAll(() => node.close());
beforeEach(async () => {
  // Accounts of other tests must not compete.
  await node.platform.db.query(sql`update accounts set frozen = true`);
  shop = await makeShop(node.platform);
  // Both nodes have chosen the account and remember it.
  for (const each of nodes) expect(await allocated(each)).toBe(shop.accountId);
});

/** The account that an order of 500.00 gets on a node; null where it gets none. */
async function allocated(on: Platform, amount = 500_00n): Promise<bigint | null> {
  const [order] = await createOrders(on, [newOrder(shop.merchantId, { amount })]);
  if (!order || isRefusal(order)) throw new Error(`order refused: ${JSON.stringify(order)}`);
  return order.accountId;
}

const change = (statement: Sql) => node.platform.db.query(statement);

describe('once a change has committed, no node allocates by the earlier state', () => {
  test.each<[string, () => Sql]>([
    ['account frozen', () => sql`update accounts set frozen = true where id = ${shop.accountId}`],
    ['account disabled', () => sql`update resources set state = 1 where account_id = ${shop.accountId}`],
    [
      'limit lowered',
      () => sql`update resources set max_amount = 400_00 where account_id = ${shop.accountId}`,
    ],
    ['daily limit set', () => sql`update accounts set daily_count_limit = 1 where id = ${shop.accountId}`],
    ['supplier frozen', () => sql`update suppliers set frozen = true where id = ${shop.supplierId}`],
    [
      'terms taken away',
      () =>
        sql`update user_products set enabled = false where owner_kind = 'supplier' and owner_id = ${shop.supplierId}`,
    ],
    [
      'KYC expired',
      () =>
        sql`update kyc_records set expires_at = ${node.clock.now()} where subject_kind = 'account' and subject_id = ${shop.accountId}`,
    ],
    ['monitor unseen', () => sql`update monitors set last_seen_at = null where id = ${shop.monitor.id}`],
  ])('%s', async (_, statement) => {
    await change(statement());
    for (const each of nodes) expect(await allocated(each)).toBeNull();
  });

  test('an account added is seen at once, and one freed again', async () => {
    await change(sql`update accounts set frozen = true where id = ${shop.accountId}`);
    for (const each of nodes) expect(await allocated(each)).toBeNull();
    const { supplierId, monitor } = shop;
    const { accountId } = await makeAccount(node.platform, { supplierId, monitorId: monitor.id });
    for (const each of nodes) expect(await allocated(each)).toBe(accountId);
    await change(sql`update accounts set frozen = (id <> ${shop.accountId})`);
    for (const each of nodes) expect(await allocated(each)).toBe(shop.accountId);
  });
});

test('a change counts from its commit on; a change that is rolled back never counts', async () => {
  const freeze = sql`update accounts set frozen = true where id = ${shop.accountId}`;
  const client = await node.platform.db.pool.connect();
  try {
    for (const end of ['rollback', 'commit'] as const) {
      await client.query('begin');
      await client.query(freeze.text, freeze.values);
      for (const each of nodes) expect(await allocated(each)).toBe(shop.accountId);
      await client.query(end);
    }
  } finally {
    client.release();
  }
  for (const each of nodes) expect(await allocated(each)).toBeNull();
});

test('while an account is frozen and unfrozen repeatedly, no order goes to it while it is frozen', async () => {
  const switched = { frozen: false, turns: 0 };
  let running = true;
  const misplaced: string[] = [];
  let placed = 0;
  const load = nodes.map(async (each, index) => {
    for (let n = 0; running; n += 1) {
      // The counters show whether the account was frozen during the whole creation of the order.
      const before = { ...switched };
      const account = await allocated(each, BigInt(500_00 + n * 10 + index));
      if (account !== null) placed += 1;
      if (before.frozen && switched.turns === before.turns && account !== null)
        misplaced.push(`${index}/${n}`);
    }
  });
  for (let turn = 0; turn < 40; turn += 1) {
    const frozen = turn % 2 === 0;
    if (!frozen) switched.turns += 1;
    await change(sql`update accounts set frozen = ${frozen} where id = ${shop.accountId}`);
    switched.frozen = frozen;
    switched.turns += 1;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  running = false;
  await Promise.all(load);
  expect(placed).toBeGreaterThan(0);
  expect(misplaced).toEqual([]);
});

test('every order that can still be paid counts against the deposit, in its grace time too', async () => {
  await change(sql`update accounts set frozen = true`);
  shop = await makeShop(node.platform, 10_000_00n);
  const [first] = await createOrders(node.platform, [newOrder(shop.merchantId, { amount: 9_500_00n })]);
  if (!first || isRefusal(first)) throw new Error('refused');
  expect(first.accountId).toBe(shop.accountId);
  await expireDue(node.platform, first.expiresAt!);
  for (const each of nodes) expect(await allocated(each, 9_500_00n)).toBeNull();
  const payable = () => waitingAmountOf(node.platform.db, shop.supplierId, 'INR');
  expect(await payable()).toBe(first.payable);
  const credit = creditSms(node.platform, shop, first.payable!);
  await receiveMessages(node.platform, shop.monitor, [credit]);
  const balances = await node.platform.db.query<{ bucket: string; balance: bigint }>(sql`
    select bucket, balance from ledger_accounts
    where owner_kind = 'supplier' and owner_id = ${shop.supplierId} and bucket in ('deposit', 'debt')`);
  expect(balances).toContainEqual({ bucket: 'deposit', balance: 10_000_00n - first.payable! });
  expect(balances.filter(({ bucket, balance }) => bucket === 'debt' && balance !== 0n)).toEqual([]);
  expect(await payable()).toBe(0n);
});

test('when its grace time ends unpaid, the deposit is free again', async () => {
  await change(sql`update accounts set frozen = true`);
  shop = await makeShop(node.platform, 10_000_00n);
  expect(await allocated(node.platform, 9_500_00n)).toBe(shop.accountId);
  await expireDue(node.platform, new Date(node.clock.now().getTime() + DAY));
  await expireDue(node.platform, new Date(node.clock.now().getTime() + DAY));
  expect(await allocated(node.platform, 9_500_00n)).toBe(shop.accountId);
});
