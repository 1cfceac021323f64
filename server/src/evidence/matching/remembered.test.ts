import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, newReference, statedSms, withoutReference } from '../../testing/payments.ts';
import { supplement } from './supplement.ts';

/** How long, and by what, an account remembers that an amount was paid: another wording of the payment pays no second order. */

const here = eachShop();

const AMOUNT = 550_00n;
const LEFT = { state: 'ambiguous', reason: 'amountJustMatched' };
/** One payment as its bank tells of it: first without its reference, later with it. Both name the day alone. */
function payment() {
  const told = creditSms(here.world.platform, here.shop, AMOUNT, { reference: newReference() });
  const again = () => ({ ...told, messageId: `${told.messageId}-again`, receivedAt: here.world.clock.now() });
  return { reference: /UPI (\d+)/.exec(told.text)![1]!, bare: withoutReference(told), again };
}

/** The desk completed an order by a UTR so long ago. The bank's two texts about its payment come only now. */
async function completedAgo(ms: number) {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  await supplement(here.world.platform, here.boss, { orderId: order.id, utr, offset: false });
  here.world.clock.advance(ms);
  return {
    stated: creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr }),
    bare: withoutReference(creditSms(here.world.platform, here.shop, AMOUNT)),
  };
}

test.each(['before', 'after'])(
  'of one report, the order that the desk completed by a UTR gets the message with it; a credit without UTR %s it goes to an operator',
  async (place) => {
    const { stated, bare } = await completedAgo(0);
    await here.calls.report(...(place === 'before' ? [bare, stated] : [stated, bare]));
    expect(await here.calls.stored(stated)).toMatchObject({ state: 'matched' });
    expect(await here.calls.stored(bare)).toMatchObject(LEFT);
  },
);

test('a payment whose order the desk completed three days before its message pays no other order by a wording without UTR', async () => {
  const { stated, bare } = await completedAgo(3 * DAY);
  const other = await here.calls.order(AMOUNT);
  expect(other.payable).toBe(AMOUNT);
  expect(await here.calls.report(bare)).toEqual(['ambiguous']);
  expect(await here.calls.report(stated)).toEqual(['matched']);
  expect(await here.calls.isOpen(other)).toBe(true);
});

test('nor does a wording in the same report, however long ago the desk completed the order', async () => {
  const { stated, bare } = await completedAgo(6 * DAY);
  const other = await here.calls.order(AMOUNT);
  expect(other.payable).toBe(AMOUNT);
  expect(await here.calls.report(stated, bare)).toEqual(['matched', 'ambiguous']);
  expect(await here.calls.isOpen(other)).toBe(true);
});

/** The desk has completed two orders of the sum, each by a UTR whose message is still to come. */
async function twoCompleted() {
  const complete = async () => {
    const order = await here.calls.order(AMOUNT);
    const utr = newReference();
    await supplement(here.world.platform, here.boss, { orderId: order.id, utr, offset: false });
    here.world.clock.advance(20 * MINUTE);
    return { order, stated: () => creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr }) };
  };
  return { first: await complete(), second: await complete() };
}
const minuteSms = () =>
  withoutReference(statedSms(here.world.platform, here.shop, { amount: AMOUNT, balance: 9_000_00n }));

test('a credit without UTR may be the message of either of two orders that the desk has completed', async () => {
  const { first, second } = await twoCompleted();
  const bare = minuteSms();
  expect(await here.calls.report(bare)).toEqual(['ambiguous']);
  expect(await here.calls.stored(bare)).toMatchObject(LEFT);
  expect(await here.calls.report(second.stated(), first.stated())).toEqual(['matched', 'matched']);
});

test.each(['first', 'second'] as const)(
  'after the message of the %s of two orders that the desk has completed, that of the other pays no order without its UTR',
  async (which) => {
    const completed = await twoCompleted();
    expect(await here.calls.report(completed[which].stated())).toEqual(['matched']);
    here.world.clock.advance(2 * HOUR);
    const next = await here.calls.order(AMOUNT);
    expect(next.payable).toBe(AMOUNT);
    const bare = minuteSms();
    expect(await here.calls.report(bare)).toEqual(['ambiguous']);
    expect(await here.calls.stored(bare)).toMatchObject(LEFT);
    expect(await here.calls.isOpen(next)).toBe(true);
  },
);

