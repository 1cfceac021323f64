import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { readPayout } from '../read.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { brokenChecks } from '../../testing/books.ts';
import { newReference } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';

let world: TestPlatform;
let shop: BatchShop;
beforeAll(async () => {
  world = await createTestPlatform();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update payout_orders set frozen = true where status = 0`);
  shop = await makeBatchShop(world.platform);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never) as Promise<never>;
const statusOf = async (orderId: bigint) => (await readPayout(world.platform.db, orderId))!.status;
const freeze = (orderId: bigint, frozen = true) =>
  world.platform.db.query(sql`update payout_orders set frozen = ${frozen} where id = ${orderId}`);
const confirm = async (batchId: string, fileHash?: string) => {
  const { list } = (await as(batch.confirmPayoutBatch, { batchId, fileHash })) as {
    list: { code: number }[];
  };
  return list.map(({ code }) => code);
};

test('a payout frozen before the export is not in the file: it waits again, held by the freeze', async () => {
  const kept = await payOut(world.platform, shop.merchantId);
  const frozen = await payOut(world.platform, shop.merchantId);
  const { batchId } = await makeBatch(world.platform, shop);
  await freeze(frozen.id);
  const { content } = (await as(batch.exportPayoutBatch, { batchId })) as { content: string };
  expect([content.includes(`B${batchId}R001`), content.includes(`B${batchId}R002`)]).toEqual([true, false]);
  expect([await statusOf(kept.id), await statusOf(frozen.id)]).toEqual([1, 0]);
});

test('the bank’s result of a frozen payout is kept, and completes it once it is unfrozen', async () => {
  const free = await payOut(world.platform, shop.merchantId);
  const frozen = await payOut(world.platform, shop.merchantId);
  const { batchId } = await makeBatch(world.platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  await freeze(frozen.id);
  const rows = [1, 2].map((row) => ({
    reference: `B${batchId}R00${row}`,
    amount: '500.00',
    status: 'Paid',
    utr: newReference(),
  }));
  const content = Buffer.from(iciciReport(rows)).toString('base64');
  await as(batch.uploadPayoutBatchResult, { batchId, file: { fileName: 'report.csv', content } });
  expect(await confirm(batchId)).toEqual([200, 1201]);
  expect([await statusOf(free.id), await statusOf(frozen.id)]).toEqual([3, 8]);
  expect(await confirm(batchId)).toEqual([1201]);
  await freeze(frozen.id, false);
  expect(await confirm(batchId)).toEqual([200]);
  expect(await readPayout(world.platform.db, frozen.id)).toMatchObject({ status: 3, utr: rows[1]!.utr });
});

test.each([
  ['payout', (id: bigint, on: boolean) => sql`update payout_orders set frozen = ${on} where id = ${id}`],
  [
    'supplier',
    (_: bigint, on: boolean) => sql`update suppliers set frozen = ${on} where id = ${shop.supplierId}`,
  ],
])(
  'the bank’s word that a completed payout failed gives nothing back while its %s is frozen',
  async (_what, hold) => {
    const { db } = world.platform;
    const order = await payOut(world.platform, shop.merchantId);
    const { batchId } = await makeBatch(world.platform, shop);
    await as(batch.exportPayoutBatch, { batchId });
    await as(batch.markPayoutBatchSent, { batchId });
    const bank = async (status: string) => {
      const rows = [{ reference: `B${batchId}R001`, amount: '500.00', status, utr: newReference() }];
      const content = Buffer.from(iciciReport(rows)).toString('base64');
      const file = { fileName: `${status}.csv`, content };
      return ask(world.platform, shop.admin, batch.uploadPayoutBatchResult, { batchId, file });
    };
    await bank('Paid');
    expect(await confirm(batchId)).toEqual([200]);
    await db.query(hold(order.id, true));
    const { fileHash } = await bank('Rejected');
    const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
    shop = { ...shop, admin: viewerOf(world.platform, { role: 'superAdmin', userId }) };
    expect(await confirm(batchId, fileHash)).toEqual([1201]);
    expect(await readPayout(db, order.id)).toMatchObject({ status: 3, reversedAt: null });
    await db.query(hold(order.id, false));
    expect(await confirm(batchId, fileHash)).toEqual([200]);
    expect((await readPayout(db, order.id))!.reversedAt).not.toBeNull();
  },
);

test.each([
  ['supplier', (on: boolean) => sql`update suppliers set frozen = ${on} where id = ${shop.supplierId}`],
  ['account', (on: boolean) => sql`update accounts set frozen = ${on} where id = ${shop.accountId}`],
])(
  'a file that went to the bank is not given out again while its %s is frozen',
  async (_what, freezePayer) => {
    const { db } = world.platform;
    await payOut(world.platform, shop.merchantId);
    const { batchId } = await makeBatch(world.platform, shop);
    const { content } = (await as(batch.exportPayoutBatch, { batchId })) as { content: string };
    await as(batch.markPayoutBatchSent, { batchId });
    await db.query(freezePayer(true));
    const refused = await askRefused(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
    expect(refused).toMatchObject({ code: 'conflict', data: { reason: 'frozen' } });
    await db.query(freezePayer(false));
    expect(await as(batch.exportPayoutBatch, { batchId })).toMatchObject({ content });
  },
);
