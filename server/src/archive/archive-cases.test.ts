import { getArchivedOrder, restoreArchived } from '@sangam/contract/endpoints/archive.ts';
import { getEntity } from '@sangam/contract/endpoints/entity.ts';
import { acceptProof, cancelPayout } from '@sangam/contract/endpoints/payout.ts';
import { sign } from '@sangam/contract/signature.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkAllSealed } from '../audit/turn.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { claim } from '../payout/claim.ts';
import { addSlip } from '../payout/slips.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { brokenChecks } from '../testing/books.ts';
import { growOld } from '../testing/grown-old.ts';
import { createOne, creditSms, makeShop, newReference, statedSms } from '../testing/payments.ts';
import { giveFunds, makePayoutShop, payOut } from '../testing/payouts.ts';
import { post } from '../testing/call.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import { issueInvoices } from '../treasury/invoices/issue.ts';
import { restoreWaiting } from './restore.ts';
import { archiveNow, archiveOld } from './run.ts';

/** Special cases on an archive's way. archive.test.ts shows the whole way. */

let node: TestPlatform;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sangam-archive-cases-'));
  node = await createTestPlatform({ archiveDir: folder });
});
afterEach(async () => {
  await node.close();
  await rm(folder, { recursive: true });
});

const staff = async (role: 'admin' | 'superAdmin') =>
  viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });

const grownOld = () => growOld(node);

const idsOf = async (table: 'collection_orders' | 'payout_orders') =>
  (
    await node.platform.db.query<{ id: bigint }>(
      table === 'payout_orders'
        ? sql`select id from payout_orders order by id`
        : sql`select id from collection_orders order by id`,
    )
  ).map(({ id }) => id);

test('an order that is written to while its month is archived gives the file up; the next night archives what still may go', async () => {
  const { platform, owner } = node;
  const shop = await makeShop(platform);
  const [first, second] = [
    await createOne(platform, shop.merchantId),
    await createOne(platform, shop.merchantId),
  ];
  await grownOld();
  let touched: Promise<unknown> = Promise.resolve();
  const run = await archiveOld(platform, owner, (step, file) => {
    if (step !== 'watched' || !file.startsWith('collection_orders')) return;
    touched = platform.db.query(sql`update collection_orders set frozen = true where id = ${first.id}`);
  });
  await touched;
  expect(run).toMatchObject({ orders: 0, failures: [] });
  expect(await idsOf('collection_orders')).toEqual([first.id, second.id]);
  const states = await platform.db.query(
    sql`select part, state from archives where table_name = 'collection_orders'`,
  );
  expect(states).toEqual([{ part: 1, state: 'givenUp' }]);
  expect((await readdir(folder)).filter((name) => name.startsWith('collection_orders'))).toEqual([]);

  expect(await archiveOld(platform, owner)).toMatchObject({ orders: 1, failures: [] });
  expect(await idsOf('collection_orders')).toEqual([first.id]);
  expect(
    await platform.db.query(
      sql`select part, state from archives where table_name = 'collection_orders' order by part`,
    ),
  ).toEqual([
    { part: 1, state: 'givenUp' },
    { part: 2, state: 'removed' },
  ]);
});

test('an order with money comes back when a second person agrees, and not before', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  await grownOld();
  await archiveNow(platform);
  expect(await idsOf('collection_orders')).toEqual([]);
  const [maker, checker] = [await staff('superAdmin'), await staff('superAdmin')];
  const asked = await askRefused(platform, maker, restoreArchived, {
    orderCode: String(order.id),
    reason: 'the payer complains',
  });
  expect(asked.code).toBe('approvalNeeded');
  const { todoId } = asked.data as { todoId: string };
  await restoreWaiting(platform);
  expect(await idsOf('collection_orders')).toEqual([]);
  await askRefused(platform, maker, decide, { id: todoId, approve: true });
  await ask(platform, checker, decide, { id: todoId, approve: true });
  await restoreWaiting(platform);
  expect(await idsOf('collection_orders')).toEqual([order.id]);
  await checkAllSealed(platform);
  expect(await brokenChecks(platform)).toEqual([]);
});

