import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, violated } from '../platform/db/database.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { post, type Leg, type PostingRequest } from './post.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

const merchant = (amount: bigint, ownerId: bigint, spillsToDebt = false): Leg => ({
  ownerKind: 'merchant',
  ownerId,
  bucket: 'available',
  amount,
  spillsToDebt,
});
const outside = (amount: bigint): Leg => ({ ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount });
const request = (key: string, legs: Leg[]): PostingRequest => ({
  key,
  kind: 'test',
  orderId: null,
  currency: 'INR',
  legs,
});

const postNow = (...requests: PostingRequest[]) =>
  world.platform.db.tx((tx) => post(world.platform, tx, requests));

async function balances(ownerId: bigint): Promise<Record<string, bigint>> {
  const rows = await world.platform.db.query<{ bucket: string; balance: bigint }>(sql`
    select bucket, balance from ledger_accounts where owner_kind = 'merchant' and owner_id = ${ownerId}`);
  return Object.fromEntries(rows.map((row) => [row.bucket, row.balance]));
}

test('a key posts once, also when two transactions post it at once', async () => {
  const same = () => postNow(request('once', [merchant(100n, 1n), outside(-100n)]));
  const outcomes = await Promise.allSettled([same(), same(), same()]);
  const posted = outcomes.filter(
    (outcome) => outcome.status === 'fulfilled' && outcome.value[0] === 'posted',
  );
  expect(posted).toHaveLength(1);
  expect(await balances(1n)).toEqual({ available: 100n });
});

test('a posting that would go below a floor fails alone; the others of the list are posted', async () => {
  const outcomes = await postNow(
    request('a', [merchant(50n, 2n), outside(-50n)]),
    request('b', [merchant(-80n, 2n), outside(80n)]),
    request('c', [merchant(-20n, 2n), outside(20n)]),
  );
  expect(outcomes).toEqual(['posted', 'insufficient', 'posted']);
  expect(await balances(2n)).toEqual({ available: 30n });
});

test('what a balance cannot carry becomes debt, and the next credit repays it first', async () => {
  await postNow(request('d', [merchant(30n, 3n), outside(-30n)]));
  await postNow(request('e', [merchant(-100n, 3n, true), outside(100n)]));
  expect(await balances(3n)).toEqual({ available: 0n, debt: -70n });
  await postNow(request('f', [merchant(90n, 3n, true), outside(-90n)]));
  expect(await balances(3n)).toEqual({ available: 20n, debt: 0n });
});

test('unbalanced legs throw, and the database refuses unbalanced entries too', async () => {
  await expect(postNow(request('g', [merchant(1n, 4n), outside(-2n)]))).rejects.toThrow('does not balance');
  const forged = world.platform.db.query(sql`
    insert into postings (id, key, kind, currency, entry_count, entry_sum, created_at)
    values (1, 'forged', 'test', 'INR', 2, 1, now())`);
  await expect(forged).rejects.toSatisfy((error) => violated(error) === 'entries_sum_to_zero');
  const overdrawn = world.platform.db.query(
    sql`update ledger_accounts set balance = -1 where owner_kind = 'merchant' and owner_id = 1`,
  );
  await expect(overdrawn).rejects.toSatisfy((error) => violated(error) === 'balance_above_floor');
});

test('transfers in both directions at once neither deadlock nor lose a unit', async () => {
  await postNow(
    request('h', [merchant(1000n, 5n), outside(-1000n)]),
    request('i', [merchant(1000n, 6n), outside(-1000n)]),
  );
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      postNow(
        request(
          `move ${n}`,
          n % 2 ? [merchant(7n, 5n), merchant(-7n, 6n)] : [merchant(-7n, 5n), merchant(7n, 6n)],
        ),
      ),
    ),
  );
  expect((await balances(5n))['available']! + (await balances(6n))['available']!).toBe(2000n);
  const [drift] = await world.platform.db.query(sql`
    select a.id from ledger_accounts a
    where a.balance <> coalesce((select sum(amount) from ledger_entries e where e.account_id = a.id), 0) limit 1`);
  expect(drift).toBeUndefined();
});
