import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readOrder } from '../../collection/read.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { brokenChecks } from '../../testing/books.ts';
import { createOne, creditSms, makeShop, type Shop, withoutReference } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { receiveMessages } from './receive.ts';

/** The bank may report a sum that was just paid with a reference again without one, so this sum is the last to be given out again. */

const ASKED = 450_00n;
let world: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  await world.platform.db.query(sql`update products set float_steps = 499 where id = 1010`);
  shop = await makeShop(world.platform);
});

const order = async () => {
  await heartbeat(world.platform, shop.monitor, { scriptVersion: '1' });
  return createOne(world.platform, shop.merchantId, { amount: ASKED });
};
const statusOf = async ({ id }: { readonly id: bigint }) => (await readOrder(world.platform.db, id))!.status;
/** What became of the bank's message, and why. */
async function tell(amount: bigint, { isBare = false } = {}) {
  const told = creditSms(world.platform, shop, amount);
  await receiveMessages(world.platform, shop.monitor, [isBare ? withoutReference(told) : told]);
  const [row] = await world.platform.db.query<{ state: string; reason: string | null }>(sql`
    select state, reason from messages where external_id = ${told.messageId} and account_id = ${shop.accountId}`);
  return row!;
}

test('minutes after a sum was paid the next order gets another one, and a message without a reference completes it', async () => {
  const first = await order();
  expect(await tell(first.payable!)).toMatchObject({ state: 'matched' });
  world.clock.advance(4 * MINUTE);
  const second = await order();
  expect(second.payable).toBe(ASKED + 1n);
  expect(await tell(second.payable!, { isBare: true })).toMatchObject({ state: 'matched' });
  world.clock.advance(12 * MINUTE);
  expect((await order()).payable).toBe(ASKED);
});

test('if no other sum of the range is free, the resting sum is given to one order', async () => {
  await world.platform.db.query(sql`update products set float_steps = 1 where id = 1010`);
  const first = await order();
  await tell(first.payable!);
  world.clock.advance(4 * MINUTE);
  const payables = [];
  for (let n = 0; n < 2; n += 1) payables.push((await order()).payable);
  expect(payables).toEqual([ASKED + 1n, ASKED]);
  expect((await order()).accountId).toBeNull();
});

test('a payment reported in two wordings, one without a reference, pays one order', async () => {
  await world.platform.db.query(sql`update products set float_steps = 1 where id = 1010`);
  const first = await order();
  const amount = first.payable!;
  await tell(amount);
  // The amount is not given out again at once.
  const next = await order();
  expect(next.payable).not.toBe(amount);
  // Much later it is given out again, as the last of its range: the second wording comes late, and states no reference.
  world.clock.advance(10 * MINUTE);
  const third = await order();
  expect(third.payable).toBe(amount);
  expect(await tell(amount, { isBare: true })).toEqual({ state: 'ambiguous', reason: 'amountJustMatched' });
  expect(await statusOf(third)).toBe(1);
});
