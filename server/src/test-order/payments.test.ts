import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import * as contract from '@sangam/contract/endpoints/test-order.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { supplement } from '../evidence/matching/supplement.ts';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { post } from '../testing/call.ts';
import { makeShop, newReference, type Shop, statedSms, withoutReference } from '../testing/payments.ts';
import { createTestUser } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { shopCalls } from '../testing/shop-calls.ts';
import { viewerOf } from '../testing/world.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { readOrder } from '../collection/read.ts';

/** A test order charges nobody, so no payer's payment may end as one. */

let node: TestPlatform;
let app: FastifyInstance;
let shop: Shop;
let boss: Viewer;
let calls: ReturnType<typeof shopCalls>;
let balance = 0n;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  calls = shopCalls(node, () => shop);
  const { id } = await createTestUser(node.platform, 'superAdmin');
  boss = viewerOf(node.platform, { role: 'superAdmin', userId: id });
});
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
  balance = 0n;
  for (const amount of [100_00n, 150_00n]) await calls.report(credit(amount, newReference()));
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

function credit(amount: bigint, reference: string) {
  node.clock.advance(MINUTE);
  balance += amount;
  return statedSms(node.platform, shop, { amount, balance, reference });
}

/** A test order of this sum, on the shop's account. */
async function testOrder(amount: bigint): Promise<CollectionOrder> {
  const asked = { merchantId: String(shop.merchantId), productId: 1010, amount: Number(amount) };
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  const { mchOrderNo, fields } = await ask(node.platform, boss, contract.signTestOrder, asked);
  await post(app, createOrder.path, fields);
  const { orderCode } = await ask(node.platform, boss, contract.getTestOrder, { mchOrderNo });
  return (await readOrder(node.platform.db, BigInt(orderCode!)))!;
}

const available = async () =>
  (await balancesIn(node.platform, 'merchant', shop.merchantId))['available'] ?? 0n;

test('a payment whose UTR a test order was completed by is not joined to it, though account and sum are the same', async () => {
  const utr = newReference();
  const { id: orderId, payable } = await testOrder(500_00n);
  expect(await supplement(node.platform, boss, { orderId, utr, offset: false })).toMatchObject({ status: 6 });
  const told = credit(payable!, utr);
  expect(await calls.report(told)).toEqual(['ambiguous']);
  expect(await calls.stored(told)).toMatchObject({ reason: 'contradictsBooked' });
});

test('nor is one without a UTR, by its sum', async () => {
  const { id: orderId, payable } = await testOrder(500_00n);
  const asked = { orderId, utr: newReference(), offset: false };
  expect(await supplement(node.platform, boss, asked)).toMatchObject({ status: 6 });
  const told = withoutReference(credit(payable!, newReference()));
  expect(await calls.report(told)).not.toEqual(['matched']);
});

test.each(['before', 'after'] as const)(
  'a UTR that is typed into a test order pays it with no payment that came earlier, reported %s',
  async (when) => {
    const utr = newReference();
    const told = credit(500_00n, utr);
    if (when === 'before') expect(await calls.report(told)).toEqual(['unmatched']);
    node.clock.advance(2 * HOUR);
    const order = await testOrder(500_00n);
    expect(order.payable).toBe(500_00n);
    await calls.type(order, utr);
    if (when === 'after') expect(await calls.report(told)).toEqual(['unmatched']);
    expect(await calls.isOpen(order)).toBe(true);
  },
);

test('two people free the UTR that a test order was completed by, and it then pays the order whose payment it is', async () => {
  const utr = newReference();
  const order = await calls.order(700_00n);
  const { id: orderId } = await testOrder(500_00n);
  expect(await supplement(node.platform, boss, { orderId, utr, offset: false })).toMatchObject({ status: 6 });
  const before = await available();
  await calls.type(order, utr);
  expect(await calls.report(credit(700_00n, utr))).toEqual(['ambiguous']);
  expect(await calls.isOpen(order)).toBe(true);
  const asked = { orderId: order.id, utr, offset: false };
  expect(await supplement(node.platform, boss, asked)).toMatchObject({ code: 'utrUsed' });
  expect(await reverseByTwo(node.platform, { orderId, reason: 'a wrong UTR' })).toMatchObject({ status: 6 });
  expect(await available()).toBe(before);
  expect(await supplement(node.platform, boss, asked)).toMatchObject({ status: 6 });
  expect(await available()).toBeGreaterThan(before);
});
