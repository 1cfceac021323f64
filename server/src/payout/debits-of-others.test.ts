import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, MINUTE } from '../platform/clock.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit, type ReportedDebit, reportReturn } from '../testing/debits.ts';
import { newReference } from '../testing/payments.ts';
import { giveFunds, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { makeMerchant, viewerOf } from '../testing/world.ts';
import { cancelClaim } from './cancel-claim.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';
import { reject } from './reject.ts';
import { reportReturned } from './returned.ts';

/** A debit of a claim that was refunded or reversed since, and money that came back before its debit was reported. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
let rival: Viewer;
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
  rival = viewerOf(world.platform, { role: 'supplier', supplierId: shop.otherSupplierId });
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
  for (const each of [matchDebits, proveConfirmed, reportDebitsOfEnded, reportReturned])
    await each(world.platform);
  world.clock.advance(MINUTE);
};
/** What the admins were notified of. */
const told = async (id: bigint) => {
  const rows = await world.platform.db.query<{ kind: string }>(sql`
    select distinct kind from inbox_messages where data->>'order' = ${String(id)} order by kind`);
  return rows.map(({ kind }) => kind);
};

async function claimed(by = supplier) {
  const { id } = await payOut(world.platform, shop.merchantId, { amount: AMOUNT });
  must(await claim(world.platform, by, id));
  return id;
}

/** A payout whose file is at the bank. */
async function filed(merchantId = shop.merchantId, cardNumber = '50100123456789') {
  const payee = {
    userName: 'Asha Rao',
    cardNumber,
    ifscCode: 'HDFC0000521',
    bankName: 'HDFC Bank',
  };
  const { id } = await payOut(world.platform, merchantId, { amount: AMOUNT, payee });
  const { batchId } = await makeBatch(world.platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  return id;
}

/** Another merchant whose payouts the account pays. */
async function anotherMerchant() {
  const { merchantId } = await makeMerchant(world.platform, { products: [2001] });
  await giveFunds(world.platform, merchantId, 'INR', 10_000_00n);
  await world.platform.db.query(
    sql`update accounts set merchant_whitelist = ${[shop.merchantId, merchantId]}::bigint[] where id = ${shop.accountId}`,
  );
  return merchantId;
}

test('a debit that may be of a claim which the desk has refunded since completes no payout of a batch', async () => {
  const said = await claimed();
  const id = await filed();
  await debit();
  await sweep();
  expect((await read(id)).status).toBe(8);
  must(await reject(world.platform, shop.admin, { orderId: said, reason: 'not paid' }));
  await sweep();
  expect((await read(id)).status).toBe(8);
});

test('a debit that may be of a claim without account which was reversed since completes no payout of a batch', async () => {
  const said = await claimed();
  const id = await filed();
  await debit();
  must(await confirmPaid(world.platform, supplier, { orderId: said, utr: newReference() }));
  await sweep();
  expect((await read(id)).status).toBe(8);
  must(await reverseByTwo(world.platform, { orderId: said }));
  await sweep();
  expect((await read(id)).status).toBe(8);
});

test.each(['payout', 'merchant'] as const)(
  'a debit that may be of a payout of the account whose %s is frozen completes no other',
  async (what) => {
    const [held, id] = [await filed(), await filed(await anotherMerchant())];
    const subjectId = String(what === 'payout' ? held : shop.merchantId);
    const subject = { subjectKind: what === 'payout' ? 'order' : 'merchant', subjectId } as const;
    must(await setFrozen(world.platform, shop.admin, { ...subject, reason: 'police letter', frozen: true }));
    await debit();
    await sweep();
    expect([(await read(held)).status, (await read(id)).status]).toEqual([8, 8]);
  },
);

test.each<[string, { readonly utr?: string; readonly last?: string }]>([
  ['its UTR', { utr: '622247890123', last: '4789' }],
  ['the bank’s telephone number', { last: '2662' }],
  ['the paying account’s number', {}],
])('digits in %s are not the account of a payee', async (_name, { utr = newReference(), last }) => {
  const payees = ['50100123451111', `5010012345${last ?? shop.accountNumber.slice(-4)}`];
  const ids: bigint[] = [];
  for (const cardNumber of payees) ids.push(await filed(shop.merchantId, cardNumber));
  await debit({ utr });
  await sweep();
  expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual([8, 8]);
  for (const to of [payees[0]!.slice(-4), payees[1]!]) await debit({ to });
  await sweep();
  expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual([3, 3]);
});

test('a debit that states the payee of a claim which was given back completes no payout to another payee', async () => {
  const said = await claimed();
  const id = await filed(shop.merchantId, '50100123454321');
  must(await cancelClaim(world.platform, supplier, said));
  world.clock.advance(MINUTE);
  await debit({ to: '6789' });
  await sweep();
  expect((await read(id)).status).toBe(8);
});

test.each(['its supplier', 'the desk'])(
  'a debit that is reported minutes after %s ended the claim it may be of completes no payout of a batch',
  async (who) => {
    const said = await claimed();
    const id = await filed();
    world.clock.advance(MINUTE);
    if (who === 'its supplier') must(await cancelClaim(world.platform, supplier, said));
    else must(await reject(world.platform, shop.admin, { orderId: said, reason: 'not paid' }));
    world.clock.advance(2 * MINUTE);
    await debit();
    await sweep();
    expect((await read(id)).status).toBe(8);
  },
);

test('a debit that is reported minutes after the bank called a payout of its file failed completes no other payout', async () => {
  const first = await filed();
  const id = await filed();
  const [row] = await world.platform.db.query<{ batchId: bigint }>(
    sql`select batch_id as "batchId" from payout_batch_orders where order_id = ${first}`,
  );
  const batchId = String(row!.batchId);
  const said = { reference: `B${batchId}R001`, amount: '500.00', status: 'Rejected', reason: 'x' };
  const content = Buffer.from(iciciReport([said])).toString('base64');
  await as(batch.uploadPayoutBatchResult, { batchId, file: { fileName: 'report.csv', content } });
  await as(batch.confirmPayoutBatch, { batchId });
  expect((await read(first)).status).toBe(9);
  world.clock.advance(2 * MINUTE);
  await debit();
  await sweep();
  expect((await read(id)).status).toBe(8);
});

test('a debit of which the bank said that it came back, under a number of its own, proves nothing days later either', async () => {
  const utr = newReference();
  const said = await claimed();
  await debit({ utr });
  await reportReturn(world.platform, shop, { amount: AMOUNT, text: ` of IMPS/${utr}` });
  await sweep();
  world.clock.advance(4 * DAY);
  await confirmPaid(world.platform, supplier, { orderId: said, utr });
  await sweep();
  const { status, unproven } = await read(said);
  expect([status === 3 && !unproven, await told(said)]).not.toEqual([true, []]);
});

test('a debit that fits a claim which the desk refunds is told to the admins', async () => {
  const said = await claimed();
  await debit();
  await sweep();
  must(await reject(world.platform, shop.admin, { orderId: said, reason: 'not paid' }));
  await sweep();
  expect(await told(said)).toEqual(['endedPayoutDebited']);
});

test.each(['its supplier', 'the desk'])(
  'a debit that fits a claim which %s gave back is told to the admins, and nobody pays it again unasked',
  async (who) => {
    const said = await claimed();
    await debit();
    must(await cancelClaim(world.platform, who === 'the desk' ? shop.admin : supplier, said));
    await sweep();
    expect([await told(said), (await read(said)).frozen]).toEqual([['endedPayoutDebited'], true]);
  },
);

test('where the supplier has the payout again, the debit may be of the new claim', async () => {
  const said = await claimed();
  must(await cancelClaim(world.platform, supplier, said));
  must(await claim(world.platform, supplier, said));
  await debit();
  await sweep();
  expect(await told(said)).toEqual([]);
  world.clock.advance(3 * DAY);
  await sweep();
  expect(await told(said)).toEqual([]);
});

test('a debit that came before the claim was made, or two days after it was given back, is not of it', async () => {
  await debit();
  world.clock.advance(10 * MINUTE);
  const said = await claimed();
  must(await cancelClaim(world.platform, supplier, said));
  world.clock.advance(3 * DAY);
  await debit();
  await sweep();
  expect(await told(said)).toEqual([]);
});

test('a debit with the UTR of a payout that two people reversed before it came is told to the admins', async () => {
  const utr = newReference();
  const said = await claimed();
  must(await confirmPaid(world.platform, supplier, { orderId: said, utr }));
  must(await reverseByTwo(world.platform, { orderId: said }));
  await debit({ utr });
  await sweep();
  expect(await told(said)).toEqual(['endedPayoutDebited']);
});

test('money that came back under a number of its own is told of the payout that it names, though another had its sum first', async () => {
  const utr = newReference();
  const [other, said] = [await claimed(), await claimed()];
  must(await confirmPaid(world.platform, supplier, { orderId: other, utr: newReference() }));
  await reportReturn(world.platform, shop, { amount: AMOUNT, text: ` of IMPS/${utr}` });
  await sweep();
  must(await confirmPaid(world.platform, supplier, { orderId: said, utr }));
  await debit({ utr });
  await sweep();
  expect([(await read(said)).unproven, await told(said)]).not.toEqual([false, []]);
});

test('a supplier’s UTR that the bank reports later as another supplier’s debit is told to the admins', async () => {
  const utr = newReference();
  const said = await claimed(rival);
  must(await confirmPaid(world.platform, rival, { orderId: said, utr }));
  await debit({ utr });
  await sweep();
  expect(await told(said)).toEqual(['claimContradicted']);
});
