import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { SETTINGS } from '@sangam/contract/settings.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop, type SaidRow } from '../testing/batches.ts';
import { reportDebit } from '../testing/debits.ts';
import { brokenChecks } from '../testing/books.ts';
import { newReference } from '../testing/payments.ts';
import { handBack, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';
import { reject } from './reject.ts';

/** The debit of a payout whose money came back is no evidence that another payout was paid. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
let superAdmin: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
  supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
  const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
  superAdmin = viewerOf(world.platform, { role: 'superAdmin', userId });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;
const must = (result: unknown) => {
  if (isRefusal(result)) throw new Error(result.code);
};
const sweep = async () => {
  await proveConfirmed(world.platform);
  await matchDebits(world.platform);
};
const reverseOne = async (id: bigint) => must(await reverseByTwo(world.platform, { orderId: id }));

/** A payout that its supplier says it paid by this UTR. */
async function saidPaid(amount: bigint, utr: string) {
  const { id } = await payOut(world.platform, shop.merchantId, { amount });
  must(await claim(world.platform, supplier, id));
  must(await confirmPaid(world.platform, supplier, { orderId: id, utr }));
  return id;
}

/** Payouts of one amount, at the bank by one file. */
async function sent(amount: bigint, count: number) {
  const ids: bigint[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await payOut(world.platform, shop.merchantId, { amount })).id);
  const only = { minAmount: Number(amount), maxAmount: Number(amount) };
  const { batchId } = await makeBatch(world.platform, shop, only);
  await ask(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
  await ask(world.platform, shop.admin, batch.markPayoutBatchSent, { batchId });
  return { batchId, ids };
}

/** The bank's result file about the batch's rows, in their order, confirmed. */
async function report(
  batchId: string,
  amount: bigint,
  rows: readonly Omit<SaidRow, 'reference' | 'amount'>[],
) {
  const said = rows.map((row, index) => ({
    reference: `B${batchId}R00${index + 1}`,
    amount: formatMinor(amount, 'INR'),
    ...row,
  }));
  const file = { fileName: 'report.csv', content: Buffer.from(iciciReport(said)).toString('base64') };
  await ask(world.platform, shop.admin, batch.uploadPayoutBatchResult, { batchId, file });
  await ask(world.platform, shop.admin, batch.confirmPayoutBatch, { batchId });
}

const debit = (amount: bigint, utr = newReference()) => reportDebit(world.platform, shop, { amount, utr });

test('the debit of a reversed payout proves no other payout that its supplier says it paid by the same UTR', async () => {
  const utr = newReference();
  const first = await saidPaid(101_00n, utr);
  await debit(101_00n, utr);
  await sweep();
  expect(await read(first)).toMatchObject({ unproven: false });
  await reverseOne(first);
  const second = await saidPaid(101_00n, utr);
  await sweep();
  expect(await read(second)).toMatchObject({ status: 3, unproven: true });
});

test('the debit of a reversed payout proves no other payout when it comes after the reversal either', async () => {
  const utr = newReference();
  await reverseOne(await saidPaid(102_00n, utr));
  const second = await saidPaid(102_00n, utr);
  await debit(102_00n, utr);
  await sweep();
  expect(await read(second)).toMatchObject({ status: 3, unproven: true });
  await reverseOne(second);
  expect(await read(await saidPaid(102_00n, utr))).toMatchObject({ status: 3, unproven: true });
});

test('the desk may join the debit of a reversed payout to the payout that it confirms', async () => {
  const utr = newReference();
  const mistaken = await saidPaid(103_00n, utr);
  await debit(103_00n, utr);
  await sweep();
  await reverseOne(mistaken);
  const { id } = await payOut(world.platform, shop.merchantId, { amount: 103_00n });
  must(await claim(world.platform, supplier, id));
  must(await confirmPaid(world.platform, shop.admin, { orderId: id, utr }));
  expect(await read(id)).toMatchObject({ status: 3, unproven: false });
  const [match] = await world.platform.db.query(
    sql`select evidence from message_matches where order_id = ${id}`,
  );
  expect(match).toEqual({ evidence: 'payoutUtr' });
});

test('the debit of a reversed payout does not support the desk’s word: past the sum of a day a second person agrees', async () => {
  await world.platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  const utr = newReference();
  const mistaken = await saidPaid(113_00n, utr);
  await debit(113_00n, utr);
  await sweep();
  await reverseOne(mistaken);
  const { id } = await payOut(world.platform, shop.merchantId, { amount: 113_00n });
  must(await claim(world.platform, supplier, id));
  for (const viewer of [shop.admin, superAdmin])
    expect(await confirmPaid(world.platform, viewer, { orderId: id, utr })).toMatchObject({
      code: 'approvalNeeded',
    });
  expect((await read(id)).status).toBe(1);
  await world.platform.settings.write('UnprovenDayLimit', SETTINGS.UnprovenDayLimit.fallback, null);
});

test('the debit of a payout that failed afterwards proves no other payout, whoever has the failed one by now', async () => {
  const utr = newReference();
  const { batchId, ids } = await sent(104_00n, 1);
  await report(batchId, 104_00n, [{ status: 'Processing', utr }]);
  await report(batchId, 104_00n, [{ status: 'Rejected', reason: 'account closed' }]);
  await debit(104_00n, utr);
  const other = await saidPaid(104_00n, utr);
  await sweep();
  expect(await read(other)).toMatchObject({ status: 3, unproven: true });
  must(await reject(world.platform, supplier, { orderId: ids[0]!, reason: 'the bank refused it' }));
  await sweep();
  expect(await read(other)).toMatchObject({ status: 3, unproven: true });
});

test('a debit that came while two payouts of its amount were open does not complete one once the other failed', async () => {
  const { batchId, ids } = await sent(105_00n, 2);
  await debit(105_00n);
  await sweep();
  await report(batchId, 105_00n, [{ status: 'Rejected', reason: 'returned' }, { status: 'Processing' }]);
  await sweep();
  expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual([9, 2]);
  must(await reject(world.platform, supplier, { orderId: ids[0]!, reason: 'returned' }));
  await sweep();
  expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual([0, 2]);
});

test.each(['supplier', 'admin'] as const)(
  'a debit that came while two payouts of a closed batch were open completes none after a %s said that the other was not paid',
  async (role) => {
    const amount = role === 'supplier' ? 109_00n : 110_00n;
    const { batchId, ids } = await sent(amount, 2);
    await debit(amount);
    await ask(world.platform, shop.admin, batch.closePayoutBatch, { batchId });
    if (role === 'supplier') await handBack(world.platform, shop, ids[0]!);
    else must(await reject(world.platform, shop.admin, { orderId: ids[0]!, reason: 'not paid' }));
    await sweep();
    expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual([
      role === 'supplier' ? 0 : 6,
      7,
    ]);
  },
);

test('a debit that comes after the other of its amount had failed completes the payout', async () => {
  const { batchId, ids } = await sent(106_00n, 2);
  await report(batchId, 106_00n, [
    { status: 'Rejected', reason: 'no such account' },
    { status: 'Processing' },
  ]);
  // Sooner it may still be the other one's: a text without a time may come late.
  world.clock.advance(6 * MINUTE);
  await debit(106_00n);
  await sweep();
  expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual([9, 3]);
});

test('a reference that the bank’s file gave two payouts completes neither', async () => {
  const utr = newReference();
  const { batchId, ids } = await sent(111_00n, 2);
  await report(batchId, 111_00n, [
    { status: 'Processing', utr },
    { status: 'Processing', utr },
  ]);
  await debit(111_00n, utr);
  await sweep();
  expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual([2, 2]);
});

test.each([
  ['with its UTR', 107_00n, newReference()],
  ['without one', 108_00n, undefined],
])(
  'the late debit of a payout that its file completed %s and that came back completes no other payout of the amount',
  async (_name, amount, utr) => {
    const { batchId, ids } = await sent(amount, 2);
    const paid = utr ? { status: 'Paid', utr } : { status: 'Paid' };
    await report(batchId, amount, [paid, { status: 'Processing' }]);
    await reverseOne(ids[0]!);
    await debit(amount, utr);
    await sweep();
    expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual([6, 2]);
  },
);
