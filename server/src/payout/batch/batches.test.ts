import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { cancel } from '../cancel.ts';
import { claim } from '../claim.ts';
import { readPayout } from '../read.ts';
import { reject } from '../reject.ts';
import { unlock } from '../unlock.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import {
  type BatchShop,
  batchRequest,
  iciciReport,
  makeBatch,
  makeBatchShop,
  type SaidRow,
  templateId,
} from '../../testing/batches.ts';
import { newReference } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { brokenChecks } from '../../testing/books.ts';
import { makeAccount, makeUser, viewerOf } from '../../testing/world.ts';
import { createBatch } from './create.ts';

let world: TestPlatform;
let shop: BatchShop;

beforeAll(async () => {
  world = await createTestPlatform();
});
beforeEach(async () => {
  shop = await makeBatchShop(world.platform);
});
afterEach(async () => {
  // Payouts that one test leaves waiting would fit the batches of the next.
  const waiting = await world.platform.db.query<{ id: bigint }>(
    sql`select id from payout_orders where status = 0`,
  );
  for (const { id } of waiting) await cancel(world.platform, shop.admin, id);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never) as Promise<never>;
const statusOf = async (orderId: bigint) => (await readPayout(world.platform.db, orderId))!.status;
const detail = (batchId: string) => ask(world.platform, shop.admin, batch.getPayoutBatchDetail, { batchId });
const pay = (amount = 500_00n) => payOut(world.platform, shop.merchantId, { amount });
const fileOf = (text: string, fileName = 'report.csv') => ({
  fileName,
  content: Buffer.from(text).toString('base64'),
});
const upload = (batchId: string, rows: readonly SaidRow[]) =>
  ask(world.platform, shop.admin, batch.uploadPayoutBatchResult, {
    batchId,
    file: fileOf(iciciReport(rows)),
  });
const refusedUpload = (batchId: string, file: object) =>
  askRefused(world.platform, shop.admin, batch.uploadPayoutBatchResult, { batchId, file });

/** A batch of these payouts whose file is at the bank, and the references of its rows. */
async function sentBatch(...amounts: bigint[]) {
  const orders = [];
  for (const amount of amounts) orders.push(await pay(amount));
  const { batchId } = await makeBatch(world.platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  return { batchId, orders, references: amounts.map((_, index) => `B${batchId}R00${index + 1}`) };
}

test('a batch takes the oldest waiting payouts that fit, and nobody else can move them', async () => {
  const { platform } = world;
  const first = await pay(500_00n);
  await pay(90_00n);
  const second = await pay(700_00n);
  const third = await pay(800_00n);
  const wanted = { minAmount: 100_00, maxAmount: 900_00 };
  const request = await batchRequest(platform, shop, { ...wanted, orderCount: 2 });
  const { payTime: _time, key: _key, ...selection } = request;
  expect(await as(batch.countPayoutBatch, selection)).toEqual({ count: 3, sum: 2000_00, currency: 'INR' });
  expect(await as(batch.previewPayoutBatch, selection)).toMatchObject({
    count: 2,
    sum: 1200_00,
    modes: [{ mode: 'NEFT', count: 2, sum: 1200_00 }],
    list: [{ orderCode: String(first.id), payeeAccount: '**** 6789' }, { orderCode: String(second.id) }],
  });
  expect(await statusOf(first.id)).toBe(0);

  const created = await createBatch(platform, shop.admin, request);
  expect(created).toMatchObject({ count: 2, sum: 1200_00 });
  expect(await createBatch(platform, shop.admin, request)).toEqual(created);
  expect(await createBatch(platform, shop.admin, { ...request, maxAmount: 1_000_00 })).toMatchObject({
    code: 'conflict',
  });
  expect([await statusOf(first.id), await statusOf(second.id), await statusOf(third.id)]).toEqual([1, 1, 0]);

  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.otherSupplierId });
  expect(await claim(platform, supplier, first.id)).toMatchObject({ code: 'claimedByAnother' });
  expect(await reject(platform, shop.admin, { orderId: first.id, reason: 'no' })).toMatchObject({
    code: 'actionNotAllowed',
  });
});

test('more than 500 orders, amounts the wrong way round and no pay time are refused', async () => {
  const request = await batchRequest(world.platform, shop);
  expect(await createBatch(world.platform, shop.admin, { ...request, orderCount: 501 })).toMatchObject({
    code: 'tooManyOrders',
  });
  const { input } = batch.createPayoutBatch;
  expect(input.safeParse(request).success).toBe(true);
  expect(input.safeParse({ ...request, minAmount: 3, maxAmount: 2 }).success).toBe(false);
  expect(input.safeParse({ ...request, payTime: '' }).success).toBe(false);
  // No payout waits.
  expect(await createBatch(world.platform, shop.admin, { ...request, maxAmount: 2 })).toMatchObject({
    code: 'conflict',
    data: { reason: 'nothingFits' },
  });
});

