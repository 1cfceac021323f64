import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { reportDebit } from '../testing/debits.ts';
import { brokenChecks } from '../testing/books.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { matchDebits } from './match-debits.ts';
import { readPayout } from './read.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

/** More accounts than one look of the sweep takes. */
const MANY = 15;
const AMOUNT = 100_00n;

const setMode = ({ accountId }: BatchShop, mode: 'required' | 'optional') =>
  world.platform.db.query(sql`update accounts set balance_mode = ${mode} where id = ${accountId}`);

/** A payout at the bank and a debit of its amount, which states no balance. */
async function sentAndDebited(shop: BatchShop): Promise<bigint> {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId, { amount: AMOUNT });
  const { batchId } = await makeBatch(platform, shop);
  await ask(platform, shop.admin, batch.exportPayoutBatch, { batchId });
  await ask(platform, shop.admin, batch.markPayoutBatchSent, { batchId });
  await reportDebit(platform, shop, { amount: AMOUNT });
  return id;
}
const statusOf = async (id: bigint) => (await readPayout(world.platform.db, id))!.status;

test('debits that no chain corroborates do not keep others waiting, and each is looked at again', async () => {
  const stuck: { shop: BatchShop; id: bigint }[] = [];
  for (let n = 0; n < MANY; n += 1) {
    const shop = await makeBatchShop(world.platform);
    await setMode(shop, 'required');
    stuck.push({ shop, id: await sentAndDebited(shop) });
  }
  for (let n = 0; n < MANY; n += 1) expect(await matchDebits(world.platform)).toBe(0);
  const fresh = await makeBatchShop(world.platform);
  const provable = await sentAndDebited(fresh);
  expect(await matchDebits(world.platform)).toBe(1);
  expect(await statusOf(provable)).toBe(3);
  for (const { shop } of stuck) await setMode(shop, 'optional');
  let joined = 0;
  for (let n = 0; n < MANY; n += 1) joined += await matchDebits(world.platform);
  expect(joined).toBe(MANY);
  expect(await Promise.all(stuck.map(({ id }) => statusOf(id)))).toEqual(stuck.map(() => 3));
});
