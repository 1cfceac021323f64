import { CODES } from '@sangam/contract/codes.ts';
import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { brokenChecks } from '../../testing/books.ts';
import { reportDebit } from '../../testing/debits.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { matchDebits } from '../match-debits.ts';
import { readPayout } from '../read.ts';

/** What two people agree to about a batch is what the one who asked saw. */

let world: TestPlatform;
let shop: BatchShop;
let clerk: Viewer;
let boss: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform, 10n ** 10n);
  await world.platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  [clerk, boss] = [await someone('customerService'), await someone('superAdmin')];
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

async function someone(role: 'superAdmin' | 'customerService'): Promise<Viewer> {
  const { id: userId } = await makeUser(world.platform, { role });
  return viewerOf(world.platform, { role, userId });
}

async function exported(...amounts: readonly bigint[]) {
  const ids: bigint[] = [];
  for (const amount of amounts) ids.push((await payOut(world.platform, shop.merchantId, { amount })).id);
  const { batchId } = await makeBatch(world.platform, shop);
  await ask(world.platform, clerk, batch.exportPayoutBatch, { batchId });
  return { batchId, ids };
}
async function debit(amount: bigint): Promise<void> {
  await reportDebit(world.platform, shop, { amount });
  await matchDebits(world.platform);
}
const payout = (id: bigint) => readPayout(world.platform.db, id);

test('who agrees that the bank did not pay gives nothing back that its debit has shown to be paid since', async () => {
  const { batchId, ids } = await exported(201_00n);
  await ask(world.platform, clerk, batch.markPayoutBatchSent, { batchId });
  const rows = [{ reference: `B${batchId}R001`, amount: formatMinor(201_00n, 'INR'), status: 'Rejected' }];
  const file = { fileName: 'report.csv', content: Buffer.from(iciciReport(rows)).toString('base64') };
  await ask(world.platform, clerk, batch.uploadPayoutBatchResult, { batchId, file });
  const { list } = await ask(world.platform, clerk, batch.confirmPayoutBatch, { batchId });
  expect(list.map(({ code }) => code)).toEqual([CODES.approvalNeeded.code]);
  const [request] = (await ask(world.platform, boss, todo.getMine, { kind: 'resultFile' })).list;
  await debit(201_00n);
  expect(await payout(ids[0]!)).toMatchObject({ status: 3 });
  const refused = await askRefused(world.platform, boss, todo.decide, { id: request!.id, approve: true });
  expect(refused.code).toBe('conflict');
  expect(await payout(ids[0]!)).toMatchObject({ status: 3, reversedAt: null });
});
