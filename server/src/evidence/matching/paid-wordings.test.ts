import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { readOrder } from '../../collection/read.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { brokenChecks } from '../../testing/books.ts';
import { creditSms, makeShop, newReference, type Shop, withoutReference } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { joinLostMoney } from '../lost/join.ts';

/** Two wordings of one payment wait for an order. One of them completes it by what names it: the other is no lost money any more. */

let world: TestPlatform;
let shop: Shop;
let desk: Viewer;
let calls: ReturnType<typeof shopCalls>;
beforeAll(async () => {
  world = await createTestPlatform();
  calls = shopCalls(world, () => shop);
  const { id: userId } = await makeUser(world.platform, { role: 'customerService' });
  desk = viewerOf(world.platform, { role: 'customerService', userId });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(world.platform);
});

const stated = (amount: bigint, reference: string) => creditSms(world.platform, shop, amount, { reference });
const bare = (amount: bigint) => withoutReference(creditSms(world.platform, shop, amount));
const LEFT = { state: 'ambiguous', reason: 'amountJustMatched' };

test('a payer types the reference of one: the other is left to an operator as perhaps the same', async () => {
  const reference = newReference();
  const other = bare(500_00n);
  expect(await calls.report(other, stated(500_00n, reference))).toEqual(['unmatched', 'unmatched']);
  expect(await calls.type(await calls.order(500_00n), reference)).toMatchObject({ state: 'paid' });
  expect(await calls.stored(other)).toMatchObject(LEFT);
});

test('the desk completes an order with the one without a reference: the reference of the other pays nothing', async () => {
  const reference = newReference();
  const [other, joined] = [stated(510_00n, reference), bare(510_00n)];
  expect(await calls.report(joined, other)).toEqual(['unmatched', 'unmatched']);
  const { id: orderId } = await calls.order(510_00n);
  const { id: messageId } = await calls.stored(joined);
  const done = await joinLostMoney(world.platform, desk, { orderId, messageId, utr: newReference() });
  expect(isRefusal(done)).toBe(false);
  expect(await calls.stored(other)).toMatchObject(LEFT);
  const second = await calls.order(510_00n);
  expect(await calls.type(second, reference)).toMatchObject({ state: 'waiting' });
  expect((await readOrder(world.platform.db, second.id))!.status).toBe(COLLECTION_STATUS.allocated);
});

test('the one with a reference comes last and completes the order that its payer had named', async () => {
  const reference = newReference();
  const other = bare(520_00n);
  expect(await calls.report(other)).toEqual(['unmatched']);
  await calls.type(await calls.order(520_00n), reference);
  expect(await calls.report(stated(520_00n, reference))).toEqual(['matched']);
  expect(await calls.stored(other)).toMatchObject(LEFT);
});

test('both in one report', async () => {
  const reference = newReference();
  const other = bare(530_00n);
  await calls.type(await calls.order(530_00n), reference);
  await calls.report(stated(530_00n, reference), other);
  expect(await calls.stored(other)).toMatchObject(LEFT);
});

test('a payment with a reference of its own, and one of another sum, stay lost money', async () => {
  const reference = newReference();
  const kept = [stated(540_00n, newReference()), bare(541_00n)];
  await calls.report(...kept, stated(540_00n, reference));
  expect(await calls.type(await calls.order(540_00n), reference)).toMatchObject({ state: 'paid' });
  for (const each of kept) expect(await calls.stored(each)).toMatchObject({ state: 'unmatched' });
});
