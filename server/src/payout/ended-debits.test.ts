import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit } from '../testing/debits.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import { cancelBatch, exportBatch, markSent } from './batch/send.ts';
import { cancelClaim } from './cancel-claim.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { matchDebits } from './match-debits.ts';
import { readPayout } from './read.ts';
import { reselectPayout } from './reselect.ts';

/** A bank pays a payout by a file that is no longer to pay it. */

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

/** A payout of a new amount, in a batch of its own whose file was exported. */
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
/** The bank's result file says that the only row was not paid. */
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

test('a debit that may have paid another payout of the supplier is not reported', async () => {
  const { id, amount } = await calledOff();
  const { id: another } = await payOut(world.platform, shop.merchantId, { amount });
  done(await claim(world.platform, supplierOf(shop.supplierId), another));
  await debit(amount);
  expect(await sweep()).toBe(0);
  expect((await read(id)).frozen).toBe(false);
});

test('a debit after the bank’s file called the payout unpaid freezes it; a debit before that may have been returned, and does not', async () => {
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

/** The payout goes into a second batch of the same account, after the first was called off. */
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

test('the bank pays by both files of the account: the second debit is reported, because the payout has its debit already', async () => {
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

test('a debit that comes before the second file is made belongs to the first file and is reported', async () => {
  const { id, amount } = await calledOff();
  await batchedAgain(amount);
  await debit(amount);
  expect([await sweep(), await notices(id)]).toEqual([1, ['endedPayoutDebited']]);
});

test('a debit from before the second file was made is reported also when that file is at the bank by then', async () => {
  const { id, amount } = await calledOff();
  const again = await batchedAgain(amount);
  await debit(amount);
  world.clock.advance(10 * MINUTE);
  await again.send();
  expect([await sweep(), await notices(id)]).toEqual([1, ['endedPayoutDebited']]);
});

test('where another payout may be meant but never gets its debit, the admins are notified after two days', async () => {
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

test('a debit is not reported where another payout is confirmed by the debit’s own reference', async () => {
  const { id, amount } = await calledOff();
  const { id: another } = await payOut(world.platform, shop.merchantId, { amount });
  done(await claim(world.platform, supplierOf(shop.supplierId), another));
  const utr = newReference();
  world.clock.advance(MINUTE);
  // The account's chain does not corroborate this debit.
  await reportDebit(world.platform, shop, { amount, utr });
  done(await confirmPaid(world.platform, supplierOf(shop.supplierId), { orderId: another, utr }));
  world.clock.advance(2 * DAY + MINUTE);
  await sweep();
  expect(await notices(id)).toEqual([]);
});

const callOff = async (batchId: string) =>
  done(await cancelBatch(world.platform, supplierOf(shop.supplierId), { batchId, reason: 'not sent' }));

test('a file that is called off a week after the bank paid by it freezes its payout all the same', async () => {
  const { id, batchId, amount } = await exported();
  await debit(amount);
  world.clock.advance(7 * DAY);
  expect(await sweep()).toBe(0);
  await callOff(batchId);
  await sweep();
  expect(await read(id)).toMatchObject({ status: 0, frozen: true });
});

test('a debit that waited for another payout’s own is reported also when no node ran on the third day', async () => {
  const { id, amount } = await calledOff();
  const { id: another } = await payOut(world.platform, shop.merchantId, { amount });
  done(await claim(world.platform, supplierOf(shop.supplierId), another));
  await debit(amount);
  await sweep();
  world.clock.advance(4 * DAY);
  await sweep();
  expect(await notices(id)).toEqual(['endedPayoutDebited']);
});

test('a payout that waited for six weeks before its file was made is frozen as any other', async () => {
  rupees += 1;
  const amount = BigInt(rupees) * 100n;
  const { id } = await payOut(world.platform, shop.merchantId, { amount });
  world.clock.advance(42 * DAY);
  await makePartitions({ db: world.owner, clock: world.clock });
  const { batchId } = await batchedAgain(amount);
  done(await exportBatch(world.platform, shop.admin, batchId));
  await callOff(batchId);
  await debit(amount);
  await sweep();
  expect(await read(id)).toMatchObject({ status: 0, frozen: true });
});

test('a payout that two people unfroze is frozen again by the debit of the next file that was called off', async () => {
  const { platform } = world;
  const { id, amount } = await calledOff();
  await debit(amount);
  await sweep();
  const hold = { subjectKind: 'order', subjectId: String(id), frozen: false, reason: 'seen' } as const;
  const asked = await setFrozen(platform, shop.admin, hold);
  const todoId = BigInt((asked as { data: { todoId: string } }).data.todoId);
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  const second = viewerOf(platform, { role: 'admin', userId });
  done(await decide(platform, APPROVAL_HANDLERS, second, { id: todoId, approve: true }));
  expect([await sweep(), (await read(id)).frozen]).toEqual([0, false]);
  const { batchId } = await batchedAgain(amount);
  done(await exportBatch(platform, shop.admin, batchId));
  await callOff(batchId);
  await debit(amount);
  expect([await sweep(), await sweep()]).toEqual([1, 0]);
  expect(await read(id)).toMatchObject({ status: 0, frozen: true });
});
