import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit } from '../testing/debits.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeSupplier, viewerOf } from '../testing/world.ts';
import { cancelBatch, exportBatch, markSent } from './batch/send.ts';
import { cancelClaim } from './cancel-claim.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { matchDebits } from './match-debits.ts';
import { readPayout } from './read.ts';
import { reselectPayout } from './reselect.ts';

/** A bank pays by a file that its payout has left. */

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

function done<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(`refused ${result.code}`);
  return result;
}
const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;
const supplierOf = (supplierId: bigint) => viewerOf(world.platform, { role: 'supplier', supplierId });
let rupees = 700;

/** A payout whose file was exported, and everything else of its amount. */
async function exported() {
  rupees += 1;
  const amount = BigInt(rupees) * 100n;
  const { id } = await payOut(world.platform, shop.merchantId, { amount });
  const only = { minAmount: Number(amount), maxAmount: Number(amount) };
  const { batchId } = await makeBatch(world.platform, shop, only);
  done(await exportBatch(world.platform, shop.admin, batchId));
  return { id, batchId, amount };
}
async function calledOff() {
  const made = await exported();
  const own = supplierOf(shop.supplierId);
  done(await cancelBatch(world.platform, own, { batchId: made.batchId, reason: 'not sent' }));
  return made;
}
async function rival(): Promise<Viewer> {
  const { supplierId } = await makeSupplier(world.platform, { products: [2001], deposit: 0n });
  return supplierOf(supplierId);
}
const debit = (amount: bigint) => {
  world.clock.advance(MINUTE);
  return reportDebit(world.platform, shop, { amount, balance: 5_000_00n });
};
const sweep = async () => {
  await matchDebits(world.platform);
  return reportDebitsOfEnded(world.platform);
};
const notices = async (id: bigint) =>
  (
    await world.platform.db.query<{ kind: string }>(sql`
      select kind from inbox_messages where user_id = ${shop.adminId} and data->>'order' = ${String(id)}`)
  ).map(({ kind }) => kind);
/** The bank's file says that it did not pay the only row. */
async function refusedByBank({ batchId, amount }: Awaited<ReturnType<typeof exported>>) {
  done(await markSent(world.platform, shop.admin, batchId));
  const row = { reference: `B${batchId}R001`, amount: formatMinor(amount, 'INR'), status: 'Rejected' };
  const file = {
    fileName: 'report.csv',
    content: Buffer.from(iciciReport([{ ...row, reason: 'returned' }])).toString('base64'),
  };
  await ask(world.platform, shop.admin, batch.uploadPayoutBatchResult, { batchId, file });
  await ask(world.platform, shop.admin, batch.confirmPayoutBatch, { batchId });
}

test('a payout of a file that was called off is frozen when the bank pays by the file, before anybody pays it again', async () => {
  const { id, amount } = await calledOff();
  await debit(amount);
  expect(await sweep()).toBe(1);
  expect(await sweep()).toBe(0);
  expect(await read(id)).toMatchObject({ status: 0, frozen: true });
  expect(await claim(world.platform, await rival(), id)).toMatchObject({ code: 'notFound' });
});

test('where a rival has claimed it, the admins are told, and it is frozen once it waits again', async () => {
  const { id, amount } = await calledOff();
  const other = await rival();
  done(await claim(world.platform, other, id));
  await debit(amount);
  await sweep();
  expect([(await read(id)).frozen, await notices(id)]).toEqual([false, ['endedPayoutDebited']]);
  done(await cancelClaim(world.platform, other, id));
  expect(await read(id)).toMatchObject({ status: 0, frozen: true });
});

test('nobody is told of a debit that another payout of the supplier may have been paid by', async () => {
  const { id, amount } = await calledOff();
  const { id: another } = await payOut(world.platform, shop.merchantId, { amount });
  done(await claim(world.platform, supplierOf(shop.supplierId), another));
  await debit(amount);
  expect(await sweep()).toBe(0);
  expect((await read(id)).frozen).toBe(false);
});

test('what the bank’s file calls unpaid is frozen by a debit after it; one before it was given back', async () => {
  const [after, before] = [await exported(), await exported()];
  await debit(before.amount);
  world.clock.advance(MINUTE);
  await refusedByBank(before);
  done(await reselectPayout(world.platform, shop.admin, before.id));
  await refusedByBank(after);
  await debit(after.amount);
  await sweep();
  expect([(await read(after.id)).frozen, (await read(before.id)).frozen]).toEqual([true, false]);
});

/** In a file of the same account again, after the first was called off. */
async function batchedAgain(amount: bigint) {
  const only = { minAmount: Number(amount), maxAmount: Number(amount) };
  const { batchId } = await makeBatch(world.platform, shop, only);
  return {
    batchId,
    send: async () => {
      done(await exportBatch(world.platform, shop.admin, batchId));
      done(await markSent(world.platform, shop.admin, batchId));
    },
  };
}

test('the bank pays by both files of the account: the second debit is told, once the payout has one', async () => {
  const { id, amount } = await calledOff();
  const again = await batchedAgain(amount);
  await again.send();
  await debit(amount);
  expect(await sweep()).toBe(0);
  expect((await read(id)).status).toBe(3);
  await debit(amount);
  expect([await sweep(), await sweep()]).toEqual([1, 0]);
  expect(await notices(id)).toEqual(['endedPayoutDebited']);
});

test('a debit before the second file was made is by the first', async () => {
  const { id, amount } = await calledOff();
  await batchedAgain(amount);
  await debit(amount);
  expect([await sweep(), await notices(id)]).toEqual([1, ['endedPayoutDebited']]);
});

test('so is one before the second file was made, told once that is at the bank', async () => {
  const { id, amount } = await calledOff();
  const again = await batchedAgain(amount);
  await debit(amount);
  world.clock.advance(10 * MINUTE);
  await again.send();
  expect([await sweep(), await notices(id)]).toEqual([1, ['endedPayoutDebited']]);
});

test('where another payout may be meant that never gets its debit, people are told before the debit is forgotten', async () => {
  const { id, amount } = await calledOff();
  const { id: another } = await payOut(world.platform, shop.merchantId, { amount });
  done(await claim(world.platform, supplierOf(shop.supplierId), another));
  await debit(amount);
  done(await confirmPaid(world.platform, shop.admin, { orderId: another, utr: newReference() }));
  await sweep();
  expect(await notices(id)).toEqual([]);
  world.clock.advance(2 * DAY + MINUTE);
  await sweep();
  expect(await notices(id)).toEqual(['endedPayoutDebited']);
});

test('nobody is told where the other payout is confirmed by the debit’s own number', async () => {
  const { id, amount } = await calledOff();
  const { id: another } = await payOut(world.platform, shop.merchantId, { amount });
  done(await claim(world.platform, supplierOf(shop.supplierId), another));
  const utr = newReference();
  world.clock.advance(MINUTE);
  // Its chain does not bear it out.
  await reportDebit(world.platform, shop, { amount, utr });
  done(await confirmPaid(world.platform, supplierOf(shop.supplierId), { orderId: another, utr }));
  world.clock.advance(2 * DAY + MINUTE);
  await sweep();
  expect(await notices(id)).toEqual([]);
});
