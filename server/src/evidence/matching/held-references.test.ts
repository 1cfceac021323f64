import { expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { createOne, creditSms, newReference } from '../../testing/payments.ts';
import { releaseHeld } from './release-held.ts';

/**
 * A payer types the reference of a credit that is held for its chain into another order. Others can see that reference, the supplier's
 * people first.
 */

const here = eachShop();

const AMOUNT = 20_000_00n;
const LEFT = { state: 'ambiguous', reason: 'severalOrders' };
const balances = (mode: 'none' | 'required') =>
  here.world.platform.db.query(
    sql`update accounts set balance_mode = ${mode} where id = ${here.shop.accountId}`,
  );

test('a held credit is not taken from an order whose payer’s name stands in it', async () => {
  await balances('none');
  const paid = await here.calls.order(AMOUNT);
  const first = newReference();
  await here.calls.type(paid, first);
  expect(
    await here.calls.report(creditSms(here.world.platform, here.shop, AMOUNT, { reference: first })),
  ).toEqual(['matched']);
  await balances('required');
  const held = await createOne(here.world.platform, here.shop.merchantId, {
    amount: AMOUNT,
    userName: 'ASHA RAO',
  });
  const other = await here.calls.order(AMOUNT);
  expect(held.payable).not.toBe(AMOUNT);
  const reference = newReference();
  const told = creditSms(here.world.platform, here.shop, AMOUNT, { reference });
  const text = `You have received INR 20,000.00 from ASHA RAO to your HDFC Bank account ending ${here.shop.accountNumber.slice(-4)} (UPI Ref: ${reference})`;
  expect(await here.calls.report({ ...told, text })).toEqual(['held']);
  await here.calls.type(other, reference);
  expect(await here.calls.stored(told)).toMatchObject(LEFT);
});

test('where names are checked, an order that expects another payer is not paid', async () => {
  await here.world.platform.settings.write('NeedNameCheck', true, null);
  await balances('none');
  const held = await here.calls.order(AMOUNT);
  const expecting = await createOne(here.world.platform, here.shop.merchantId, {
    amount: AMOUNT,
    userName: 'SITA DEVI',
  });
  const reference = newReference();
  const told = creditSms(here.world.platform, here.shop, AMOUNT, { reference });
  await here.calls.type(held, newReference());
  expect(await here.calls.report(told)).toEqual(['held']);
  await here.calls.type(expecting, reference);
  await releaseHeld(here.world.platform);
  expect(await here.calls.stored(told)).toMatchObject({ state: 'ambiguous', reason: 'nameDiffers' });
  expect(await here.calls.isOpen(expecting)).toBe(true);
});