test('the payer of an order that the desk has completed may have paid the asked sum: a credit of it without UTR pays no other order', async () => {
  const exact = await here.calls.order(AMOUNT);
  const rounded = await here.calls.order(AMOUNT);
  expect([exact.payable, rounded.payable === AMOUNT]).toEqual([AMOUNT, false]);
  const utr = newReference();
  await supplement(here.world.platform, here.boss, { orderId: rounded.id, utr, offset: false });
  here.world.clock.advance(5 * MINUTE);
  const bare = minuteSms();
  expect(await here.calls.report(bare)).toEqual(['ambiguous']);
  expect(await here.calls.stored(bare)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(exact)).toBe(true);
});

test('once the message of that order has come with its own sum, a credit of the asked sum pays as before', async () => {
  const exact = await here.calls.order(AMOUNT);
  const rounded = await here.calls.order(AMOUNT);
  await supplement(here.world.platform, here.boss, {
    orderId: rounded.id,
    utr: newReference(),
    offset: false,
  });
  here.world.clock.advance(20 * MINUTE);
  const its = withoutReference(creditSms(here.world.platform, here.shop, rounded.payable!));
  expect(await here.calls.report(its)).toEqual(['matched']);
  expect(await here.calls.report(minuteSms())).toEqual(['matched']);
  expect(await here.calls.isOpen(exact)).toBe(false);
});

test('a message that became that of an order the desk had completed is remembered as its payment', async () => {
  const order = await here.calls.order(AMOUNT);
  const completed = await supplement(here.world.platform, here.boss, {
    orderId: order.id,
    utr: newReference(),
    offset: false,
  });
  expect(isRefusal(completed)).toBe(false);
  here.world.clock.advance(MINUTE / 2);
  const { bare, again } = payment();
  expect(await here.calls.report(bare)).toEqual(['matched']);
  here.world.clock.advance(20 * MINUTE);
  const next = await here.calls.order(AMOUNT);
  expect(next.payable).toBe(AMOUNT);
  const stated = again();
  expect(await here.calls.report(stated)).toEqual(['ambiguous']);
  expect(await here.calls.stored(stated)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(next)).toBe(true);
});

test('a wording that comes more than a day later names the day on which the payment paid: its UTR pays no order', async () => {
  const { reference, bare, again } = payment();
  await here.calls.order(AMOUNT);
  expect(await here.calls.report(bare)).toEqual(['matched']);
  here.world.clock.advance(27 * HOUR);
  const stated = again();
  await here.calls.report(stated);
  const next = await here.calls.order(AMOUNT);
  expect(await here.calls.type(next, reference)).toMatchObject({ state: 'waiting' });
  expect(await here.calls.stored(stated)).toMatchObject(LEFT);
});

test('a payment of the next day that comes more than a day later pays its order', async () => {
  const { bare } = payment();
  await here.calls.order(AMOUNT);
  expect(await here.calls.report(bare)).toEqual(['matched']);
  here.world.clock.advance(27 * HOUR);
  const next = await here.calls.order(AMOUNT);
  expect(await here.calls.report(creditSms(here.world.platform, here.shop, AMOUNT))).toEqual(['matched']);
  expect(await here.calls.isOpen(next)).toBe(false);
});

test('with the longest waiting times a payment is remembered as long as its UTR may be typed into an order', async () => {
  const { settings } = here.world.platform;
  const { OrderTimeoutMinutes, CompleteCheckOrderTime } = await settings.all();
  await settings.write('OrderTimeoutMinutes', 1440, null);
  await settings.write('CompleteCheckOrderTime', 1440, null);
  // Half past midnight in India: the day that the wordings name has just begun.
  here.world.clock.set(new Date(Math.ceil(here.world.clock.now().getTime() / DAY) * DAY + 19 * HOUR));
  const { reference, bare, again } = payment();
  await here.calls.order(AMOUNT);
  expect(await here.calls.report(bare)).toEqual(['matched']);
  here.world.clock.advance(40 * HOUR);
  const next = await here.calls.order(AMOUNT);
  here.world.clock.advance(40 * HOUR);
  const stated = again();
  await here.calls.report(stated);
  await here.calls.type(next, reference);
  expect(await here.calls.stored(stated)).toMatchObject(LEFT);
  await settings.write('OrderTimeoutMinutes', OrderTimeoutMinutes, null);
  await settings.write('CompleteCheckOrderTime', CompleteCheckOrderTime, null);
});