test('an order that came back is reversed as any other: its fee is credited once, and it goes again', async () => {
  const { platform, owner, clock } = node;
  await platform.settings.write('InvoiceIssuer', 'Sangam', null);
  await platform.db.query(sql`
    insert into invoice_months (month, tax_percent, issuer, issued_at) values ('2026-10-01', 18, 'Sangam', ${clock.now()})`);
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  const goes = async () => {
    await grownOld();
    await makePartitions({ db: owner, clock });
    await archiveNow(platform);
    expect(await idsOf('collection_orders')).toEqual([]);
    await issueInvoices(platform);
    expect(await brokenChecks(platform)).toEqual([]);
    const invoices = await platform.db.query<{ fee: bigint }>(sql`select fee from invoices order by id`);
    return invoices.map(({ fee }) => fee);
  };
  const [fee, ...others] = await goes();
  expect(others).toEqual([]);
  const [maker, checker] = [await staff('superAdmin'), await staff('superAdmin')];
  const orderCode = String(order.id);
  const asked = await askRefused(platform, maker, restoreArchived, { orderCode, reason: 'paid back' });
  const { todoId } = asked.data as { todoId: string };
  await ask(platform, checker, decide, { id: todoId, approve: true });
  await restoreWaiting(platform);
  await reverseByTwo(platform, { orderId: order.id });
  expect(await goes()).toEqual([fee, -fee!]);
});

test('a payout that a chain ended is not asked about, and is archived', async () => {
  const { platform } = node;
  const shop = await makePayoutShop(platform);
  const { id } = await payOut(platform, shop.merchantId);
  await ask(platform, viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId }), cancelPayout, {
    orderCode: String(id),
  });
  // As the code leaves it when the channel's answer is final (ask-gateways.ts): due for ever.
  await platform.db.query(
    sql`update payout_orders set attempt = 1, ask_again_at = finished_at + interval '5 minutes' where id = ${id}`,
  );
  await grownOld();
  await archiveNow(platform);
  expect(await idsOf('payout_orders')).toEqual([]);
});

/** Makes a merchant's signed calls. */
async function merchantCalls(fields: { readonly mchId: string; readonly secret: string }) {
  const app = await node.app();
  return async (path: 'create' | 'query' | 'queryUtr', asked: Record<string, string>) => {
    const payload = { mchId: fields.mchId, ...asked };
    const url = `/api/order/${path}`;
    return post(app, url, { ...payload, sign: sign(payload, 'md5', fields.secret) });
  };
}

test('an archived pay-in is answered as before: a repeat creates no second order and gets its result', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const { merchantId, secret } = await makeMerchant(platform, { signType: 'md5' });
  const merchant = await merchantCalls({ mchId: String(merchantId), secret });
  const notifyUrl = 'http://127.0.0.1:9/notify';
  const request = { mchOrderNo: 'OLD', productId: '1010', amount: '50000', notifyUrl };
  const first = await merchant('create', request);
  const { payParams } = first.data as { payParams: { payableAmount: number } };
  const reference = newReference();
  await receiveMessages(platform, shop.monitor, [
    creditSms(platform, shop, BigInt(payParams.payableAmount), { reference }),
  ]);
  await grownOld();
  const questions = [
    ['create', request],
    ['create', { ...request, amount: '50100' }],
    ['query', { mchOrderNo: 'OLD' }],
    ['query', { orderCode: String(first.data['orderCode']) }],
    ['queryUtr', { utr: reference }],
  ] as const;
  const answers = async () => {
    const told = [];
    for (const [path, asked] of questions) told.push((await merchant(path, asked)).body);
    return told;
  };
  const before = await answers();
  expect(before).toMatchObject([
    { code: 200, data: first.data },
    { code: 1103 },
    { code: 200, data: { status: 1, utr: reference, realAmount: payParams.payableAmount } },
    { code: 200 },
    { code: 200 },
  ]);
  await archiveNow(platform);
  expect(await idsOf('collection_orders')).toEqual([]);
  expect(await answers()).toEqual(before);
  expect(await idsOf('collection_orders')).toEqual([]);
  const other = await makeMerchant(platform, { signType: 'md5' });
  const stranger = await merchantCalls({ mchId: String(other.merchantId), secret: other.secret });
  for (const [path, asked] of questions.slice(2)) expect((await stranger(path, asked)).code).toBe(404);
});

test('a credit with the UTR of an archived order and another sum is left to people, as before the archive', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  const reference = newReference();
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!, { reference })]);
  await grownOld();
  await makePartitions({ db: node.owner, clock: node.clock });
  await archiveNow(platform);
  expect(await idsOf('collection_orders')).toEqual([]);
  const told = await receiveMessages(platform, shop.monitor, [
    creditSms(platform, shop, order.payable! + 500_00n, { reference }),
  ]);
  expect(told).toMatchObject([{ state: 'ambiguous' }]);
});

test('the admins are notified when the bank takes back a payment that has paid an archived order', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  const [reference, admin] = [newReference(), await staff('admin')];
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!, { reference })]);
  await grownOld();
  await makePartitions({ db: node.owner, clock: node.clock });
  await archiveNow(platform);
  expect(await idsOf('collection_orders')).toEqual([]);
  const back = statedSms(platform, shop, { amount: -order.payable!, balance: 0n, reference });
  await receiveMessages(platform, shop.monitor, [back]);
  const told = await platform.db.query(
    sql`select kind, data from inbox_messages where user_id = ${admin.userId} and data->>'utr' = ${reference}`,
  );
  expect(told).toMatchObject([{ kind: 'moneyWentBack', data: { order: String(order.id), utr: reference } }]);
});

