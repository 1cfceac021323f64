import { getFees, getInvoices } from '@sangam/contract/endpoints/invoice.ts';
import { parseTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { addUp } from '../../statistics/keep.ts';
import { ask } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { makeMerchant, makeUser, viewerOf } from '../../testing/world.ts';
import { issueInvoices } from './issue.ts';
import { financialYearOf, invoiceNumber, monthAfter } from './months.ts';
import { containedTax } from './tax.ts';

/** The test's clock begins in November 2026. */
let node: TestPlatform;
/** One account receives the payments for both merchants. */
let shop: Shop;
let merchants: readonly [bigint, bigint];
let first: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  merchants = [shop.merchantId, (await makeMerchant(node.platform)).merchantId];
  first = await paid(merchants[0], 1_000_00n);
  await paid(merchants[0], 333_33n);
  await paid(merchants[1], 500_00n);
});
afterAll(() => node.close());

async function paid(merchantId: bigint, amount: bigint): Promise<bigint> {
  const { platform, clock } = node;
  const { id, payable } = await createOne(platform, merchantId, { amount });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, payable!)]);
  clock.advance(SECOND);
  return id;
}
async function issueAt(time: string): Promise<void> {
  node.clock.set(parseTime(time)!);
  await addUp(node.platform);
  await issueInvoices(node.platform);
}
const set = (name: 'InvoiceIssuer' | 'InvoiceTaxPercent', value: string | number) =>
  node.platform.settings.write(name, value as never, null);
const issued = async (viewer = viewerOf(node.platform, { role: 'admin' })) =>
  (await ask(node.platform, viewer, getInvoices)).list;
const feesOf = async (merchantId: bigint) => {
  const [row] = await node.platform.db.query<{ fee: bigint }>(
    sql`select sum(fee)::bigint as fee from collection_orders where merchant_id = ${merchantId} and paid_at is not null`,
  );
  return Number(row!.fee);
};

test('a month is invoiced once somebody says who issues, two hours after its end, each merchant with the next number', async () => {
  await issueAt('2026-12-01 02:00:00');
  expect(await issued()).toEqual([]);
  await set('InvoiceIssuer', 'Sangam Ltd, Kochi, GSTIN 32AAAAA0000A1Z5');
  await issueAt('2026-12-01 02:00:00');
  const fees = [await feesOf(merchants[0]), await feesOf(merchants[1])] as const;
  const line = { month: '2026-11-01', direction: 'in', productId: 1010, taxPercent: 18 };
  const taxes = fees.map((fee) => Number(containedTax(BigInt(fee), 18)));
  expect((await issued()).toReversed()).toMatchObject(
    merchants.map((merchantId, index) => ({
      number: `2026-27/00000${index + 1}`,
      merchantId: String(merchantId),
      issuer: 'Sangam Ltd, Kochi, GSTIN 32AAAAA0000A1Z5',
      fee: fees[index],
      tax: taxes[index],
      lines: [{ ...line, fee: fees[index], tax: taxes[index] }],
    })),
  );
  await Promise.all([issueInvoices(node.platform), issueInvoices(node.platform)]);
  expect(await issued()).toHaveLength(2);
});

test('a merchant sees its own invoices alone, and nobody changes one', async () => {
  const [merchantId] = merchants;
  const list = await issued(viewerOf(node.platform, { role: 'merchant', merchantId }));
  expect(list.map((invoice) => invoice.merchantId)).toEqual([String(merchantId)]);
  const { list: fees } = await ask(
    node.platform,
    viewerOf(node.platform, { role: 'merchant', merchantId }),
    getFees,
    {
      month: '2026-11-01',
    },
  );
  expect(fees).toMatchObject([{ paid: 2, amount: expect.any(Number), fee: await feesOf(merchantId) }]);
  for (const statement of [
    sql`update invoices set fee = 0`,
    sql`delete from invoice_lines`,
    sql`update invoice_months set tax_percent = 0`,
  ])
    await expect(node.platform.db.query(statement)).rejects.toThrow('permission denied');
});

test('what is taken back after its month was invoiced is credited in the next one, with the tax it had', async () => {
  const { platform, clock } = node;
  clock.set(parseTime('2026-12-10 12:00:00')!);
  const before = await issued();
  const [order] = await platform.db.query<{ fee: bigint }>(
    sql`select fee from collection_orders where id = ${first}`,
  );
  await reverseByTwo(platform, { orderId: first });
  clock.advance(SECOND);
  await set('InvoiceTaxPercent', 5);
  await issueAt('2027-01-01 01:59:59');
  expect(await issued()).toEqual(before);
  await issueAt('2027-01-01 02:00:00');
  const [credit, ...others] = await issued();
  const fee = -Number(order!.fee);
  const tax = Number(containedTax(BigInt(fee), 18));
  expect(credit).toMatchObject({
    number: '2026-27/000003',
    month: '2026-12-01',
    fee,
    tax,
    lines: [{ month: '2026-11-01', taxPercent: 18, fee, tax }],
  });
  // Issued invoices stay as they are.
  expect(others).toEqual(before);
  // Nothing has changed since, so there are no new lines. A month that was missed is invoiced now.
  await issueAt('2027-03-05 00:00:00');
  expect(await issued()).toHaveLength(3);
  expect(await platform.db.query(sql`select month from invoice_months order by month desc limit 2`)).toEqual([
    { month: '2027-02-01' },
    { month: '2027-01-01' },
  ]);
});

