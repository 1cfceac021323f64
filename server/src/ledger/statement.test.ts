import { explain, getStatement } from '@sangam/contract/endpoints/fund.ts';
import { getDetail } from '@sangam/contract/endpoints/order.ts';
import { getFundRecordList } from '@sangam/contract/endpoints/party.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from '../platform/clock.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { sql } from '../platform/db/database.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createOne, creditSms, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { topUpDeposit, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';

const WHY = 'forged message, case 7';

let node: TestPlatform;
let shop: Shop;
let start: Date;
let orders: bigint[];

async function pay(amount: bigint): Promise<bigint> {
  const order = await createOne(node.platform, shop.merchantId, { amount });
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, order.payable!)]);
  return order.id;
}

/** Three days with an order of 1,000 rupees each; the second order is reversed on the third day. */
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  start = node.clock.now();
  orders = [];
  for (let day = 0; day < 3; day += 1) {
    node.clock.set(new Date(start.getTime() + day * DAY + HOUR));
    await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
    orders.push(await pay(1_000_00n));
  }
  await reverseByTwo(node.platform, { orderId: orders[1]!, reason: WHY });
  node.clock.advance(HOUR);
});
afterAll(() => node.close());

const merchant = () => viewerOf(node.platform, { role: 'merchant', merchantId: shop.merchantId });
const staff = () => viewerOf(node.platform, { role: 'customerService' });
const at = (days: number) => formatTime(new Date(start.getTime() + days * DAY));
const until = (days: number) => formatTime(new Date(start.getTime() + days * DAY - SECOND));
const statement = async (viewer: Viewer, from: number, to: number, more: object = {}) =>
  (
    await ask(node.platform, viewer, getStatement, {
      currency: 'INR',
      startTime: at(from),
      endTime: until(to),
      ...more,
    })
  ).list;

test('each period opens with the closing balance of the one before, and its lines add up to the difference', async () => {
  const bucket = { bucket: 'available' };
  const days = [];
  for (let day = 0; day < 3; day += 1) days.push((await statement(merchant(), day, day + 1, bucket))[0]!);
  expect(days.map(({ opening, closing }) => [opening, closing])).toEqual([
    [0, 970_00],
    [970_00, 1_940_00],
    [1_940_00, 1_940_00],
  ]);
  expect(days[2]!.lines).toEqual([
    { postingKind: 'collection', count: 1, amount: 970_00 },
    { postingKind: 'reversal', count: 1, amount: -970_00 },
  ]);
  for (const { opening, closing, lines } of days) {
    expect(opening + lines.reduce((sum, line) => sum + line.amount, 0)).toBe(closing);
  }
});

test('a statement has all buckets of an owner, and the platform’s slots as one balance', async () => {
  const supplier = { ownerKind: 'supplier', ownerId: String(shop.supplierId) };
  const buckets = await statement(staff(), 0, 3, supplier);
  expect(buckets.map((row) => [row.bucket, row.opening, row.closing])).toEqual([
    ['commission', 0, 20_00],
    ['debt', 0, 0],
    ['deposit', 0, 9_998_000_00],
  ]);
  const [revenue] = await statement(staff(), 0, 3, { ownerKind: 'platform', bucket: 'revenue' });
  expect(revenue).toMatchObject({ opening: 0, closing: 40_00 });
});

test('a balance is explained by all that ever moved it, with the orders of the newest entries', async () => {
  const why = await ask(node.platform, merchant(), explain, { currency: 'INR', bucket: 'available' });
  expect(why).toMatchObject({ balance: 1_940_00, floor: 0 });
  expect(why.totals).toEqual([
    { postingKind: 'collection', count: 3, amount: 2_910_00 },
    { postingKind: 'reversal', count: 1, amount: -970_00 },
  ]);
  expect(why.newest.map((entry) => entry.orderCode)).toEqual(
    [orders[1], orders[2], orders[1], orders[0]].map(String),
  );
  const all = await ask(node.platform, staff(), explain, {
    ownerKind: 'platform',
    currency: 'INR',
    bucket: 'external',
  });
  expect(all.totals.reduce((sum, total) => sum + total.amount, 0)).toBe(all.balance);
});

