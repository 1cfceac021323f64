import { expect, test } from 'vitest';
import { MINUTE } from '../../platform/clock.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, statedSms, withoutReference } from '../../testing/payments.ts';
import type { ReportedMessage } from './message.ts';

/** Two wordings of one payment, both without a reference. The second comes long after the first. */

const here = eachShop();

const AMOUNT = 550_00n;
const LEFT = { state: 'ambiguous', reason: 'amountJustMatched' };
/** Names only the day, and no balance. */
const ofDay = () => withoutReference(creditSms(here.world.platform, here.shop, AMOUNT));
/** Names the minute and the balance. */
const ofMinute = (balance: bigint): ReportedMessage =>
  withoutReference(statedSms(here.world.platform, here.shop, { amount: AMOUNT, balance }));
/** Names the day and the balance. */
const ofDayWith = (balance: bigint): ReportedMessage => {
  const told = ofMinute(balance);
  return { ...told, text: told.text.replace(/ at \d\d:\d\d(:\d\d)?/, '') };
};
const late = () => here.world.clock.advance(20 * MINUTE);
/** An order that gets exactly this sum as its payable amount. */
const next = async () => {
  const order = await here.calls.order(AMOUNT);
  expect(order.payable).toBe(AMOUNT);
  return order;
};

test('a wording that names only the day may be the payment that was reported without a reference hours before', async () => {
  await next();
  expect(await here.calls.report(ofDay())).toEqual(['matched']);
  late();
  const second = await next();
  const told = ofDay();
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  expect(await here.calls.stored(told)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(second)).toBe(true);
});

test('a wording with day and balance may be the payment whose first wording stated no balance', async () => {
  await next();
  expect(await here.calls.report(ofDay())).toEqual(['matched']);
  late();
  await next();
  expect(await here.calls.report(ofDayWith(9_000_00n))).toEqual(['ambiguous']);
});

test('a wording without balance may be the payment whose first wording stated minute and balance', async () => {
  await next();
  expect(await here.calls.report(ofMinute(9_000_00n))).toEqual(['matched']);
  late();
  await next();
  expect(await here.calls.report(ofDay())).toEqual(['ambiguous']);
});

test('two wordings that state the same balance may be one payment, also if the chain accepts the second as another one', async () => {
  await next();
  expect(await here.calls.report(ofMinute(9_000_00n))).toEqual(['matched']);
  here.world.clock.advance(MINUTE);
  await here.calls.report(
    statedSms(here.world.platform, here.shop, { amount: -AMOUNT, balance: 9_000_00n - AMOUNT }),
  );
  late();
  const second = await next();
  const told = ofDayWith(9_000_00n);
  await here.calls.report(told);
  expect(await here.calls.stored(told)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(second)).toBe(true);
});

test('two wordings that state different balances are two payments', async () => {
  await next();
  expect(await here.calls.report(ofDayWith(9_000_00n))).toEqual(['matched']);
  late();
  await next();
  expect(await here.calls.report(ofDayWith(9_550_00n))).toEqual(['matched']);
});

test('a wording that names a minute after the first report is another payment', async () => {
  await next();
  expect(await here.calls.report(ofDay())).toEqual(['matched']);
  late();
  await next();
  expect(await here.calls.report(ofMinute(9_000_00n))).toEqual(['matched']);
});
