import { expect, test } from 'vitest';
import { MINUTE } from '../../platform/clock.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, type Shop, statedSms, withoutReference } from '../../testing/payments.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import type { ReportedMessage } from './message.ts';

/** Two wordings of one payment, neither with a reference, the second long after the first. */

let world: TestPlatform;
let shop: Shop;
let calls: ReturnType<typeof shopCalls>;
eachShop({
  world: (made) => {
    world = made;
    calls = shopCalls(world, () => shop);
  },
  shop: (made) => {
    shop = made;
  },
});

const AMOUNT = 550_00n;
const LEFT = { state: 'ambiguous', reason: 'amountJustMatched' };
/** Names the day alone, and no balance. */
const ofDay = () => withoutReference(creditSms(world.platform, shop, AMOUNT));
/** Names the minute and the balance. */
const ofMinute = (balance: bigint): ReportedMessage =>
  withoutReference(statedSms(world.platform, shop, { amount: AMOUNT, balance }));
/** Names the day and the balance. */
const ofDayWith = (balance: bigint): ReportedMessage => {
  const told = ofMinute(balance);
  return { ...told, text: told.text.replace(/ at \d\d:\d\d(:\d\d)?/, '') };
};
const late = () => world.clock.advance(20 * MINUTE);
/** An order of the sum that gets its exact amount. */
const next = async () => {
  const order = await calls.order(AMOUNT);
  expect(order.payable).toBe(AMOUNT);
  return order;
};

test('one that names the day alone may be the payment that was told of without a reference hours before', async () => {
  await next();
  expect(await calls.report(ofDay())).toEqual(['matched']);
  late();
  const second = await next();
  const told = ofDay();
  expect(await calls.report(told)).toEqual(['ambiguous']);
  expect(await calls.stored(told)).toMatchObject(LEFT);
  expect(await calls.isOpen(second)).toBe(true);
});

test('so may one that names the day and a balance, where the first named none', async () => {
  await next();
  expect(await calls.report(ofDay())).toEqual(['matched']);
  late();
  await next();
  expect(await calls.report(ofDayWith(9_000_00n))).toEqual(['ambiguous']);
});

test('so may one without a balance, where the first named its minute and one', async () => {
  await next();
  expect(await calls.report(ofMinute(9_000_00n))).toEqual(['matched']);
  late();
  await next();
  expect(await calls.report(ofDay())).toEqual(['ambiguous']);
});

test('two that name the same balance may be one payment, also where the chain takes the second for another one', async () => {
  await next();
  expect(await calls.report(ofMinute(9_000_00n))).toEqual(['matched']);
  world.clock.advance(MINUTE);
  await calls.report(statedSms(world.platform, shop, { amount: -AMOUNT, balance: 9_000_00n - AMOUNT }));
  late();
  const second = await next();
  const told = ofDayWith(9_000_00n);
  await calls.report(told);
  expect(await calls.stored(told)).toMatchObject(LEFT);
  expect(await calls.isOpen(second)).toBe(true);
});

test('two that name different balances are two payments', async () => {
  await next();
  expect(await calls.report(ofDayWith(9_000_00n))).toEqual(['matched']);
  late();
  await next();
  expect(await calls.report(ofDayWith(9_550_00n))).toEqual(['matched']);
});

test('one that names a minute after the first was told of is another payment', async () => {
  await next();
  expect(await calls.report(ofDay())).toEqual(['matched']);
  late();
  await next();
  expect(await calls.report(ofMinute(9_000_00n))).toEqual(['matched']);
});
