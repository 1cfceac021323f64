import { expect, test } from 'vitest';
import { MINUTE } from '../../platform/clock.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, type Shop, statedSms, withoutReference } from '../../testing/payments.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import type { ReportedMessage } from './message.ts';

/** Two wordings of one payment, both without a reference. The second comes long after the first. */

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
/** Names only the day, and no balance. */
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
/** An order that gets exactly this sum as its payable amount. */
const next = async () => {
  const order = await calls.order(AMOUNT);
  expect(order.payable).toBe(AMOUNT);
  return order;
};

test('a wording that names only the day may be the payment that was reported without a reference hours before', async () => {
  await next();
  expect(await calls.report(ofDay())).toEqual(['matched']);
  late();
  const second = await next();
  const told = ofDay();
  expect(await calls.report(told)).toEqual(['ambiguous']);
  expect(await calls.stored(told)).toMatchObject(LEFT);
  expect(await calls.isOpen(second)).toBe(true);
});

test('a wording with day and balance may be the payment whose first wording stated no balance', async () => {
  await next();
  expect(await calls.report(ofDay())).toEqual(['matched']);
  late();
  await next();
  expect(await calls.report(ofDayWith(9_000_00n))).toEqual(['ambiguous']);
});

test('a wording without balance may be the payment whose first wording stated minute and balance', async () => {
  await next();
  expect(await calls.report(ofMinute(9_000_00n))).toEqual(['matched']);
  late();
  await next();
  expect(await calls.report(ofDay())).toEqual(['ambiguous']);
});

test('two wordings that state the same balance may be one payment, also if the chain accepts the second as another one', async () => {
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

test('two wordings that state different balances are two payments', async () => {
  await next();
  expect(await calls.report(ofDayWith(9_000_00n))).toEqual(['matched']);
  late();
  await next();
  expect(await calls.report(ofDayWith(9_550_00n))).toEqual(['matched']);
});

test('a wording that names a minute after the first report is another payment', async () => {
  await next();
  expect(await calls.report(ofDay())).toEqual(['matched']);
  late();
  await next();
  expect(await calls.report(ofMinute(9_000_00n))).toEqual(['matched']);
});