test('a test order’s fee was taken back with its money: it is on no invoice, whatever its mark is', async () => {
  const own = await createTestPlatform();
  const { platform, clock } = own;
  const at = await makeShop(platform);
  const pay = async (mchOrderNo: string, amount = 1_000_00n) => {
    const { id, payable } = await createOne(platform, at.merchantId, { mchOrderNo, amount });
    await receiveMessages(platform, at.monitor, [creditSms(platform, at, payable!)]);
    clock.advance(SECOND);
    return id;
  };
  const { id: userId } = await makeUser(platform, { role: 'superAdmin' });
  for (const mchOrderNo of ['TEST-ORDER-1', 'TEST-ORDER-2', 'TEST-ORDER-3'])
    await platform.db.query(sql`
      insert into test_orders (merchant_id, mch_order_no, catch_token, created_by, created_at)
      values (${at.merchantId}, ${mchOrderNo}, ${mchOrderNo}, ${userId}, ${clock.now()})`);
  await pay('TEST-ORDER-1');
  const marked = await pay('TEST-ORDER-2');
  await platform.db.query(sql`update collection_orders set mark = 0 where id = ${marked}`);
  // Reversed to free its UTR.
  await reverseByTwo(platform, { orderId: await pay('TEST-ORDER-3') });
  const real = await pay('R-1', 2_000_00n);
  // The desk may mark an order as test afterwards: its fee was paid all the same.
  await platform.db.query(sql`update collection_orders set mark = 2 where id = ${real}`);
  await platform.settings.write('InvoiceIssuer', 'Sangam Ltd', null);
  clock.set(parseTime('2026-12-01 02:00:00')!);
  await addUp(platform);
  await issueInvoices(platform);
  const { list } = await ask(platform, viewerOf(platform, { role: 'admin' }), getInvoices);
  const [order] = await platform.db.query<{ fee: bigint }>(
    sql`select fee from collection_orders where id = ${real}`,
  );
  expect(list).toMatchObject([{ fee: Number(order!.fee), lines: [{ fee: Number(order!.fee) }] }]);
  // What the merchant sees as the month's fees is what was invoiced.
  const merchant = viewerOf(platform, { role: 'merchant', merchantId: at.merchantId });
  const fees = await ask(platform, merchant, getFees, { month: '2026-11-01' });
  expect(fees.list).toMatchObject([{ currency: 'INR', productId: 1010, fee: Number(order!.fee) }]);
  await own.close();
});

test('the first month is the last one that is due: in the first two hours of a month the one before', async () => {
  const own = await createTestPlatform();
  const { platform, clock } = own;
  await platform.settings.write('InvoiceIssuer', 'Sangam Ltd', null);
  const monthsAt = async (time: string) => {
    clock.set(parseTime(time)!);
    await addUp(platform);
    await issueInvoices(platform);
    const rows = await platform.db.query<{ month: string }>(
      sql`select month from invoice_months order by month`,
    );
    return rows.map(({ month }) => month);
  };
  expect(await monthsAt('2026-12-01 01:59:59')).toEqual(['2026-10-01']);
  expect(await monthsAt('2026-12-01 02:00:00')).toEqual(['2026-10-01', '2026-11-01']);
  await own.close();
});

test('a number without the one before it is refused by the database', async () => {
  const { platform } = node;
  await expect(
    platform.db.query(sql`
      insert into invoices (id, merchant_id, merchant_name, month, currency, year, number, fee, tax)
      values (${platform.ids.next()}, ${merchants[0]}, 'Shop', '2027-01-01', 'INR', 2026, 5, 100, 18)`),
  ).rejects.toThrow('foreign key');
});

test('years begin in April; the tax is what the amount contains, half a unit to the even one', () => {
  expect(['2027-03-31', '2027-04-01'].map(financialYearOf)).toEqual([2026, 2027]);
  expect([invoiceNumber(2026, 42), invoiceNumber(2099, 1)]).toEqual(['2026-27/000042', '2099-00/000001']);
  expect([monthAfter('2026-12-01'), monthAfter('2027-01-01', -2)]).toEqual(['2027-01-01', '2026-11-01']);
  expect([118n, -118n, 0n, 100n].map((amount) => containedTax(amount, 18))).toEqual([18n, -18n, 0n, 15n]);
  expect([containedTax(3n, 100), containedTax(1n, 100), containedTax(500n, 0)]).toEqual([1n, 1n, 0n]);
});
