import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask } from '../../testing/ask.ts';
import {
  type BatchShop,
  iciciReport,
  makeBatch,
  makeBatchShop,
  type SaidRow,
} from '../../testing/batches.ts';
import { brokenChecks } from '../../testing/books.ts';
import { reportDebit } from '../../testing/debits.ts';
import { newReference } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import { claim } from '../claim.ts';
import { confirmPaid } from '../confirm-paid.ts';
import { reportDebitsOfEnded } from '../ended-debits.ts';
import { matchDebits } from '../match-debits.ts';
import { proveConfirmed } from '../prove.ts';
import { readPayout } from '../read.ts';
import { reject } from '../reject.ts';

/** What a bank says of a file's row after the payout has failed, was called off, or was paid by hand. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
  const [owner] = await world.platform.db.query<{ userId: bigint }>(
    sql`select user_id as "userId" from suppliers where id = ${shop.supplierId}`,
  );
  supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId, ...owner });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const as = (endpoint: Parameters<typeof ask>[2], input: object, by = shop.admin) =>
  ask(world.platform, by, endpoint, input as never) as Promise<never>;
const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;
const must = (result: unknown) => {
  if (isRefusal(result)) throw new Error(result.code);
};
const told = async (id: bigint) =>
  (
    await world.platform.db.query<{ kind: string }>(sql`
      select distinct kind from inbox_messages where data->>'order' = ${String(id)} order by kind`)
  ).map(({ kind }) => kind);

async function sentBatch(rupees: number) {
  const amount = rupees * 100;
  const { id } = await payOut(world.platform, shop.merchantId, { amount: BigInt(amount) });
  const { batchId } = await makeBatch(world.platform, shop, { minAmount: amount, maxAmount: amount });
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  world.clock.advance(MINUTE);
  return { batchId, id, amount: `${rupees}.00` };
}

const upload = (batchId: string, said: Omit<SaidRow, 'reference'>, by = shop.admin) => {
  const content = Buffer.from(iciciReport([{ reference: `B${batchId}R001`, ...said }])).toString('base64');
  return as(batch.uploadPayoutBatchResult, { batchId, file: { fileName: 'report.csv', content } }, by);
};

/** A payout that the bank's first file has called rejected. */
async function failed(rupees: number) {
  const sent = await sentBatch(rupees);
  await upload(sent.batchId, { amount: sent.amount, status: 'Rejected', reason: 'x' });
  await as(batch.confirmPayoutBatch, { batchId: sent.batchId });
  expect((await read(sent.id)).status).toBe(9);
  return sent;
}

const retry = (batchId: string) =>
  as(batch.handlePayoutBatchExceptions, { batchId, rows: [1], action: 'retry', reason: 'again' });

/** The same payout, paid by hand from the account of the file. */
async function paidByHand(rupees: number) {
  const sent = await failed(rupees);
  await retry(sent.batchId);
  must(await claim(world.platform, supplier, sent.id));
  const said = { orderId: sent.id, utr: newReference(), accountId: shop.accountId };
  must(await confirmPaid(world.platform, supplier, said));
  return { ...sent, utr: said.utr };
}

test('a payout that one file of the bank called failed and the next calls paid is frozen, and the admins are notified', async () => {
  const { batchId, id, amount } = await failed(111);
  await upload(batchId, { amount, status: 'Success', utr: newReference() });
  expect(await told(id)).toEqual(['endedPayoutDebited']);
  expect((await read(id)).frozen).toBe(true);
  expect(await reject(world.platform, shop.admin, { orderId: id, reason: 'it failed' })).toMatchObject({
    code: 'actionNotAllowed',
  });
});

test('the same where it waits again: nobody claims it', async () => {
  const { batchId, id, amount } = await failed(112);
  await retry(batchId);
  await upload(batchId, { amount, status: 'Success', utr: newReference() });
  expect(await told(id)).toEqual(['endedPayoutDebited']);
  expect(await claim(world.platform, supplier, id)).toMatchObject({ code: 'notFound' });
});

test('the admins are notified where a file of the bank calls a refunded payout paid', async () => {
  const { batchId, id, amount } = await failed(113);
  must(await reject(world.platform, shop.admin, { orderId: id, reason: 'it failed' }));
  await upload(batchId, { amount, status: 'Success', utr: newReference() });
  expect(await told(id)).toEqual(['endedPayoutDebited']);
});

test('a supplier’s file freezes nothing: it is the supplier’s word', async () => {
  const { batchId, id, amount } = await failed(114);
  await upload(batchId, { amount, status: 'Success', utr: newReference() }, supplier);
  expect(await told(id)).toEqual([]);
  expect((await read(id)).frozen).toBe(false);
});

test('a payout that was paid by hand from the account of its failed file is not reversed by that file', async () => {
  const { batchId, id, amount } = await paidByHand(115);
  await upload(batchId, { amount, status: 'Rejected', reason: 'x' });
  expect(await told(id)).toEqual([]);
  expect((await as(batch.confirmPayoutBatch, { batchId })) as { list: unknown[] }).toEqual({ list: [] });
});

test('the admins are notified where the failed file has paid after all what was paid by hand from its account', async () => {
  const { batchId, id, amount } = await paidByHand(116);
  await upload(batchId, { amount, status: 'Success', utr: newReference() });
  expect(await told(id)).toEqual(['endedPayoutDebited']);
});

test('the admins are notified of the debit of a cancelled file whose payout was paid by hand from the same account', async () => {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId, { amount: 117_00n });
  const { batchId } = await makeBatch(platform, shop, { minAmount: 117_00, maxAmount: 117_00 });
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.cancelPayoutBatch, { batchId, reason: 'wrong day' });
  world.clock.advance(MINUTE);
  must(await claim(platform, supplier, id));
  const utr = newReference();
  must(await confirmPaid(platform, supplier, { orderId: id, utr, accountId: shop.accountId }));
  let balance = 900_000_00n;
  for (let n = 0; n < 6; n += 1)
    await reportDebit(platform, shop, { amount: 1_00n, balance: (balance -= 1_00n) });
  await reportDebit(platform, shop, { amount: 117_00n, utr, balance: (balance -= 117_00n) });
  const sweep = async () => {
    for (const each of [matchDebits, proveConfirmed, reportDebitsOfEnded]) await each(platform);
  };
  await sweep();
  expect((await read(id)).unproven).toBe(false);
  expect(await told(id)).toEqual([]);
  world.clock.advance(MINUTE);
  await reportDebit(platform, shop, { amount: 117_00n, balance: (balance -= 117_00n) });
  await sweep();
  expect(await told(id)).toEqual(['endedPayoutDebited']);
});
