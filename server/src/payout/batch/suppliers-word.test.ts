import { CODES } from '@sangam/contract/codes.ts';
import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { SETTINGS } from '@sangam/contract/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { reject } from '../reject.ts';
import { proveConfirmed } from '../prove.ts';
import { readPayout } from '../read.ts';
import { ask } from '../../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { reportDebit } from '../../testing/debits.ts';
import { brokenChecks } from '../../testing/books.ts';
import { newReference } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** A result file that a supplier uploads is the supplier's word: anybody can write such a file. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
  supplier = viewerOf(world.platform, {
    role: 'supplier',
    supplierId: shop.supplierId,
    userId: shop.adminId,
  });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

async function someone(role: 'superAdmin' | 'customerService'): Promise<Viewer> {
  const { id: userId } = await makeUser(world.platform, { role });
  return viewerOf(world.platform, { role, userId });
}

const debit = (amount: bigint, utr: string, balance?: bigint) =>
  reportDebit(world.platform, shop, { amount, utr, balance });

/** `viewer` uploads and confirms a file about the batch's only row. */
async function report(viewer: Viewer, batchId: string, amount: bigint, status: string, utr?: string) {
  const row = { reference: `B${batchId}R001`, amount: formatMinor(amount, 'INR'), status };
  const content = iciciReport([utr === undefined ? row : { ...row, utr }]);
  const file = { fileName: 'report.csv', content: Buffer.from(content).toString('base64') };
  await ask(world.platform, viewer, batch.uploadPayoutBatchResult, { batchId, file });
  return ask(world.platform, viewer, batch.confirmPayoutBatch, { batchId });
}

