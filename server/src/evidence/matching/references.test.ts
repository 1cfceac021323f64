import { expect, test } from 'vitest';
import type { CollectionOrder } from '../../collection/order.ts';
import { DAY } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms } from '../../testing/payments.ts';
import { makeAccount } from '../../testing/world.ts';

/** Which references are the same: the number counts without leading zeros, and so does the rail. */

const here = eachShop();

test.each([
  ['000112345678', '112345678'],
  ['112345679', '000112345679'],
  ['612345678901', '0000612345678901'],
])('a payment told by %s and by %s pays one order', async (reference, again) => {
  const tell = (number: string, { payable }: CollectionOrder) =>
    here.calls.report(creditSms(here.world.platform, here.shop, payable!, { reference: number }));
  const paid = await here.calls.order(500_00n);
  expect(await tell(reference, paid)).toEqual(['matched']);
  here.world.clock.advance(2 * DAY);
  const later = await here.calls.order(500_00n);
  expect(later.payable).toBe(paid.payable);
  expect(await tell(again, later)).toEqual(['duplicate']);
  expect(await here.calls.isOpen(later)).toBe(true);
});

test('a receipt of M-Pesa is no repeat of an Indian payment with the same letters and digits', async () => {
  const { platform } = here.world;
  const { accountId } = await makeAccount(platform, {
    supplierId: here.shop.supplierId,
    monitorId: here.shop.monitor.id,
    bank: 'M-Pesa',
    senderHeader: 'MPESA',
    products: [1060],
  });
  await platform.db.query(sql`update accounts set country = 'KE' where id = ${accountId}`);
  const order = await here.calls.order(500_00n);
  const stated = (amount: bigint) => {
    const told = creditSms(platform, here.shop, amount, { reference: 'TDA1B2C3D4' });
    return { ...told, text: told.text.replace('UPI', 'UTR') };
  };
  const told = stated(order.payable!);
  expect(await here.calls.report(told)).toEqual(['matched']);
  const text =
    'TDA1B2C3D4 Confirmed.You have received Ksh500.00 from A NAME 0700000001 on 5/4/26 at 6:34 PM New M-PESA balance is Ksh2,123.11.';
  const receipt = { ...told, messageId: 'receipt', sender: 'MPESA', text };
  expect(await here.calls.report(stated(700_00n), receipt)).toEqual(['ambiguous', 'unmatched']);
});
