import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { MINUTE } from '../platform/clock.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit } from '../testing/debits.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { exportBatch, markSent } from './batch/send.ts';
import { confirmPaid } from './confirm-paid.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { readPayout } from './read.ts';

/** A bank calls a payout unpaid although it has paid it. */

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

function done<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(`refused ${result.code}`);
  return result;
}
const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;
const admin = async (): Promise<Viewer> => {
  const { id } = await makeUser(world.platform, { role: 'admin' });
  return viewerOf(world.platform, { role: 'admin', userId: id });
};
/** A second person approves the request that the answer names. */
const agree = async (answer: unknown) => {
  const id = BigInt((answer as { data: { todoId: string } }).data.todoId);
  return decide(world.platform, APPROVAL_HANDLERS, await admin(), { id, approve: true });
};
let rupees = 800;

/** The bank's result file calls the only row of a batch unpaid. */
async function refusedByBank() {
  rupees += 1;
  const amount = BigInt(rupees) * 100n;
  const { id } = await payOut(world.platform, shop.merchantId, { amount });
  const only = { minAmount: Number(amount), maxAmount: Number(amount) };
  const { batchId } = await makeBatch(world.platform, shop, only);
  done(await exportBatch(world.platform, shop.admin, batchId));
  done(await markSent(world.platform, shop.admin, batchId));
  const row = { reference: `B${batchId}R001`, amount: formatMinor(amount, 'INR'), status: 'Rejected' };
  const content = Buffer.from(iciciReport([{ ...row, reason: 'returned' }])).toString('base64');
  const file = { fileName: 'report.csv', content };
  await ask(world.platform, shop.admin, batch.uploadPayoutBatchResult, { batchId, file });
  await ask(world.platform, shop.admin, batch.confirmPayoutBatch, { batchId });
  expect((await read(id)).status).toBe(9);
  return { id, batchId, amount };
}

test('two people complete the payout, by the debit that contradicted the bank’s file', async () => {
  const { id, batchId, amount } = await refusedByBank();
  const utr = newReference();
  world.clock.advance(MINUTE);
  await reportDebit(world.platform, shop, { amount, utr, balance: 5_000_00n });
  expect(await reportDebitsOfEnded(world.platform)).toBe(1);
  const one = await admin();
  expect(await confirmPaid(world.platform, one, { orderId: id, utr })).toMatchObject({
    code: 'actionNotAllowed',
  });
  const hold = { subjectKind: 'order', subjectId: String(id), frozen: false, reason: 'seen' } as const;
  expect(await agree(await setFrozen(world.platform, one, hold))).toMatchObject({ status: 'approved' });
  const asked = await confirmPaid(world.platform, one, { orderId: id, utr });
  expect([(asked as Refusal).code, (await read(id)).status]).toEqual(['approvalNeeded', 9]);
  expect(await agree(asked)).toMatchObject({ status: 'approved' });
  expect(await read(id)).toMatchObject({ status: 3, utr, unproven: false });
  const { orders } = await ask(world.platform, shop.admin, batch.getPayoutBatchDetail, { batchId });
  expect(orders).toMatchObject([{ state: 'completed' }]);
});

test('nobody completes it alone, however small the sum and whatever the account’s chain says', async () => {
  const { id, amount } = await refusedByBank();
  const utr = newReference();
  world.clock.advance(MINUTE);
  await reportDebit(world.platform, shop, { amount, utr, balance: 4_000_00n });
  expect(await confirmPaid(world.platform, await admin(), { orderId: id, utr })).toMatchObject({
    code: 'approvalNeeded',
  });
  const supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
  expect(await confirmPaid(world.platform, supplier, { orderId: id, utr })).toMatchObject({
    code: 'actionNotAllowed',
  });
});