test('only staff see why a payment was reversed', async () => {
  const { platform } = node;
  const orderCode = String(orders[1]);
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  const told = async (viewer: Viewer) =>
    JSON.stringify([
      await ask(platform, viewer, getFundRecordList, { orderCode }),
      await ask(platform, viewer, explain, {
        currency: 'INR',
        bucket: viewer.role === 'merchant' ? 'available' : 'deposit',
        ...(viewer.role === 'customerService' && { ownerKind: 'supplier', ownerId: String(shop.supplierId) }),
      }),
      (await ask(platform, viewer, getDetail, { orderCode })).events,
    ]).includes(WHY);
  expect(await Promise.all([staff(), merchant(), supplier].map(told))).toEqual([true, false, false]);
});

test('entries of the platform show no balance, because its balances are kept in parts', async () => {
  const { list } = await ask(node.platform, staff(), getFundRecordList, { ownerKind: 'platform' });
  expect(new Set(list.map(({ balanceAfter }) => balanceAfter))).toEqual(new Set([null]));
});

test('an explanation reads only its period, opens with the balance at its start, and pages backwards', async () => {
  const asked = { currency: 'INR', bucket: 'available' };
  const lastDay = await ask(node.platform, merchant(), explain, { ...asked, startTime: at(2) });
  expect(lastDay).toMatchObject({
    opening: 1_940_00,
    closing: 1_940_00,
    balance: 1_940_00,
    startTime: at(2),
  });
  expect(lastDay.newest).toHaveLength(2);
  const second = await ask(node.platform, merchant(), explain, {
    ...asked,
    startTime: at(1),
    endTime: until(2),
  });
  expect(second).toMatchObject({
    opening: 970_00,
    closing: 1_940_00,
    balance: 1_940_00,
    totals: [{ postingKind: 'collection', count: 1, amount: 970_00 }],
  });
  const pages: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await ask(node.platform, merchant(), explain, { ...asked, pageSize: 3, cursor });
    pages.push(...page.newest.map((entry) => entry.id));
    cursor = page.nextCursor;
  } while (cursor);
  const whole = await ask(node.platform, merchant(), explain, asked);
  expect(pages).toEqual(whole.newest.map((entry) => entry.id));
  const long = { ...asked, startTime: at(-94), endTime: at(0) };
  expect((await askRefused(node.platform, merchant(), explain, long)).code).toBe('invalidInput');
});

test('a merchant and a supplier read their own statements only', async () => {
  const period = { currency: 'INR', startTime: at(0), endTime: at(3) };
  const other = { ownerKind: 'supplier', ownerId: String(shop.supplierId) };
  expect((await askRefused(node.platform, merchant(), getStatement, { ...period, ...other })).code).toBe(
    'notFound',
  );
  const explained = { currency: 'INR', bucket: 'revenue', ownerKind: 'platform' };
  expect((await askRefused(node.platform, merchant(), explain, explained)).code).toBe('notFound');
  const supplier = viewerOf(node.platform, { role: 'supplier', supplierId: shop.supplierId });
  expect(await statement(supplier, 0, 3)).toEqual(await statement(staff(), 0, 3, other));
});

test('a period is 93 days at most, and staff must name the owner', async () => {
  const period = { currency: 'INR', startTime: at(0), endTime: at(94) };
  const refusal = async (viewer: Viewer, query: object) =>
    (await askRefused(node.platform, viewer, getStatement, { ...period, ...query })).code;
  expect(await refusal(merchant(), {})).toBe('invalidInput');
  expect(await refusal(staff(), { endTime: at(1) })).toBe('invalidInput');
  expect(await refusal(staff(), { endTime: at(1), ownerKind: 'merchant' })).toBe('invalidInput');
  await topUpDeposit(node.platform, shop.supplierId, 'KES', 5_00n);
  const kes = { ownerKind: 'supplier', ownerId: String(shop.supplierId), currency: 'KES' };
  expect((await statement(staff(), 0, 4, kes)).map((row) => row.closing)).toEqual([5_00]);
});
