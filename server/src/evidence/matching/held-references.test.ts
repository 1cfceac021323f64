import { expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { createOne, creditSms, newReference, type Shop } from '../../testing/payments.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { releaseHeld } from './release-held.ts';

/**
 * A payer types the reference of a credit that is held for its chain into another order. Others can see that reference, the supplier's
 * people first.
 */

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

const AMOUNT = 20_000_00n;
const LEFT = { state: 'ambiguous', reason: 'severalOrders' };
const balances = (mode: 'none' | 'required') =>
  world.platform.db.query(sql`update accounts set balance_mode = ${mode} where id = ${shop.accountId}`);

test('a held credit is not taken from an order whose payer’s name stands in it', async () => {
  await balances('none');
  const paid = await calls.order(AMOUNT);
  const first = newReference();
  await calls.type(paid, first);
  expect(await calls.report(creditSms(world.platform, shop, AMOUNT, { reference: first }))).toEqual([
    'matched',
  ]);
  await balances('required');
  const held = await createOne(world.platform, shop.merchantId, { amount: AMOUNT, userName: 'ASHA RAO' });
  const other = await calls.order(AMOUNT);
  expect(held.payable).not.toBe(AMOUNT);
  const reference = newReference();
  const told = creditSms(world.platform, shop, AMOUNT, { reference });
  const text = `You have received INR 20,000.00 from ASHA RAO to your HDFC Bank account ending ${shop.accountNumber.slice(-4)} (UPI Ref: ${reference})`;
  expect(await calls.report({ ...told, text })).toEqual(['held']);
  await calls.type(other, reference);
  expect(await calls.stored(told)).toMatchObject(LEFT);
});

test('where names are checked, an order that expects another payer is not paid', async () => {
  await world.platform.settings.write('NeedNameCheck', true, null);
  await balances('none');
  const held = await calls.order(AMOUNT);
  const expecting = await createOne(world.platform, shop.merchantId, {
    amount: AMOUNT,
    userName: 'SITA DEVI',
  });
  const reference = newReference();
  const told = creditSms(world.platform, shop, AMOUNT, { reference });
  await calls.type(held, newReference());
  expect(await calls.report(told)).toEqual(['held']);
  await calls.type(expecting, reference);
  await releaseHeld(world.platform);
  expect(await calls.stored(told)).toMatchObject({ state: 'ambiguous', reason: 'nameDiffers' });
  expect(await calls.isOpen(expecting)).toBe(true);
});
