import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, sql } from '../../platform/db/database.ts';
import { createPayouts } from '../create.ts';
import { readPayout } from '../read.ts';
import { reselectPayout } from '../reselect.ts';
import { lockPayouts } from '../store.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ask } from '../../testing/ask.ts';
import {
  type BatchShop,
  batchRequest,
  iciciReport,
  makeBatch,
  makeBatchShop,
} from '../../testing/batches.ts';
import { newReference } from '../../testing/payments.ts';
import { newPayout, payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { brokenChecks } from '../../testing/books.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { makeAccount, viewerOf } from '../../testing/world.ts';
import { claim } from '../claim.ts';
import { confirmRows } from './confirm.ts';
import { createBatch } from './create.ts';
import { handleExceptions } from './handle.ts';
import { closeBatch, exportBatch, markSent } from './send.ts';
import { uploadResult } from './upload-result.ts';

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

const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never) as Promise<never>;

test('two batches made at once never share an order', async () => {
  const { platform } = world;
  const inputs = Array.from({ length: 40 }, () => newPayout(shop.merchantId, { amount: 100_00n }));
  const orders = await createPayouts(platform, inputs);
  expect(orders.filter(isRefusal)).toEqual([]);
  const node = world.anotherNode();
  const other = { supplierId: shop.supplierId, monitorId: null, direction: 'out', products: [2001] } as const;
  const accounts = [shop, await makeAccount(platform, { ...other, bank: 'ICIC' })];
  const requests = await Promise.all(
    [0, 1, 0, 1].map((index) => batchRequest(platform, accounts[index]!, { orderCount: 15 })),
  );
  const made = await Promise.all(
    requests.map((request, index) => createBatch(index % 2 ? node : platform, shop.admin, request)),
  );
  const counts = made.flatMap((each) => (isRefusal(each) ? [] : [each.count]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
  const twice = await platform.db.query(sql`
    select order_id from payout_batch_orders where state = 'pending' group by order_id having count(*) > 1`);
  expect(twice).toEqual([]);
});

test('the same create, export, send and confirm at once have one effect', async () => {
  const { platform } = world;
  await payOut(platform, shop.merchantId, { amount: 100_00n });
  const request = await batchRequest(platform, shop);
  const made = await Promise.all(Array.from({ length: 5 }, () => createBatch(platform, shop.admin, request)));
  expect(new Set(made.map((each) => JSON.stringify(each))).size).toBe(1);
  const { batchId } = made[0] as { batchId: string };
  const five = (endpoint: Parameters<typeof ask>[2], input: object) =>
    Promise.all(Array.from({ length: 5 }, () => as(endpoint, input)));
  expect(
    new Set((await five(batch.exportPayoutBatch, { batchId })).map((each) => JSON.stringify(each))).size,
  ).toBe(1);
  await five(batch.markPayoutBatchSent, { batchId });
  const report = iciciReport([
    { reference: `B${batchId}R001`, amount: '100', status: 'Paid', utr: newReference() },
  ]);
  const file = { fileName: 'report.csv', content: Buffer.from(report).toString('base64') };
  await as(batch.uploadPayoutBatchResult, { batchId, file });
  await five(batch.confirmPayoutBatch, { batchId });
  const postings = await platform.db.query(sql`
    select 1 from postings p join payout_batch_orders i on i.order_id = p.order_id
    where i.batch_id = ${BigInt(batchId)} and p.kind = 'payoutCompleted'`);
  expect(postings).toHaveLength(1);
});

test('a node that dies before its commit leaves nothing behind, and the next press does it all', async () => {
  const { platform } = world;
  const order = await payOut(platform, shop.merchantId, { amount: 77_00n });
  const dying = openDatabase(world.url, {
    beforeCommit: () => {
      throw new Error('killed');
    },
  });
  const dead: Platform = { ...platform, db: dying };
  const request = await batchRequest(platform, shop, { minAmount: 77_00, maxAmount: 77_00 });
  await expect(createBatch(dead, shop.admin, request)).rejects.toThrow('killed');
  const made = await createBatch(platform, shop.admin, request);
  if (isRefusal(made)) throw new Error(made.code);
  const { batchId } = made;
  const report = iciciReport([
    { reference: `B${batchId}R001`, amount: '77', status: 'Paid', utr: newReference() },
  ]);
  const file = { name: 'report.csv', bytes: Buffer.from(report) };
  const steps: ((node: Platform) => Promise<unknown>)[] = [
    (node) => exportBatch(node, shop.admin, batchId),
    (node) => markSent(node, shop.admin, batchId),
    (node) => uploadResult(node, shop.admin, batchId, file),
    (node) => confirmRows(node, shop.admin, { batchId }),
    (node) => closeBatch(node, shop.admin, batchId),
  ];
  for (const step of steps) {
    await expect(step(dead)).rejects.toThrow('killed');
    expect(isRefusal(await step(platform))).toBe(false);
  }
  expect(await readPayout(platform.db, order.id)).toMatchObject({ status: 3 });
  await dying.close();
});

test('a failed row that was begun anew and claimed while the rows before it were refused is not refunded', async () => {
  const { platform } = world;
  const [first, second] = [
    (await payOut(platform, shop.merchantId, { amount: 21_00n })).id,
    (await payOut(platform, shop.merchantId, { amount: 22_00n })).id,
  ];
  const { batchId } = await makeBatch(platform, shop, { minAmount: 21_00, maxAmount: 22_00 });
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
  const { refusing } = await world.holding(async (tx) => {
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
