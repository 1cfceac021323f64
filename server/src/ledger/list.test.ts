import { getFundRecordList } from '@sangam/contract/endpoints/party.ts';
import { getTotalBalance } from '@sangam/contract/endpoints/user.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { ask } from '../testing/ask.ts';
import { createOne, creditSms, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, topUpDeposit, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';

let node: TestPlatform;
let shop: Shop;
let other: Shop;
let orderCode: string;
let paid: number;

async function pay(at: Shop): Promise<{ orderCode: string; paid: number }> {
  const order = await createOne(node.platform, at.merchantId, { amount: 2_000_00n });
  await receiveMessages(node.platform, at.monitor, [creditSms(node.platform, at, order.payable!)]);
  return { orderCode: String(order.id), paid: Number(order.payable) };
}

beforeAll(async () => {
  node = await createTestPlatform();
  // One shop after the other, so that each order can only go to its own shop's account.
  shop = await makeShop(node.platform);
  ({ orderCode, paid } = await pay(shop));
  other = await makeShop(node.platform);
  await topUpDeposit(node.platform, other.supplierId, 'USDT', 5_000_000n);
});
afterAll(() => node.close());

const list = (viewer: Viewer, query: Record<string, unknown> = {}) =>
  ask(node.platform, viewer, getFundRecordList, query);
const staff = () => viewerOf(node.platform, { role: 'customerService' });
const merchant = () => viewerOf(node.platform, { role: 'merchant', merchantId: shop.merchantId });
const supplier = (of: Shop) => viewerOf(node.platform, { role: 'supplier', supplierId: of.supplierId });

test('staff see every leg of a posting, and the legs add up to zero', async () => {
  const page = await list(staff(), { orderCode });
  expect(page.list.reduce((sum, row) => sum + row.amount, 0)).toBe(0);
  expect(new Set(page.list.map((row) => row.ownerKind))).toEqual(
    new Set(['merchant', 'supplier', 'platform']),
  );
  expect(new Set(page.list.map((row) => row.postingId)).size).toBe(1);
  for (const row of page.list.filter((each) => each.ownerKind === 'platform')) {
    expect(row).toMatchObject({ ownerId: null, ownerName: 'platform', orderCode });
  }
});

test('a merchant and a supplier see their own balances only', async () => {
  const mine = await list(merchant());
  expect(mine.list).toMatchObject([
    {
      ownerKind: 'merchant',
      ownerId: String(shop.merchantId),
      bucket: 'available',
      amount: paid * 0.97,
      balanceAfter: paid * 0.97,
      orderCode,
    },
  ]);
  expect((await list(merchant(), { ownerKind: 'platform' })).list).toEqual([]);
  expect((await list(merchant(), { ownerId: String(shop.supplierId) })).list).toEqual([]);
  const supplied = await list(supplier(shop));
  expect(supplied.list.map((row) => row.bucket).sort()).toEqual(['commission', 'deposit', 'deposit']);
  expect(new Set(supplied.list.map((row) => row.ownerId))).toEqual(new Set([String(shop.supplierId)]));
});

test('a merchant and a supplier with the same id are kept apart', async () => {
  const mixed = viewerOf(node.platform, { role: 'merchant', merchantId: shop.supplierId });
  expect((await list(mixed)).list).toEqual([]);
});

test('filters by owner, currency, bucket and kind', async () => {
  const totals = await Promise.all(
    [
      { ownerKind: 'supplier', ownerId: String(other.supplierId) },
      { currency: 'USDT' },
      { bucket: 'commission' },
      { postingKind: 'topUp' },
      { ownerKind: 'merchant' },
    ].map((query) => list(staff(), query).then((page) => page.total)),
  );
  expect(totals).toEqual([2, 2, 1, 6, 1]);
});

test('paging by cursor and paging by index show the same pages', async () => {
  const first = await list(staff(), { pageSize: 4 });
  const byCursor = await list(staff(), { pageSize: 4, cursor: first.nextCursor });
  const byIndex = await list(staff(), { pageSize: 4, pageIndex: 2 });
  expect(byCursor.list).toEqual(byIndex.list);
  expect(byIndex.total).toBe(10);
});

test('without a start the list shows the last 31 days; a named order is shown whatever its age', async () => {
  const from = formatTime(new Date(node.clock.now().getTime() - DAY));
  const later = node.anotherNode(32 * DAY);
  const listLater = (query = {}) => ask(later, staff(), getFundRecordList, query);
  expect((await listLater()).list).toEqual([]);
  expect((await listLater({ startTime: from })).total).toBe(10);
  expect((await listLater({ orderCode })).total).toBeGreaterThan(0);
});

test('total balances are a merchant’s or supplier’s own; for staff they are sums that cancel out', async () => {
  // An owner that never had a debt has a debt account of zero.
  const balances = async (viewer: Viewer) =>
    (await ask(node.platform, viewer, getTotalBalance)).list.filter((row) => row.balance !== 0);
  expect(await balances(merchant())).toEqual([
    { ownerKind: 'merchant', currency: 'INR', bucket: 'available', balance: paid * 0.97 },
  ]);
  expect((await balances(supplier(other))).map((row) => [row.currency, row.balance])).toEqual([
    ['INR', 10_000_000_00],
    ['USDT', 5_000_000],
  ]);
  for (const currency of ['INR', 'USDT']) {
    const sums = (await balances(staff())).filter((row) => row.currency === currency);
    expect(sums.reduce((sum, row) => sum + row.balance, 0)).toBe(0);
  }
  const { merchantId } = await makeMerchant(node.platform);
  expect(await balances(viewerOf(node.platform, { role: 'merchant', merchantId }))).toEqual([]);
});
