import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../platform/refusal.ts';
import { ask } from '../../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { brokenChecks } from '../../testing/books.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { viewerOf } from '../../testing/world.ts';
import { claim } from '../claim.ts';
import { readPayout } from '../read.ts';
import { reselectPayout } from '../reselect.ts';
import { lockPayouts } from '../store.ts';
import { handleExceptions } from './handle.ts';

/** Rows of a batch are refused one after the other; meanwhile a colleague may have given one of them to somebody. */

let world: TestPlatform;
let shop: BatchShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

test('a failed row that was begun anew and claimed while the rows before it were refused is not refunded', async () => {
  const { platform } = world;
  const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
    ask(platform, shop.admin, endpoint, input as never) as Promise<never>;
  const [first, second] = [
    (await payOut(platform, shop.merchantId, { amount: 21_00n })).id,
    (await payOut(platform, shop.merchantId, { amount: 22_00n })).id,
  ];
  const { batchId } = await makeBatch(platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  const rows = ['21.00', '22.00'].map((amount, index) => ({
    reference: `B${batchId}R00${index + 1}`,
    amount,
    status: 'Rejected',
    reason: 'x',
  }));
  const content = Buffer.from(iciciReport(rows)).toString('base64');
  await as(batch.uploadPayoutBatchResult, { batchId, file: { fileName: 'report.csv', content } });
  await as(batch.confirmPayoutBatch, { batchId });
  const request = { batchId, rows: [1, 2], action: 'reject', reason: 'refund' } as const;
  const { refusing } = await platform.db.tx(async (tx) => {
    await lockPayouts(tx, [first]);
    const waiting = { refusing: handleExceptions(platform, shop.admin, request) };
    await waitsForLock(platform);
    expect(isRefusal(await reselectPayout(platform, shop.admin, second))).toBe(false);
    const rival = viewerOf(platform, { role: 'supplier', supplierId: shop.otherSupplierId });
    expect(isRefusal(await claim(platform, rival, second))).toBe(false);
    return waiting;
  });
  await refusing;
  expect((await readPayout(platform.db, first))!.status).toBe(6);
  expect(await readPayout(platform.db, second)).toMatchObject({
    status: 1,
    supplierId: shop.otherSupplierId,
  });
});
