import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql, type Sql } from '../platform/db/database.ts';
import { cancelBatch } from '../payout/batch/send.ts';
import { makeBatch, makeBatchShop } from '../testing/batches.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';

let world: TestPlatform;
beforeEach(async () => {
  world = await createTestPlatform();
});
afterEach(() => world.close());

test.each([
  ['a sum one paisa off', sql`update payout_batches set total = total + 1`, 'counts and sums its rows'],
  ['a row less', sql`delete from payout_batch_orders where row_number = 2`, 'counts and sums its rows'],
  [
    'a row one paisa off its payout',
    sql`update payout_batch_orders set amount = amount + 1 where row_number = 1`,
    'has its payout and the amount',
  ],
  [
    'a batch that ended and holds payouts still',
    sql`update payout_batches set status = 'cancelled', ended_at = created_at where status = 'prepared'`,
    'an open row of an open batch',
  ],
  [
    'a lock of a batch that never was',
    sql`update payout_orders set locked_by = 'batch:1' where locked_by is not null`,
    'an open row of an open batch',
  ],
  [
    'a completed payout that the bank’s file calls unpaid, and nobody was told',
    sql`with r as (update payout_batch_orders set state = 'completed', proposed = 'failed' where row_number = 1 and state = 'pending'
      returning order_id) update payout_orders set status = 3, finished_at = created_at, locked_by = null where id in (select order_id from r)`,
    'its bank says is unpaid',
  ],
] as const)('%s is found and named', async (_name, damage: Sql, check) => {
  const { platform } = world;
  const shop = await makeBatchShop(platform);
  for (const amount of [100_00n, 200_00n]) await payOut(platform, shop.merchantId, { amount });
  const first = await makeBatch(platform, shop);
  await cancelBatch(platform, shop.admin, { batchId: first.batchId, reason: 'made too early' });
  await makeBatch(platform, shop);
  expect(await brokenChecks(platform)).toEqual([]);
  await platform.db.query(damage);
  expect((await brokenChecks(platform)).some((line) => line.includes(check))).toBe(true);
});

test('a payout that waits for the word of two batches is found, should the index be lost', async () => {
  const { platform } = world;
  const shop = await makeBatchShop(platform);
  await payOut(platform, shop.merchantId);
  await makeBatch(platform, shop);
  await payOut(platform, shop.merchantId);
  await makeBatch(platform, shop);
  await world.owner.query(sql`drop index payout_batch_orders_open`);
  await platform.db.query(
    sql`update payout_batch_orders set order_id = (select min(order_id) from payout_batch_orders)`,
  );
  expect((await brokenChecks(platform)).some((line) => line.includes('one batch at most'))).toBe(true);
});