test('the file is the same bytes every time, and each export is recorded', async () => {
  await pay();
  const { batchId } = await makeBatch(world.platform, shop);
  const first = await ask(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
  world.clock.advance(86_400_000);
  expect(await as(batch.exportPayoutBatch, { batchId })).toEqual(first);
  expect(first.content.split('\r\n')[1]).toBe(
    `PAB_VENDOR,NEFT,${shop.accountNumber},Asha Rao,50100123456789,HDFC0000521,500.00,B${batchId}R001,B${batchId}R001,,,B${batchId}R001,16-11-2026,B${batchId}R001,,,,,`,
  );
  const audits = await world.platform.db.query(sql`
    select 1 from audit_log where action = 'payoutBatch.export' and subject = ${`payoutBatch:${batchId}`}`);
  expect(audits).toHaveLength(2);
});

test('the bank’s result completes, fails and leaves in progress, row by row', async () => {
  const { batchId, orders, references } = await sentBatch(100_00n, 200_00n, 300_00n);
  const [paid, failed, slow] = orders;
  expect(await statusOf(paid!.id)).toBe(8);
  const utr = newReference();
  const rows: SaidRow[] = [
    { reference: references[0]!, amount: '100.00', status: 'Success', utr },
    { reference: references[1]!, amount: '200.00', status: 'Rejected', reason: 'Account closed' },
    { reference: references[2]!, amount: '300.00', status: 'Processing' },
  ];
  const proposed = {
    outcomes: [
      { outcome: 'completed', count: 1, sum: 100_00 },
      { outcome: 'failed', count: 1, sum: 200_00 },
      { outcome: 'inProgress', count: 1, sum: 300_00 },
    ],
  };
  expect(await upload(batchId, rows)).toMatchObject(proposed);
  expect(await upload(batchId, rows)).toMatchObject(proposed);
  expect(await statusOf(paid!.id)).toBe(8);

  await as(batch.confirmPayoutBatch, { batchId, rows: [1] });
  expect([await statusOf(paid!.id), await statusOf(failed!.id)]).toEqual([3, 8]);
  await as(batch.confirmPayoutBatch, { batchId });
  expect(await as(batch.confirmPayoutBatch, { batchId, rows: [1, 2, 3] })).toMatchObject({
    list: [{ code: 200 }, { code: 200 }, { code: 200 }],
  });
  expect([await statusOf(failed!.id), await statusOf(slow!.id)]).toEqual([9, 2]);
  expect(await readPayout(world.platform.db, paid!.id)).toMatchObject({ utr, lockedBy: null });

  const told = await detail(batchId);
  expect(told.batch).toMatchObject({ proposed: 0, exceptions: 1 });
  expect(told.batch.states).toEqual([
    { state: 'completed', count: 1, amount: 100_00 },
    { state: 'failed', count: 1, amount: 200_00 },
    { state: 'pending', count: 1, amount: 300_00 },
  ]);
  expect(told.orders[1]).toMatchObject({ reason: 'Account closed', exception: ['retry', 'reject'] });

  // A later result file: settled rows stay settled, and the slow payout has arrived.
  const later = [{ ...rows[0]! }, { ...rows[1]! }, { ...rows[2]!, status: 'Paid', utr: newReference() }];
  expect(await upload(batchId, later)).toMatchObject({ outcomes: [{ outcome: 'completed', count: 1 }] });
  await as(batch.confirmPayoutBatch, { batchId });
  expect(await statusOf(slow!.id)).toBe(3);
});

test('a UTR is claimed once: the second row of two is refused alone', async () => {
  const { batchId, references } = await sentBatch(100_00n, 200_00n);
  const utr = newReference();
  await upload(batchId, [
    { reference: references[0]!, amount: '100', status: 'Success', utr },
    { reference: references[1]!, amount: '200', status: 'Success', utr },
  ]);
  expect(await as(batch.confirmPayoutBatch, { batchId })).toMatchObject({
    list: [{ code: 200 }, { code: 1204 }],
  });
  expect((await detail(batchId)).batch).toMatchObject({ proposed: 1 });
});

test('a file that does not fit the batch is refused whole, with rows, and changes nothing', async () => {
  const { batchId, orders, references } = await sentBatch(100_00n, 200_00n);
  const good: SaidRow[] = [
    { reference: references[0]!, amount: '100.00', status: 'Success' },
    { reference: references[1]!, amount: '200.00', status: 'Success' },
  ];
  const csv = (rows: readonly SaidRow[]) => fileOf(iciciReport(rows));
  for (const file of [
    fileOf(iciciReport(good), 'report.xlsx'),
    fileOf('PK\u0003\u0004\u0000\u0000', 'report.csv'),
  ]) {
    expect((await refusedUpload(batchId, file)).code).toBe('wrongFileType');
  }
  const cases: [readonly SaidRow[], number[]][] = [
    [good.slice(0, 1), [0, 0]],
    [
      [...good, good[0]!],
      [0, 0, 4],
    ],
    [[good[0]!, { ...good[1]!, reference: 'B1R001' }], [3]],
    [
      [good[0]!, { ...good[1]!, amount: '200.01' }],
      [0, 3],
    ],
    [
      [
        { ...good[0]!, status: 'Perhaps' },
        { ...good[1]!, amount: 'x' },
      ],
      [2, 3],
    ],
  ];
  for (const [rows, numbers] of cases) {
    const refused = await refusedUpload(batchId, csv(rows));
    expect(refused.code).toBe('fileNotUnderstood');
    expect((refused.data as { rows: { row: number }[] }).rows.map(({ row }) => row)).toEqual(numbers);
  }
  const header = await refusedUpload(batchId, fileOf('Reference_no,Amount\nB1,1'));
  expect(header.data).toMatchObject({
    rows: [{ row: 1 }, { row: 1 }, { row: 1, problem: 'The header lacks the column STATUS' }],
  });
  expect((await detail(batchId)).batch).toMatchObject({ proposed: 0, status: 'sent' });
  expect((await detail(batchId)).results).toEqual([]);
  expect(await statusOf(orders[0]!.id)).toBe(8);
});

test('failed payouts wait anew or are refunded; another batch may take the first again', async () => {
  const { batchId, orders, references } = await sentBatch(100_00n, 200_00n);
  await upload(
    batchId,
    ['100', '200'].map((amount, index) => ({
      reference: references[index]!,
      amount,
      status: 'Rejected',
      reason: 'No',
    })),
  );
  await as(batch.confirmPayoutBatch, { batchId });
  const handle = (row: number, action: string) =>
    as(batch.handlePayoutBatchExceptions, { batchId, rows: [row], action, reason: 'Account wrong' });
  expect(await handle(1, 'retry')).toMatchObject({ list: [{ row: 1, code: 200 }] });
  expect(await handle(1, 'retry')).toMatchObject({ list: [{ row: 1, code: 1201 }] });
  expect(await handle(2, 'reject')).toMatchObject({ list: [{ row: 2, code: 200 }] });
  expect([await statusOf(orders[0]!.id), await statusOf(orders[1]!.id)]).toEqual([0, 6]);
  const dealtWith = await detail(batchId);
  expect(dealtWith.batch.exceptions).toBe(0);
  expect(dealtWith.orders.map(({ state }) => state)).toEqual(['returned', 'rejected']);

  const again = await makeBatch(world.platform, shop);
  expect(again.count).toBe(1);
  expect((await detail(again.batchId)).orders[0]).toMatchObject({
    reference: `B${again.batchId}R001`,
    state: 'pending',
  });
});

test('before the export rows may leave; what an operator took out is not in the file', async () => {
  const { platform } = world;
  const [one, two, three] = [await pay(100_00n), await pay(200_00n), await pay(300_00n)];
  const { batchId } = await makeBatch(platform, shop);
  await as(batch.handlePayoutBatchExceptions, { batchId, rows: [1], action: 'return', reason: 'Not today' });
  expect(await statusOf(one.id)).toBe(0);
  await unlock(platform, shop.admin, two.id);
  await reject(platform, shop.admin, { orderId: two.id, reason: 'Fraud' });

  const file = await ask(platform, shop.admin, batch.exportPayoutBatch, { batchId });
  expect(file.content.split('\r\n').filter((line) => line.startsWith('PAB'))).toHaveLength(1);
  expect(file.content).toContain(',300.00,');
  expect((await detail(batchId)).batch).toMatchObject({ count: 1, sum: 300_00, status: 'exported' });
  const late = await askRefused(platform, shop.admin, batch.handlePayoutBatchExceptions, {
    batchId,
    rows: [3],
    action: 'return',
    reason: 'Too late',
  });
  expect(late.code).toBe('actionNotAllowed');
  expect(await statusOf(three.id)).toBe(1);
});

test('a cancelled batch gives its payouts back; a closed one leaves what is open to be confirmed', async () => {
  const order = await pay();
  const { batchId } = await makeBatch(world.platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  const cancel = { batchId, reason: 'Bank is closed' };
  expect(await as(batch.cancelPayoutBatch, cancel)).toEqual({ batchId, status: 'cancelled' });
  expect(await as(batch.cancelPayoutBatch, cancel)).toEqual({ batchId, status: 'cancelled' });
  expect(await statusOf(order.id)).toBe(0);
  expect((await askRefused(world.platform, shop.admin, batch.markPayoutBatchSent, { batchId })).code).toBe(
    'actionNotAllowed',
  );

  const sent = await makeBatch(world.platform, shop);
  await as(batch.exportPayoutBatch, { batchId: sent.batchId });
  await as(batch.markPayoutBatchSent, { batchId: sent.batchId });
  expect(await as(batch.markPayoutBatchSent, { batchId: sent.batchId })).toMatchObject({ status: 'sent' });
  await as(batch.closePayoutBatch, { batchId: sent.batchId });
  expect(await readPayout(world.platform.db, order.id)).toMatchObject({ status: 7, lockedBy: null });
});

test('another supplier’s batch and account are not found', async () => {
  const { platform } = world;
  await pay();
  const { batchId } = await makeBatch(platform, shop);
  const rival = viewerOf(platform, { role: 'supplier', supplierId: shop.otherSupplierId });
  const own = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  expect((await askRefused(platform, rival, batch.getPayoutBatchDetail, { batchId })).code).toBe('notFound');
  expect((await askRefused(platform, rival, batch.exportPayoutBatch, { batchId })).code).toBe('notFound');
  expect(await createBatch(platform, rival, await batchRequest(platform, shop))).toMatchObject({
    code: 'notFound',
  });
  // Payees are unmasked while they have to be paid, not before and not after.
  await pay();
  const { payTime: _time, key: _key, ...selection } = await batchRequest(platform, shop);
  const nameInPreview = (await ask(platform, own, batch.previewPayoutBatch, selection)).list[0]!.payeeName;
  const nameInBatch = (await ask(platform, own, batch.getPayoutBatchDetail, { batchId })).orders[0]!
    .payeeName;
  expect([nameInPreview, nameInBatch]).toEqual(['A*** R***', 'Asha Rao']);
  expect((await ask(platform, own, batch.getPayoutBatchList, {})).list).toMatchObject([{ batchId }]);
  expect((await ask(platform, rival, batch.getPayoutBatchList, {})).list).toEqual([]);
});

test('a template must be of the account’s bank and filled in; one without a result format says so', async () => {
  const { platform } = world;
  await pay();
  const by = async (name: string, account: { accountId: bigint }) =>
    createBatch(
      platform,
      shop.admin,
      await batchRequest(platform, account, { templateId: await templateId(platform, name) }),
    );
  const accountAt = (bank: string) =>
    makeAccount(platform, {
      supplierId: shop.supplierId,
      monitorId: null,
      direction: 'out',
      bank,
      products: [2001],
    });
  expect(await by('Axis Bank', shop)).toMatchObject({ data: { reason: 'templateOfAnotherBank' } });
  expect(await by('Union Bank', await accountAt('UBIN'))).toMatchObject({
    data: { reason: 'templateParameterMissing' },
  });
  const made = await by('Axis Bank', await accountAt('UTIB'));
  if (isRefusal(made)) throw new Error(made.code);
  const { batchId } = made;
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  expect((await refusedUpload(batchId, fileOf('x'))).code).toBe('resultNotReadable');
});

test('PayoutBatchCalculateAmount: off, the list counts without sums', async () => {
  const { platform } = world;
  await pay(100_00n);
  const { batchId } = await makeBatch(platform, shop);
  const states = async () =>
    (await ask(platform, shop.admin, batch.getPayoutBatchList, { batchId })).list[0]!.states;
  expect(await states()).toEqual([{ state: 'pending', count: 1, amount: 100_00 }]);
  await platform.settings.write('PayoutBatchCalculateAmount', false, null);
  expect(await states()).toEqual([{ state: 'pending', count: 1, amount: null }]);
  await platform.settings.write('PayoutBatchCalculateAmount', true, null);
});

test('money that came back reverses a completed payout; an open payout has failed', async () => {
  const { batchId, orders, references } = await sentBatch(100_00n, 200_00n);
  const said = (status: string, other: string): SaidRow[] => [
    { reference: references[0]!, amount: '100', status, utr: 'ICICN52026111600000009' },
    { reference: references[1]!, amount: '200', status: other, reason: 'Returned by payee bank' },
  ];
  await upload(batchId, said('Success', 'Processing'));
  await as(batch.confirmPayoutBatch, { batchId });
  const { fileHash } = await upload(batchId, said('Reversed', 'Reversed'));
  expect((await detail(batchId)).batch).toMatchObject({ proposed: 2, exceptions: 1 });
  const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
  const boss = viewerOf(world.platform, { role: 'superAdmin', userId });
  await ask(world.platform, boss, batch.confirmPayoutBatch, { batchId, fileHash });
  expect(await readPayout(world.platform.db, orders[0]!.id)).toMatchObject({
    status: 6,
    reversedAt: expect.any(Date),
  });
  expect(await statusOf(orders[1]!.id)).toBe(9);
  expect((await detail(batchId)).orders.map(({ state }) => state)).toEqual(['reversed', 'failed']);
});
