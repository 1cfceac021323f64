import { expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, makeShop, newReference, type Shop, statedSms } from '../../testing/payments.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { makeAccount, makeUser, viewerOf } from '../../testing/world.ts';
import { supplement } from './supplement.ts';

/** A bank's reversal that fits several accounts of its phone, reported before the payment that it takes back. */

let world: TestPlatform;
let shop: Shop;
let boss: Viewer;
let calls: ReturnType<typeof shopCalls>;
eachShop({
  world: async (made) => {
    world = made;
    calls = shopCalls(world, () => shop);
    const { id } = await makeUser(world.platform, { role: 'superAdmin' });
    boss = viewerOf(world.platform, { role: 'superAdmin', userId: id });
  },
  shop: (made) => {
    shop = made;
  },
});

const AMOUNT = 550_00n;
async function twin() {
  const { monitor, supplierId, accountNumber } = shop;
  const alike = `6${accountNumber.slice(1)}`;
  await makeAccount(world.platform, { supplierId, monitorId: monitor.id, accountNumber: alike, state: 1 });
}
const debit = (reference = newReference()) =>
  statedSms(world.platform, shop, { amount: -AMOUNT, balance: 10_000_00n, reference });
const reversalOf = (utr: string) => {
  const own = debit();
  return { ...own, text: `${own.text} reversal of UPI ${utr}` };
};

test('it takes back a payment that comes after it, though it names the payment in its text alone', async () => {
  await twin();
  const order = await calls.order(AMOUNT);
  const utr = newReference();
  expect(await calls.report(reversalOf(utr))).toEqual(['ambiguous']);
  const its = creditSms(world.platform, shop, AMOUNT, { reference: utr });
  expect(await calls.report({ ...its, accountHint: shop.accountNumber })).toEqual(['ambiguous']);
  expect(await calls.stored(its)).toMatchObject({ state: 'ambiguous', reason: 'wentBack' });
  expect(await calls.isOpen(order)).toBe(true);
});
test.each([
  ['by its number', debit],
  ['in its text alone', reversalOf],
])('it lets the UTR that it names complete an order only with a second person, %s', async (_name, told) => {
  await twin();
  const order = await calls.order(AMOUNT);
  const utr = newReference();
  expect(await calls.report(told(utr))).toEqual(['ambiguous']);
  expect(await supplement(world.platform, boss, { orderId: order.id, utr, offset: false })).toMatchObject({
    code: 'approvalNeeded',
  });
});
test('it says nothing of an account of another phone', async () => {
  const utr = newReference();
  await twin();
  expect(await calls.report(reversalOf(utr))).toEqual(['ambiguous']);
  shop = await makeShop(world.platform);
  await world.platform.db.query(sql`update resources set state = 1 where account_id <> ${shop.accountId}`);
  const order = await calls.order(AMOUNT);
  const its = creditSms(world.platform, shop, order.payable!, { reference: utr });
  expect(await calls.report(its)).toEqual(['matched']);
});