test('an archived payout is answered as before, so nobody sends it again under another number', async () => {
  const { platform } = node;
  const { merchantId, secret } = await makeMerchant(platform, { products: [2012], signType: 'md5' });
  await giveFunds(platform, merchantId, 'INR', 1_000_00n);
  const merchant = await merchantCalls({ mchId: String(merchantId), secret });
  const fields = { mchOrderNo: 'OLD', productId: '2012', amount: '10000', vpa: 'asha@ybl' };
  const request = { ...fields, notifyUrl: 'http://127.0.0.1:9/notify' };
  const first = await merchant('create', request);
  await ask(platform, viewerOf(platform, { role: 'merchant', merchantId }), cancelPayout, {
    orderCode: String(first.data['orderCode']),
  });
  await grownOld();
  const cancelled = await merchant('query', { mchOrderNo: 'OLD' });
  expect(cancelled.data).toMatchObject({ orderCode: first.data['orderCode'], status: 2 });
  await archiveNow(platform);
  expect(await idsOf('payout_orders')).toEqual([]);
  expect(await merchant('create', request)).toEqual(first);
  expect(await merchant('create', { ...request, amount: '10100' })).toMatchObject({ code: 1103 });
  expect(await merchant('query', { mchOrderNo: 'OLD' })).toEqual(cancelled);
});

test('ended payouts are archived and read from their file; one without its proof stays', async () => {
  const { platform } = node;
  const shop = await makePayoutShop(platform);
  const own = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  const admin = await staff('admin');
  const paid = async () => {
    const order = await payOut(platform, shop.merchantId);
    await claim(platform, own, order.id);
    await confirmPaid(platform, own, { orderId: order.id, utr: newReference() });
    return order.id;
  };
  const [proven, unproven] = [await paid(), await paid()];
  const { id: userId } = await makeUser(platform, { role: 'supplier' });
  const slip = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  for (const id of [proven, unproven]) await addSlip(platform, { ...own, userId }, id, slip);
  await ask(platform, admin, acceptProof, { orderCode: String(proven), reason: 'statement of the bank' });
  const { id: cancelled } = await payOut(platform, shop.merchantId);
  await ask(platform, viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId }), cancelPayout, {
    orderCode: String(cancelled),
  });
  await grownOld();
  await archiveNow(platform);
  expect(await idsOf('payout_orders')).toEqual([unproven]);
  // Pictures of receipts hold personal data and are deleted with their orders.
  expect(await platform.db.query(sql`select order_id as id from payout_slips`)).toEqual([{ id: unproven }]);
  const read = await ask(platform, await staff('superAdmin'), getArchivedOrder, {
    orderCode: String(proven),
  });
  expect(read).toMatchObject({
    direction: 'out',
    order: { id: String(proven), status: '3', amount: '50000' },
  });
  expect(read.history.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['claimed', 'completed', 'proofAccepted']),
  );
  await checkAllSealed(platform);
  expect(await brokenChecks(platform)).toEqual([]);
});

test('the entity view shows an archived order with its history, and what it belongs to', async () => {
  const { platform, owner } = node;
  const shop = await makeShop(platform);
  const { id, payable } = await createOne(platform, shop.merchantId, { userName: 'Asha Rao' });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, payable!)]);
  const asked = { kind: 'collectionOrder' as const, id: String(id) };
  const boss = await staff('superAdmin');
  await grownOld();
  const before = await ask(platform, boss, getEntity, asked);
  expect(await archiveOld(platform, owner)).toMatchObject({ orders: 1, failures: [] });
  const after = await ask(platform, boss, getEntity, asked);
  const facts = ({ fields }: typeof before) =>
    fields.filter(({ name }) => ['status', 'received', 'user_name', 'mch_order_no', 'frozen'].includes(name));
  expect(facts(after)).toEqual(facts(before));
  const steps = ({ history }: typeof before) =>
    history.map(({ kind, actor, data }) => ({ kind, actor, data }));
  expect(steps(after)).toEqual(steps(before));
  expect(after.isArchived).toBe(true);
  expect(after.relations.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['posting', 'callback', 'merchant', 'supplier', 'account']),
  );
  expect(await askRefused(platform, boss, getEntity, { ...asked, kind: 'payoutOrder' })).toMatchObject({
    code: 'notFound',
  });
  const maintenance = viewerOf(platform, { role: 'technicalMaintenance' });
  const { fields } = await ask(platform, maintenance, getEntity, asked);
  expect(fields.find(({ name }) => name === 'user_name')?.value).toBe('A*** R***');
});
