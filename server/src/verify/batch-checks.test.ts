import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql, type Sql } from '../platform/db/database.ts';
import { MINUTE } from '../platform/clock.ts';
import { cancelBatch, exportBatch, markSent } from '../payout/batch/send.ts';
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

test('a payout that waits in two batches is found, even without the index that forbids it', async () => {
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

test('a file made, or a batch sent, while supplier or account was on hold or a payout frozen is found', async () => {
  const { platform, clock } = world;
  const shop = await makeBatchShop(platform);
  const { id } = await payOut(platform, shop.merchantId);
  const { batchId } = await makeBatch(platform, shop);
  clock.advance(MINUTE);
  await exportBatch(platform, shop.admin, batchId);
  clock.advance(MINUTE);
  await markSent(platform, shop.admin, batchId);
  const hold = (subject: string, frozen: boolean, minutesBefore: number) => sql`
    insert into audit_log (id, action, subject, after, created_at)
    select id * 1000000 + ${minutesBefore}, 'hold.freeze', ${subject}, jsonb_build_object('frozen', ${frozen}::boolean),
      sent_at - ${minutesBefore} * interval '30 seconds' from payout_batches where id = ${batchId}`;
  await world.owner.query(hold(`supplier:${shop.supplierId}`, true, 5));
  await world.owner.query(hold(`supplier:${shop.supplierId}`, false, 4));
  expect(await brokenChecks(platform)).toEqual([]);
  await world.owner.query(hold(`account:${shop.accountId}`, true, 1));
  const [line, ...others] = await brokenChecks(platform);
  expect([line, others]).toEqual([expect.stringContaining(`batch ${batchId} was sent`), []]);
  await world.owner.query(hold(`account:${shop.accountId}`, true, 3));
  expect((await brokenChecks(platform)).join()).toContain(`batch ${batchId} was exported`);
  await world.owner.query(sql`
    insert into order_events (id, order_id, kind, actor_kind, data, created_at)
    select id - 1, order_id, 'frozen', 'system', '{}', created_at from order_events where order_id = ${id} and kind = 'created'`);
  expect((await brokenChecks(platform)).join()).toContain(`with payout ${id}, frozen since`);
});
