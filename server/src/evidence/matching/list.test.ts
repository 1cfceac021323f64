import { getBankStatementList } from '@sangam/contract/endpoints/party.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { ask } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { receiveMessages } from './receive.ts';

const REFERENCE = '632512345678';

let node: TestPlatform;
let shop: Shop;
let other: Shop;
let orderCode: string;

beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { amount: 431_00n });
  orderCode = String(order.id);
  await receiveMessages(platform, shop.monitor, [
    creditSms(platform, shop, order.payable!, { reference: REFERENCE }),
  ]);
  other = await makeShop(platform);
  await receiveMessages(platform, other.monitor, [
    creditSms(platform, other, 99_50n),
    {
      messageId: 'm1',
      kind: 'sms',
      sender: '+919812345678',
      text: 'Call me on 9812345678',
      receivedAt: node.clock.now(),
      accountHint: undefined,
    },
    ...[1, 2, 3].map((n) => creditSms(platform, other, BigInt(n) * 1_000_00n)),
  ]);
});
afterAll(() => node.close());

const list = (viewer: Viewer, query: Record<string, unknown> = {}) =>
  ask(node.platform, viewer, getBankStatementList, query);
const admin = () => viewerOf(node.platform, { role: 'admin' });
const superAdmin = () => viewerOf(node.platform, { role: 'superAdmin' });
const supplier = (of: Shop) => viewerOf(node.platform, { role: 'supplier', supplierId: of.supplierId });

test('a supplier sees the messages of its own monitors, a merchant none', async () => {
  expect((await list(admin())).total).toBe(6);
  expect((await list(supplier(shop))).list).toMatchObject([
    {
      orderCode,
      state: 'matched',
      utr: REFERENCE,
      resourceId: String(shop.accountId),
      direction: 'credit',
      currency: 'INR',
    },
  ]);
  expect((await list(supplier(shop), { supplierId: String(other.supplierId) })).list).toEqual([]);
  expect((await list(supplier(shop), { monitorId: String(other.monitor.id) })).list).toEqual([]);
  expect(
    (await list(viewerOf(node.platform, { role: 'merchant', merchantId: shop.merchantId }))).list,
  ).toEqual([]);
});

test('only superAdmin reads VPAs and phone numbers; amounts and references stay readable for all', async () => {
  const [whole] = (await list(superAdmin(), { orderCode })).list;
  expect(whole?.text).toContain('from VPA payer@okbank (UPI 632512345678)');
  for (const viewer of [admin(), supplier(shop)]) {
    const [masked] = (await list(viewer, { orderCode })).list;
    expect(masked?.text).toContain('Rs.431.00 credited');
    expect(masked?.text).toContain('from VPA p***@okbank (UPI 632512345678)');
    expect(masked?.payer ?? '').not.toContain('payer@');
  }
  const fromPhone = (await list(supplier(other))).list.find((row) => row.text.startsWith('Call'));
  expect(fromPhone).toMatchObject({ sender: '*******678', text: 'Call me on *******678' });
});

test('filters', async () => {
  const total = async (query: Record<string, unknown>) => (await list(admin(), query)).total;
  expect(await total({ utr: ' 6325 1234-5678 ' })).toBe(1);
  expect(await total({ orderCode: 'not a number' })).toBe(0);
  expect(await total({ amount: '99.5001' })).toBe(1);
  expect(await total({ amount: 99.51 })).toBe(0);
  expect(await total({ state: 'matched' })).toBe(1);
  expect(await total({ direction: 'credit' })).toBe(5);
  expect(await total({ direction: 'debit' })).toBe(0);
  expect(await total({ bank: 'hdfc' })).toBe(5);
  expect(await total({ resourceId: String(other.accountId), supplierId: '' })).toBe(4);
});

test('pages by cursor are the pages by index', async () => {
  const first = await list(admin(), { pageNum: 2 });
  const byCursor = await list(admin(), { pageNum: 2, pageIndex: 2, cursor: first.nextCursor });
  expect(byCursor).toEqual(await list(admin(), { pageNum: 2, pageIndex: 2 }));
  expect(first.list.map((row) => row.id)).toEqual(
    (await list(admin())).list.slice(0, 2).map((row) => row.id),
  );
});

test('without a start the last 31 days show; a reference or an order shows however old', async () => {
  const reported = node.clock.now();
  node.clock.advance(31 * DAY + MINUTE);
  expect((await list(admin())).list).toEqual([]);
  expect((await list(admin(), { endTime: formatTime(reported) })).total).toBe(6);
  expect((await list(admin(), { startTime: formatTime(reported) })).total).toBe(6);
  expect((await list(admin(), { utr: REFERENCE })).total).toBe(1);
  expect((await list(admin(), { orderCode })).total).toBe(1);
  node.clock.advance(-(31 * DAY + MINUTE));
});
