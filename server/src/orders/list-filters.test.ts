import { getList } from '@sangam/contract/endpoints/order.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR } from '../platform/clock.ts';
import { readOrder } from '../collection/read.ts';
import { sql } from '../platform/db/database.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { ask } from '../testing/ask.ts';
import { createOne, makeShop, newReference } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { viewerOf } from '../testing/world.ts';

/** Two orders of each direction that differ in everything a list filters by. Each filter alone keeps the first order, or both. */

interface Case {
  readonly filter: string;
  /** Finds the first order only. */
  readonly value: unknown;
}
const cases: Record<'collections' | 'payouts', Case[]> = { collections: [], payouts: [] };
const pairs: Record<'collections' | 'payouts', readonly [string, string]> = {
  collections: ['', ''],
  payouts: ['', ''],
};

const COLLECTION_FILTERS = [
  'merchantId',
  'supplierId',
  'productId',
  'merchantOrderId',
  'orderCode',
  'ipAddress',
  'startTime',
  'orderStatusId',
  'isProxy',
  'orderMark',
  'supplementStatus',
  'supplementType',
  'currentReceivedMoney',
  'description',
  'cardNumber',
  'ifscCode',
  'amount',
  'amountTo',
  'usdtAddress',
  'usdtCount',
  'identifyCode',
  'validateUserName',
  'userName',
  'utr',
  'reversed',
] as const;
const PAYOUT_FILTERS = [
  'merchantId',
  'supplierId',
  'productId',
  'merchantOrderId',
  'orderCode',
  'ipAddress',
  'startTime',
  'orderStatusId',
  'payoutStatus',
  'isProxy',
  'orderMark',
  'cardNumber',
  'ifscCode',
  'amount',
  'usdtAddress',
  'usdtCount',
  'validateUserName',
  'userName',
  'utr',
  'processState',
  'reversed',
] as const;

/** Filters of the payee of the payout that is searched for. */
const ACCOUNT = '00112233445566';
let node: TestPlatform;
const staff = () => viewerOf(node.platform, { role: 'superAdmin' });
const idsOf = async (query: object) =>
  (await ask(node.platform, staff(), getList, { ...query })).list.map((row) => row.id);
const typeOf = (direction: 'collections' | 'payouts') => (direction === 'payouts' ? { orderType: 1 } : {});

beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  const other = await makeShop(platform);
  const second = await createOne(platform, other.merchantId, {
    amount: 700_00n,
    userName: 'Ravi Kumar',
    clientIp: '10.9.9.9',
    subject: 'shoes',
  });
  const payoutShop = await makePayoutShop(platform);
  const plain = await payOut(platform, payoutShop.merchantId, { clientIp: '10.9.9.9' });

  node.clock.advance(HOUR);
  await platform.db.query(sql`update resources set state = 1`);
  const shop = await makeShop(platform);
  await platform.db.query(
    sql`update suppliers set agent_id = ${other.supplierId} where id = ${shop.supplierId}`,
  );
  const { id } = await createOne(platform, shop.merchantId, {
    userName: 'Asha Rao',
    clientIp: '10.1.2.3',
    subject: 'monthly box',
  });
  const utr = newReference();
  await supplement(platform, staff(), { orderId: id, utr, offset: true });
  await reverseByTwo(platform, { orderId: id });
  // Fields that only USDT orders and products of other countries have are written by hand.
  const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
  await platform.db.query(sql`
    update accounts set currency = 'USDT', kind = 'usdt', account_number = ${address}, vpa = null, ifsc = 'HDFC0009999' where id = ${shop.accountId}`);
  await platform.db.query(sql`
    update collection_orders set mark = 2, product_id = 1012, currency = 'USDT', payable = 500001234, amount = 500000000,
      received = 490000000 where id = ${id}`);
  const first = (await readOrder(platform.db, id))!;
  pairs.collections = [String(id), String(second.id)];
  const since = formatTime(new Date(node.clock.now().getTime() - HOUR / 2));
  const collectionValues: Record<(typeof COLLECTION_FILTERS)[number], unknown> = {
    merchantId: String(shop.merchantId),
    supplierId: String(shop.supplierId),
    productId: 1012,
    merchantOrderId: first.mchOrderNo,
    orderCode: String(id),
    ipAddress: '10.1.2.3',
    startTime: since,
    orderStatusId: '6,3',
    isProxy: true,
    orderMark: 2,
    supplementStatus: 1,
    supplementType: 1,
    currentReceivedMoney: 490.0001,
    description: 'MONTHLY',
    cardNumber: address,
    ifscCode: 'hdfc0009999',
    amount: 500.0001,
    amountTo: '500',
    usdtAddress: address,
    usdtCount: 500001234,
    identifyCode: first.identifyCode.toLowerCase(),
    validateUserName: 'ASHA RAO',
    userName: 'asha',
    utr,
    reversed: 'true',
  };
  cases.collections = Object.entries(collectionValues).map(([filter, value]) => ({ filter, value }));

  const paying = await makePayoutShop(platform);
  await platform.db.query(
    sql`update suppliers set agent_id = ${paying.agentId} where id = ${paying.supplierId}`,
  );
  const paid = await payOut(platform, paying.merchantId, {
    amount: 123_45n,
    clientIp: '10.1.2.3',
    payee: {
      userName: 'Meena Iyer',
      cardNumber: ACCOUNT,
      ifscCode: 'ICIC0000001',
      bankName: 'ICICI',
    },
  });
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: paying.supplierId });
  await claim(platform, supplier, paid.id);
  const payoutUtr = newReference();
  await confirmPaid(platform, supplier, { orderId: paid.id, utr: payoutUtr });
  await reverseByTwo(platform, { orderId: paid.id });
  await platform.db.query(sql`
    update payout_orders set mark = 2, product_id = 2045, currency = 'USDT', amount = 123450000, locked_by = 'test' where id = ${paid.id}`);
  pairs.payouts = [String(paid.id), String(plain.id)];
  const payoutValues: Record<(typeof PAYOUT_FILTERS)[number], unknown> = {
    merchantId: String(paying.merchantId),
    supplierId: String(paying.supplierId),
    productId: 2045,
    merchantOrderId: paid.mchOrderNo,
    orderCode: String(paid.id),
    ipAddress: '10.1.2.3',
    startTime: since,
    orderStatusId: 6,
    payoutStatus: 6,
    isProxy: true,
    orderMark: 2,
    cardNumber: ACCOUNT,
    ifscCode: 'icic0000001',
    amount: 123.4501,
    usdtAddress: address,
    usdtCount: 123450000,
    validateUserName: 'meena IYER',
    userName: 'iyer',
    utr: payoutUtr,
    processState: 1,
    reversed: true,
  };
  cases.payouts = Object.entries(payoutValues).map(([filter, value]) => ({ filter, value }));
});
afterAll(() => node.close());

/** Writes the first payout's way to pay. A payout has only one: an account or an address. */
async function nameWay(way: { readonly account?: unknown; readonly address?: unknown }): Promise<void> {
  await node.platform.db.query(sql`
    update payout_orders set payee_account = ${way.account ?? null}, payee_address = ${way.address ?? null}
    where id = ${BigInt(pairs.payouts[0]!)}`);
}

describe.each([
  ['collections', COLLECTION_FILTERS],
  ['payouts', PAYOUT_FILTERS],
] as const)('%s', (direction, filters) => {
  test.each(filters)('%s alone keeps what it names; empty or null it is absent', async (filter) => {
    const { value } = cases[direction].find((each) => each.filter === filter)!;
    if (direction === 'payouts')
      await nameWay(filter === 'usdtAddress' ? { address: value } : { account: ACCOUNT });
    const type = typeOf(direction);
    const [first, second] = pairs[direction];
    expect(await idsOf({ ...type, [filter]: value })).toEqual([first]);
    expect(await idsOf({ ...type, [filter]: '' })).toEqual([first, second]);
    expect(await idsOf({ ...type, [filter]: null })).toEqual([first, second]);
  });

  test('an end time between the two orders keeps the older one; a page size limits the rows', async () => {
    const type = typeOf(direction);
    const [first, second] = pairs[direction];
    const endTime = formatTime(new Date(node.clock.now().getTime() - HOUR / 2));
    expect(await idsOf({ ...type, endTime })).toEqual([second]);
    expect(await idsOf({ ...type, pageSize: 1 })).toEqual([first]);
    expect(await idsOf({ ...type, pageSize: 1, pageIndex: 2 })).toEqual([second]);
  });
});
