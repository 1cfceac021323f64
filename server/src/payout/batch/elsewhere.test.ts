import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claim } from '../claim.ts';
import { confirmPaid } from '../confirm-paid.ts';
import { readPayout } from '../read.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask } from '../../testing/ask.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import {
  type BatchShop,
  iciciReport,
  makeBatch,
  makeBatchShop,
  type SaidRow,
} from '../../testing/batches.ts';
import { newReference } from '../../testing/payments.ts';
import { handBack, payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';

/** The bank's result file names a payout that has gone to another supplier's account, or to a later batch. */

let world: TestPlatform;
let shop: BatchShop;
beforeAll(async () => {
  world = await createTestPlatform();
});
beforeEach(async () => {
  shop = await makeBatchShop(world.platform);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never) as Promise<never>;
const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;
const must = (result: unknown) => {
  if (isRefusal(result)) throw new Error(result.code);
};

/** Confirms the bank's result of the batch's only row; returns the row's code and whether it needs a person. */
async function told(batchId: string, said: Omit<SaidRow, 'reference'>) {
  const content = Buffer.from(iciciReport([{ reference: `B${batchId}R001`, ...said }])).toString('base64');
  await as(batch.uploadPayoutBatchResult, { batchId, file: { fileName: 'report.csv', content } });
  const { list } = (await as(batch.confirmPayoutBatch, { batchId })) as { list: { code: number }[] };
  const { orders } = (await as(batch.getPayoutBatchDetail, { batchId })) as {
    orders: { state: string; exception: unknown }[];
  };
  return { code: list[0]?.code, state: orders[0]!.state, isException: orders[0]!.exception !== null };
}

async function sentBatch(rupees: number) {
  const amount = rupees * 100;
  const order = await payOut(world.platform, shop.merchantId, { amount: BigInt(amount) });
  const { batchId, count } = await makeBatch(world.platform, shop, { minAmount: amount, maxAmount: amount });
  expect(count).toBe(1);
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  return { batchId, order };
}

/** A payout that the batch's supplier gave back after the batch was closed, and another supplier claimed. */
async function goneToAnother(rupees: number) {
  const sent = await sentBatch(rupees);
  await as(batch.closePayoutBatch, { batchId: sent.batchId });
  const other = viewerOf(world.platform, { role: 'supplier', supplierId: shop.otherSupplierId });
  await handBack(world.platform, shop, sent.order.id);
  must(await claim(world.platform, other, sent.order.id));
  return sent;
}

test('paid after all by the first account: the supplier that has it now is credited nothing, and the row needs a person', async () => {
  const { batchId, order } = await goneToAnother(111);
  const said = { amount: '111.00', status: 'Success', utr: newReference() };
  expect(await told(batchId, said)).toEqual({ code: 1201, state: 'returned', isException: true });
  expect(await read(order.id)).toMatchObject({ status: 1, supplierId: shop.otherSupplierId });
  const deposit = (await balancesIn(world.platform, 'supplier', shop.otherSupplierId))['deposit'] ?? 0n;
  expect(deposit).toBe(0n);
});

test('a batch’s supplier reads nothing of how another supplier ended a payout that left the batch', async () => {
  const { platform } = world;
  const { batchId, order } = await goneToAnother(112);
  const utr = newReference();
  const other = viewerOf(platform, { role: 'supplier', supplierId: shop.otherSupplierId });
  must(await confirmPaid(platform, other, { orderId: order.id, utr }));
  const rowFor = async (viewer: Viewer) =>
    (await ask(platform, viewer, batch.getPayoutBatchDetail, { batchId })).orders[0]!;
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  expect(await rowFor(supplier)).toMatchObject({ state: 'returned', utr: null });
  expect(await rowFor(shop.admin)).toMatchObject({ state: 'returned', utr });
});

test('money that came back to the first account does not undo what another supplier has paid', async () => {
  const { batchId, order } = await goneToAnother(222);
  must(await confirmPaid(world.platform, shop.admin, { orderId: order.id, utr: newReference() }));
  const said = { amount: '222.00', status: 'Reversed', reason: 'Returned' };
  expect(await told(batchId, said)).toEqual({ code: 1201, state: 'returned', isException: false });
  expect(await read(order.id)).toMatchObject({ status: 3, reversedAt: null });
});

test('a payout that the first bank refuses stays with the supplier that has it now', async () => {
  const { batchId, order } = await goneToAnother(333);
  const said = { amount: '333.00', status: 'Rejected', reason: 'x' };
  // A payout that has left the batch cannot fail in it.
  expect(await told(batchId, said)).toEqual({ code: undefined, state: 'returned', isException: false });
  expect(await read(order.id)).toMatchObject({ status: 1, supplierId: shop.otherSupplierId });
});

test('of two batches of one account the result of the later one counts', async () => {
  const { batchId, order } = await sentBatch(444);
  await told(batchId, { amount: '444.00', status: 'Rejected', reason: 'x' });
  await as(batch.handlePayoutBatchExceptions, { batchId, rows: [1], action: 'retry', reason: 'again' });
  const later = await makeBatch(world.platform, shop, { minAmount: 444_00, maxAmount: 444_00 });
  await as(batch.exportPayoutBatch, { batchId: later.batchId });
  await as(batch.markPayoutBatchSent, { batchId: later.batchId });
  const said = { amount: '444.00', status: 'Success', utr: newReference() };
  expect(await told(batchId, said)).toEqual({ code: 1201, state: 'returned', isException: true });
  expect((await read(order.id)).status).toBe(8);
  expect(await told(later.batchId, said)).toMatchObject({ code: 200, state: 'completed' });
});
