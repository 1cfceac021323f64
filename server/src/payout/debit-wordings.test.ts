import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit, type ReportedDebit } from '../testing/debits.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import { cancelClaim } from './cancel-claim.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';

/** A debit completes only the payout that its money paid: not when it repeats another debit in other words, nor when it moved before. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  shop = await makeBatchShop(world.platform);
  await world.platform.db.query(
    sql`update accounts set merchant_whitelist = ${[shop.merchantId]}::bigint[] where id = ${shop.accountId}`,
  );
  supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
});

const AMOUNT = 500_00n;
const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;
const must = (result: unknown) => {
  if (isRefusal(result)) throw new Error(result.code);
};
const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never);
const debit = (fields: Omit<ReportedDebit, 'amount'> = {}) =>
  reportDebit(world.platform, shop, { amount: AMOUNT, ...fields });
const sweep = async () => {
  await matchDebits(world.platform);
  await proveConfirmed(world.platform);
};

/** A payout whose file was exported, and marked as sent unless the options say otherwise. */
async function filed({ isSent = true } = {}) {
  const { id } = await payOut(world.platform, shop.merchantId, { amount: AMOUNT });
  const { batchId } = await makeBatch(world.platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  if (isSent) await as(batch.markPayoutBatchSent, { batchId });
  return { id, batchId };
}

async function claimed() {
  const { id } = await payOut(world.platform, shop.merchantId, { amount: AMOUNT });
  must(await claim(world.platform, supplier, id));
  return id;
}

test('the second wording of a debit, without its reference, completes no other payout that the bank has numbered', async () => {
  const one = await filed();
  await debit({ movedAt: world.clock.now() });
  await sweep();
  expect(await read(one.id)).toMatchObject({ status: 3 });
  const other = await filed();
  const row = {
    reference: `B${other.batchId}R001`,
    amount: '500',
    status: 'Processing',
    utr: newReference(),
  };
  const file = { fileName: 'report.csv', content: Buffer.from(iciciReport([row])).toString('base64') };
  await as(batch.uploadPayoutBatchResult, { batchId: other.batchId, file });
  await as(batch.confirmPayoutBatch, { batchId: other.batchId });
  world.clock.advance(MINUTE);
  await debit({ utr: null, movedAt: world.clock.now() });
  await sweep();
  expect(await read(other.id)).toMatchObject({ status: 2 });
});

test('a debit that comes an hour late and states a minute before the payout was sent does not complete it', async () => {
  const movedAt = world.clock.now();
  world.clock.advance(30 * MINUTE);
  const { id } = await filed();
  world.clock.advance(30 * MINUTE);
  await debit({ movedAt });
  await sweep();
  expect(await read(id)).toMatchObject({ status: 8 });
});

test('a debit that names the UTR a supplier stated for its claim completes no payout of a batch', async () => {
  const said = await claimed();
  const { id } = await filed();
  const utr = newReference();
  must(await confirmPaid(world.platform, supplier, { orderId: said, utr }));
  await debit({ utr });
  await sweep();
  expect(await read(id)).toMatchObject({ status: 8 });
  expect(await read(said)).toMatchObject({ status: 3, unproven: false });
});

test('a debit that may be of a claim which its supplier has not confirmed yet completes no payout of a batch', async () => {
  await claimed();
  const { id } = await filed();
  await debit();
  await sweep();
  expect(await read(id)).toMatchObject({ status: 8 });
});

test('a debit that may be of a claim which the supplier has given back completes no payout of a batch', async () => {
  const said = await claimed();
  const { id } = await filed();
  await debit();
  world.clock.advance(MINUTE);
  must(await cancelClaim(world.platform, supplier, said));
  await sweep();
  expect(await read(id)).toMatchObject({ status: 8 });
});

test('a debit that may be of a file which is not marked as sent completes no payout of another file', async () => {
  await filed({ isSent: false });
  const { id } = await filed();
  await debit();
  await sweep();
  expect(await read(id)).toMatchObject({ status: 8 });
});

test('a debit that may be of a file whose batch was called off completes no payout of another file', async () => {
  const called = await filed({ isSent: false });
  await as(batch.cancelPayoutBatch, { batchId: called.batchId, reason: 'never sent' });
  must(
    await claim(
      world.platform,
      viewerOf(world.platform, { role: 'supplier', supplierId: shop.otherSupplierId }),
      called.id,
    ),
  );
  const { id } = await filed();
  world.clock.advance(MINUTE);
  await debit();
  await sweep();
  expect(await read(id)).toMatchObject({ status: 8 });
});

test('a debit from before the claim does not prove the payout', async () => {
  const utr = newReference();
  await debit({ utr, movedAt: world.clock.now() });
  world.clock.advance(10 * MINUTE);
  const said = await claimed();
  must(await confirmPaid(world.platform, supplier, { orderId: said, utr }));
  await sweep();
  expect(await read(said)).toMatchObject({ status: 3, unproven: true });
});
