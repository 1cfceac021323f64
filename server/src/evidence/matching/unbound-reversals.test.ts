import { expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { makeTwin, creditSms, makeShop, newReference, statedSms } from '../../testing/payments.ts';
import { supplement } from './supplement.ts';

/** A bank's reversal that fits several accounts of its phone, reported before the payment that it takes back. */

const here = eachShop();

const AMOUNT = 550_00n;
const twin = () => makeTwin(here.world.platform, here.shop);
const debit = (reference = newReference()) =>
  statedSms(here.world.platform, here.shop, { amount: -AMOUNT, balance: 10_000_00n, reference });
const reversalOf = (utr: string) => {
  const own = debit();
  return { ...own, text: `${own.text} reversal of UPI ${utr}` };
};

test('it takes back a payment that comes after it, though it names the payment in its text alone', async () => {
  await twin();
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  expect(await here.calls.report(reversalOf(utr))).toEqual(['ambiguous']);
  const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
  expect(await here.calls.report({ ...its, accountHint: here.shop.accountNumber })).toEqual(['ambiguous']);
  expect(await here.calls.stored(its)).toMatchObject({ state: 'ambiguous', reason: 'wentBack' });
  expect(await here.calls.isOpen(order)).toBe(true);
});
test.each([
  ['by its number', debit],
  ['in its text alone', reversalOf],
])('it lets the UTR that it names complete an order only with a second person, %s', async (_name, told) => {
  await twin();
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  expect(await here.calls.report(told(utr))).toEqual(['ambiguous']);
  expect(
    await supplement(here.world.platform, here.boss, { orderId: order.id, utr, offset: false }),
  ).toMatchObject({
    code: 'approvalNeeded',
  });
});
test('it says nothing of an account of another phone', async () => {
  const utr = newReference();
  await twin();
  expect(await here.calls.report(reversalOf(utr))).toEqual(['ambiguous']);
  here.shop = await makeShop(here.world.platform);
  await here.world.platform.db.query(
    sql`update resources set state = 1 where account_id <> ${here.shop.accountId}`,
  );
  const order = await here.calls.order(AMOUNT);
  const its = creditSms(here.world.platform, here.shop, order.payable!, { reference: utr });
  expect(await here.calls.report(its)).toEqual(['matched']);
});