/** One payout at the bank that a file calls paid; `viewer` uploads and confirms the file. */
async function saidPaid(
  viewer: Viewer,
  amount: bigint,
  utr?: string,
  before: () => Promise<void> = async () => undefined,
) {
  const { id } = await payOut(world.platform, shop.merchantId, { amount });
  const { batchId } = await makeBatch(world.platform, shop);
  await ask(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
  await ask(world.platform, shop.admin, batch.markPayoutBatchSent, { batchId });
  await before();
  await report(viewer, batchId, amount, 'Paid', utr);
  return { id, batchId };
}
const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;

test('a supplier is not told which of the staff made a batch or brought its file; the desk is', async () => {
  const { batchId } = await saidPaid(shop.admin, 102_00n, newReference());
  const names = async (viewer: Viewer) => {
    const { platform } = world;
    const detail = await ask(platform, viewer, batch.getPayoutBatchDetail, { batchId });
    const { list } = await ask(platform, viewer, batch.getPayoutBatchList, { batchId });
    return [detail.batch, ...list]
      .map(({ createdBy }) => createdBy)
      .concat(detail.results.map(({ uploadedBy }) => uploadedBy));
  };
  expect(await names(supplier)).toEqual(['operator', 'operator', 'operator']);
  expect(await names(shop.admin)).not.toContain('operator');
});

test('a payout that a supplier confirms by a file is unproven until its debit comes', async () => {
  const utr = newReference();
  const { id } = await saidPaid(supplier, 101_00n, utr);
  expect(await read(id)).toMatchObject({ status: 3, unproven: true });
  await debit(101_00n, utr);
  expect(await proveConfirmed(world.platform)).toBe(1);
  expect(await read(id)).toMatchObject({ status: 3, unproven: false });
});

test('a payout of a supplier’s file is proven at once by a debit that came before; a row without a UTR waits for the desk', async () => {
  const utr = newReference();
  const { id: proven } = await saidPaid(supplier, 102_00n, utr, () => debit(102_00n, utr));
  expect(await read(proven)).toMatchObject({ status: 3, utr, unproven: false });
  expect(await read((await saidPaid(supplier, 103_00n)).id)).toMatchObject({
    status: 3,
    utr: null,
    unproven: true,
  });
});

test('a debit with a balance the account never had does not prove a supplier’s file; for the desk a debit is proof enough', async () => {
  await debit(11_00n, newReference(), 1_000_000_00n);
  const utr = newReference();
  const forged = () => debit(106_00n, utr, 50_00n);
  const { id } = await saidPaid(supplier, 106_00n, utr, forged);
  expect(await proveConfirmed(world.platform)).toBe(0);
  expect(await read(id)).toMatchObject({ status: 3, utr, unproven: true });
  const other = newReference();
  const { id: ofDesk } = await saidPaid(shop.admin, 107_00n, other, () => debit(107_00n, other, 50_00n));
  expect(await read(ofDesk)).toMatchObject({ status: 3, utr: other, unproven: false });
});

test('the desk’s confirmation does not prove a payout either, until the debit comes', async () => {
  const utr = newReference();
  const { id } = await saidPaid(shop.admin, 104_00n, utr);
  expect(await read(id)).toMatchObject({ status: 3, unproven: true });
  await debit(104_00n, utr);
  expect(await proveConfirmed(world.platform)).toBe(1);
  expect(await read(id)).toMatchObject({ status: 3, unproven: false });
});

test('a supplier reverses no completed payout by a file, nor does the desk by a supplier’s file', async () => {
  const { id, batchId } = await saidPaid(shop.admin, 105_00n, newReference());
  const { list } = await report(supplier, batchId, 105_00n, 'Reversed');
  expect(list).toMatchObject([{ code: CODES.actionNotAllowed.code }]);
  const ofDesk = await ask(world.platform, await someone('superAdmin'), batch.confirmPayoutBatch, {
    batchId,
  });
  expect(ofDesk.list).toMatchObject([{ code: CODES.actionNotAllowed.code }]);
  expect(await read(id)).toMatchObject({ status: 3, reversedAt: null });
});

test.each(['supplier', 'customerService'] as const)(
  'a supplier’s file that says a payout at the bank failed, confirmed by a %s, leaves it to be confirmed: nobody refunds it or pays it again alone',
  async (role) => {
    const { platform } = world;
    const amount = role === 'supplier' ? 112_00n : 113_00n;
    const confirmer = role === 'supplier' ? supplier : await someone(role);
    await platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
    const { id } = await payOut(platform, shop.merchantId, { amount });
    const { batchId } = await makeBatch(platform, shop);
    await ask(platform, shop.admin, batch.exportPayoutBatch, { batchId });
    await ask(platform, shop.admin, batch.markPayoutBatchSent, { batchId });
    const row = { reference: `B${batchId}R001`, amount: formatMinor(amount, 'INR'), status: 'Rejected' };
    const file = { fileName: 'r.csv', content: Buffer.from(iciciReport([row])).toString('base64') };
    await ask(platform, supplier, batch.uploadPayoutBatchResult, { batchId, file });
    await ask(platform, confirmer, batch.confirmPayoutBatch, { batchId });
    await reject(platform, confirmer, { orderId: id, reason: 'rejected' });
    expect(await read(id)).toMatchObject({ status: 7, supplierId: shop.supplierId });
    await platform.settings.write('UnprovenDayLimit', SETTINGS.UnprovenDayLimit.fallback, null);
  },
);

test('what the bank’s file takes back is a reversal: an admin’s waits for approval, the file is its evidence', async () => {
  const { id, batchId } = await saidPaid(shop.admin, 108_00n, newReference());
  const desk = await someone('customerService');
  expect((await report(desk, batchId, 108_00n, 'Reversed')).list).toMatchObject([
    { code: CODES.actionNotAllowed.code },
  ]);
  const { list } = await ask(world.platform, shop.admin, batch.confirmPayoutBatch, { batchId });
  expect(list).toMatchObject([{ code: CODES.approvalNeeded.code }]);
  expect(await read(id)).toMatchObject({ status: 3, reversedAt: null });
  const boss = await someone('superAdmin');
  const waiting = await ask(world.platform, boss, todo.getMine, { kind: 'reversal' });
  expect(waiting.list[0]).toMatchObject({
    subjectId: String(id),
    payload: { batchId, fileHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  await ask(world.platform, boss, todo.decide, { id: waiting.list[0]!.id, approve: true });
  expect(await read(id)).toMatchObject({ status: 6, reversedAt: world.clock.now() });
});

test('a supplier’s file stays the supplier’s word in the desk’s hands, and takes the place of no file of the desk', async () => {
  const { id } = await payOut(world.platform, shop.merchantId, { amount: 109_00n });
  const { batchId } = await makeBatch(world.platform, shop);
  await ask(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
  await ask(world.platform, shop.admin, batch.markPayoutBatchSent, { batchId });
  const upload = (viewer: Viewer, status: string, utr?: string) => {
    const row = { reference: `B${batchId}R001`, amount: formatMinor(109_00n, 'INR'), status };
    const content = iciciReport([utr === undefined ? row : { ...row, utr }]);
    const file = { fileName: 'report.csv', content: Buffer.from(content).toString('base64') };
    return ask(world.platform, viewer, batch.uploadPayoutBatchResult, { batchId, file });
  };
  const ofSupplier = await upload(supplier, 'Paid', newReference());
  const bank = await upload(shop.admin, 'Rejected');
  await upload(supplier, 'Paid', newReference());
  const confirm = (fileHash: string) =>
    ask(world.platform, shop.admin, batch.confirmPayoutBatch, { batchId, fileHash });
  expect((await confirm(ofSupplier.fileHash)).list).toMatchObject([{ code: CODES.conflict.code }]);
  expect((await confirm(bank.fileHash)).list).toMatchObject([{ code: CODES.ok.code }]);
  expect(await read(id)).toMatchObject({ status: 9 });
});

test('a payout that a supplier’s file calls paid is unproven, though the desk confirms it', async () => {
  const { id } = await payOut(world.platform, shop.merchantId, { amount: 110_00n });
  const { batchId } = await makeBatch(world.platform, shop);
  await ask(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
  await ask(world.platform, shop.admin, batch.markPayoutBatchSent, { batchId });
  const row = {
    reference: `B${batchId}R001`,
    amount: formatMinor(110_00n, 'INR'),
    status: 'Paid',
    utr: newReference(),
  };
  const file = { fileName: 'own.csv', content: Buffer.from(iciciReport([row])).toString('base64') };
  await ask(world.platform, supplier, batch.uploadPayoutBatchResult, { batchId, file });
  await ask(world.platform, shop.admin, batch.confirmPayoutBatch, { batchId });
  expect(await read(id)).toMatchObject({ status: 3, unproven: true });
});

test('nor do a supplier’s file and its own forged debit prove it together, though the desk confirms', async () => {
  await debit(11_00n, newReference(), 1_000_000_00n);
  const { id } = await payOut(world.platform, shop.merchantId, { amount: 112_00n });
  const { batchId } = await makeBatch(world.platform, shop);
  await ask(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
  await ask(world.platform, shop.admin, batch.markPayoutBatchSent, { batchId });
  const utr = newReference();
  await debit(112_00n, utr, 50_00n);
  const row = { reference: `B${batchId}R001`, amount: formatMinor(112_00n, 'INR'), status: 'Paid', utr };
  const file = { fileName: 'own.csv', content: Buffer.from(iciciReport([row])).toString('base64') };
  await ask(world.platform, supplier, batch.uploadPayoutBatchResult, { batchId, file });
  await ask(world.platform, shop.admin, batch.confirmPayoutBatch, { batchId });
  expect(await read(id)).toMatchObject({ status: 3, unproven: true });
});

test('a completed payout that the bank rejects after all is an exception: people are notified, a reversal is offered', async () => {
  const { id, batchId } = await saidPaid(shop.admin, 111_00n, newReference());
  expect(await read(id)).toMatchObject({ status: 3 });
  const boss = await someone('superAdmin');
  const { list } = await report(shop.admin, batchId, 111_00n, 'Rejected');
  expect(list).toMatchObject([{ code: CODES.approvalNeeded.code }]);
  const { batch: shown, orders } = await ask(world.platform, shop.admin, batch.getPayoutBatchDetail, {
    batchId,
  });
  expect([shown.exceptions, orders[0]!.proposal?.outcome]).toEqual([1, 'failed']);
  const notified = await world.platform.db.query(
    sql`select distinct kind from inbox_messages where kind = 'bankSaysUnpaid' and data->>'order' = ${String(id)}`,
  );
  expect(notified).toHaveLength(1);
  const waiting = await ask(world.platform, boss, todo.getMine, { kind: 'reversal' });
  await ask(world.platform, boss, todo.decide, { id: waiting.list[0]!.id, approve: true });
  expect(await read(id)).toMatchObject({ status: 6, reversedAt: world.clock.now() });
});
