import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, iciciReport, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { reportDebit, type ReportedDebit } from '../testing/debits.ts';
import { newReference } from '../testing/payments.ts';
import { newPayout, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { viewerOf } from '../testing/world.ts';
import { cancelClaim } from './cancel-claim.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';

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

const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never);

/** Payouts of these amounts, to accounts that end with these digits, at the bank by one file. */
async function sent(...payouts: { amount: bigint; tail?: string }[]) {
  const orders = [];
  for (const { amount, tail = '6789' } of payouts) {
    const { payee } = newPayout(shop.merchantId);
    orders.push(
      await payOut(world.platform, shop.merchantId, {
        amount,
        payee: { ...payee, cardNumber: `5010012345${tail}` },
      }),
    );
  }
  const { batchId } = await makeBatch(world.platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  return { batchId, orders };
}

const debit = (amount: bigint, fields: Omit<ReportedDebit, 'amount'> = {}) =>
  reportDebit(world.platform, shop, { amount, ...fields });

const statusOf = async (id: bigint) => (await readPayout(world.platform.db, id))!.status;
const evidence = async (orderId: bigint) =>
  (
    await world.platform.db.query<{ evidence: string }>(
      sql`select evidence from message_matches where order_id = ${orderId}`,
    )
  )[0]?.evidence;

test('the only debit of an amount completes the only payout of it, with the bank’s reference', async () => {
  const { batchId, orders } = await sent({ amount: 101_00n });
  const utr = newReference();
  await debit(101_00n, { utr });
  expect(await matchDebits(world.platform)).toBe(1);
  expect(await matchDebits(world.platform)).toBe(0);
  expect(await readPayout(world.platform.db, orders[0]!.id)).toMatchObject({
    status: 3,
    utr,
    unproven: false,
  });
  expect(await evidence(orders[0]!.id)).toBe('payoutAmount');
  const detail = await ask(world.platform, shop.admin, batch.getPayoutBatchDetail, { batchId });
  expect(detail.orders[0]!.state).toBe('completed');
});

test('of several payouts a debit completes the one whose account its message states, and none when it states no account', async () => {
  const { orders } = await sent({ amount: 202_00n, tail: '1111' }, { amount: 202_00n, tail: '2222' });
  await debit(202_00n);
  expect(await matchDebits(world.platform)).toBe(0);
  await debit(202_00n, { to: '2222' });
  expect(await matchDebits(world.platform)).toBe(1);
  expect([await statusOf(orders[0]!.id), await statusOf(orders[1]!.id)]).toEqual([8, 3]);
  // After that the other payout is the only one of its amount.
  expect(await matchDebits(world.platform)).toBe(1);
  expect(await statusOf(orders[0]!.id)).toBe(3);
});

test('a debit older than the file does not complete its payout', async () => {
  await debit(303_00n);
  world.clock.advance(10 * MINUTE);
  const { orders } = await sent({ amount: 303_00n });
  expect(await matchDebits(world.platform)).toBe(0);
  expect(await statusOf(orders[0]!.id)).toBe(8);
});

test('the bank’s own reference of a transfer finds its debit among equal amounts, before the result comes or after', async () => {
  const { batchId, orders } = await sent({ amount: 404_00n }, { amount: 404_00n });
  const [first, second] = [newReference(), newReference()];
  const report = (status: string) => {
    const rows = [first, second].map((utr, index) => ({
      reference: `B${batchId}R00${index + 1}`,
      amount: '404',
      status,
      utr,
    }));
    return { fileName: 'report.csv', content: Buffer.from(iciciReport(rows)).toString('base64') };
  };
  await as(batch.uploadPayoutBatchResult, { batchId, file: report('Processing') });
  await as(batch.confirmPayoutBatch, { batchId });
  await debit(404_00n, { utr: second! });
  expect(await matchDebits(world.platform)).toBe(1);
  expect([await statusOf(orders[0]!.id), await statusOf(orders[1]!.id)]).toEqual([2, 3]);
  await as(batch.uploadPayoutBatchResult, { batchId, file: report('Paid') });
  await as(batch.confirmPayoutBatch, { batchId });
  expect(await statusOf(orders[0]!.id)).toBe(3);
  await debit(404_00n, { utr: first! });
  expect(await proveConfirmed(world.platform)).toBe(1);
  expect(await evidence(orders[0]!.id)).toBe('payoutUtr');
});

test.each([
  ['no reference', 505_00n, undefined],
  ['another reference than the debit', 606_00n, 'ICICN52026111600000123'],
])(
  'the late debit of a payout that its file completed with %s completes no later payout of that amount, unless the message names it',
  async (_name, amount, utr) => {
    const paid = await sent({ amount, tail: '3333' });
    const row = { reference: `B${paid.batchId}R001`, amount: formatMinor(amount, 'INR'), status: 'Success' };
    const report = iciciReport([{ ...row, ...(utr ? { utr } : {}) }]);
    const file = { fileName: 'report.csv', content: Buffer.from(report).toString('base64') };
    await as(batch.uploadPayoutBatchResult, { batchId: paid.batchId, file });
    await as(batch.confirmPayoutBatch, { batchId: paid.batchId });
    expect(await statusOf(paid.orders[0]!.id)).toBe(3);
    world.clock.advance(MINUTE);
    const { orders } = await sent({ amount, tail: '4444' });
    await debit(amount, { to: '3333' });
    expect(await matchDebits(world.platform)).toBe(0);
    expect(await statusOf(orders[0]!.id)).toBe(8);
    await debit(amount, { to: '4444' });
    expect(await matchDebits(world.platform)).toBe(1);
    expect(await statusOf(orders[0]!.id)).toBe(3);
  },
);

test('a payout of a closed batch that its supplier says it paid is proven by its debit, whichever sweep is first', async () => {
  const { batchId, orders } = await sent({ amount: 909_00n });
  await as(batch.closePayoutBatch, { batchId });
  const supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
  const utr = newReference();
  await confirmPaid(world.platform, supplier, { orderId: orders[0]!.id, utr });
  await debit(909_00n, { utr });
  await matchDebits(world.platform);
  await proveConfirmed(world.platform);
  expect(await readPayout(world.platform.db, orders[0]!.id)).toMatchObject({ status: 3, unproven: false });
  expect(await evidence(orders[0]!.id)).toBe('payoutUtr');
});

const modeOf = (mode: 'required' | 'optional' | 'none') =>
  world.platform.db.query(sql`update accounts set balance_mode = ${mode} where id = ${shop.accountId}`);

test('a debit completes a payout only once its chain corroborates it; a forged one never does', async () => {
  await modeOf('required');
  let balance = 10_000_000_00n;
  const debits = async (count: number, amount: bigint) => {
    for (let n = 0; n < count; n += 1) {
      world.clock.advance(MINUTE);
      balance -= amount;
      await debit(amount, { balance });
    }
  };
  await debits(6, 11_00n);
  const { orders } = await sent({ amount: 50_000_00n }, { amount: 60_000_00n }, { amount: 70_00n });
  const [forged, genuine, unstated] = orders.map(({ id }) => id);
  world.clock.advance(MINUTE);
  await debit(50_000_00n, { balance: 3_000_000_00n });
  await debit(70_00n);
  await debits(1, 60_000_00n);
  expect(await matchDebits(world.platform)).toBe(0);
  await debits(3, 13_00n);
  expect(await matchDebits(world.platform)).toBe(1);
  expect(await readPayout(world.platform.db, genuine!)).toMatchObject({ status: 3, unproven: false });
  expect([await statusOf(forged!), await statusOf(unstated!)]).toEqual([8, 8]);
  await modeOf('optional');
  expect(await matchDebits(world.platform)).toBe(1);
  expect(await statusOf(unstated!)).toBe(3);
});

test('where the bank states no balances, its own reference of the transfer completes a payout, the amount alone does not', async () => {
  await modeOf('none');
  const { batchId, orders } = await sent({ amount: 808_00n });
  await debit(808_00n);
  expect(await matchDebits(world.platform)).toBe(0);
  const utr = newReference();
  const row = { reference: `B${batchId}R001`, amount: '808', status: 'Processing', utr };
  const file = { fileName: 'report.csv', content: Buffer.from(iciciReport([row])).toString('base64') };
  await as(batch.uploadPayoutBatchResult, { batchId, file });
  await as(batch.confirmPayoutBatch, { batchId });
  await debit(808_00n, { utr });
  expect(await matchDebits(world.platform)).toBe(1);
  expect(await statusOf(orders[0]!.id)).toBe(3);
  await modeOf('optional');
});

test.each(['payout', 'merchant'] as const)(
  'the debit of a frozen %s, told by the bank’s own number, completes it once it is free, however late',
  async (kind) => {
    const { orders } = await sent({ amount: 909_00n });
    const { id } = orders[0]!;
    const utr = newReference();
    const freeze = (frozen: boolean) =>
      world.platform.db.query(
        kind === 'payout'
          ? sql`update payout_orders set frozen = ${frozen} where id = ${id}`
          : sql`update merchants set frozen = ${frozen} where id = ${shop.merchantId}`,
      );
    await world.platform.db.query(sql`update payout_orders set gateway_ref = ${utr} where id = ${id}`);
    await freeze(true);
    await debit(909_00n, { utr });
    expect(await matchDebits(world.platform)).toBe(0);
    world.clock.advance(9 * DAY);
    await freeze(false);
    expect(await matchDebits(world.platform)).toBe(1);
    expect(await readPayout(world.platform.db, id)).toMatchObject({ status: 3, utr, unproven: false });
  },
);

test('of two debits of one amount none completes a payout once the first is older than three days', async () => {
  const { orders } = await sent({ amount: 111_00n });
  world.clock.advance(MINUTE);
  await debit(111_00n);
  world.clock.advance(2 * DAY);
  await debit(111_00n);
  expect(await matchDebits(world.platform)).toBe(0);
  world.clock.advance(DAY + MINUTE);
  expect(await matchDebits(world.platform)).toBe(0);
  expect(await statusOf(orders[0]!.id)).toBe(8);
});

test('a debit that two payouts may have caused is left to people also when three days have passed since the one ended', async () => {
  const paid = await sent({ amount: 112_00n, tail: '3333' });
  const row = { reference: `B${paid.batchId}R001`, amount: '112', status: 'Success' };
  const file = { fileName: 'report.csv', content: Buffer.from(iciciReport([row])).toString('base64') };
  await as(batch.uploadPayoutBatchResult, { batchId: paid.batchId, file });
  await as(batch.confirmPayoutBatch, { batchId: paid.batchId });
  world.clock.advance(MINUTE);
  const { orders } = await sent({ amount: 112_00n, tail: '4444' });
  world.clock.advance(DAY);
  await debit(112_00n, { to: '3333' });
  expect(await matchDebits(world.platform)).toBe(0);
  world.clock.advance(2 * DAY);
  expect(await matchDebits(world.platform)).toBe(0);
  expect(await statusOf(orders[0]!.id)).toBe(8);
});

test('a debit may be of a payout in another file that waited for six weeks before its file was made', async () => {
  const old = await payOut(world.platform, shop.merchantId, { amount: 113_00n });
  world.clock.advance(42 * DAY);
  await makePartitions({ db: world.owner, clock: world.clock });
  const only = { minAmount: 113_00, maxAmount: 113_00 };
  const first = await makeBatch(world.platform, shop, only);
  await as(batch.exportPayoutBatch, { batchId: first.batchId });
  const { orders } = await sent({ amount: 113_00n });
  await debit(113_00n);
  expect(await matchDebits(world.platform)).toBe(0);
  expect([await statusOf(old.id), await statusOf(orders[0]!.id)]).toEqual([1, 8]);
});

test('a debit may be of a payout that the supplier gave back since, also if that one was eight days old', async () => {
  const supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
  const old = await payOut(world.platform, shop.merchantId, { amount: 114_00n });
  world.clock.advance(8 * DAY);
  await claim(world.platform, supplier, old.id);
  const { orders } = await sent({ amount: 114_00n });
  await debit(114_00n, { movedAt: world.clock.now() });
  world.clock.advance(MINUTE);
  await cancelClaim(world.platform, supplier, old.id);
  expect(await statusOf(old.id)).toBe(0);
  expect(await matchDebits(world.platform)).toBe(0);
  expect(await statusOf(orders[0]!.id)).toBe(8);
});
