import { beforeEach, expect, test } from 'vitest';
import { expireDue } from '../../collection/expire.ts';
import { readOrder } from '../../collection/read.ts';
import { HOUR } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, makeShop, naming, newReference, statedSms } from '../../testing/payments.ts';
import { createTestUser } from '../../testing/people.ts';
import { makeMerchant, viewerOf } from '../../testing/world.ts';
import { supplement } from './supplement.ts';

/**
 * The code of a waiting order in the bank's text is the payer's own word. The phone's owner knows the UTR before the report and types it
 * into an order of his own: that completes nothing.
 */

const here = eachShop();
let supplier: Viewer;
beforeEach(async () => {
  const { id: userId } = await createTestUser(here.world.platform, 'supplier');
  supplier = viewerOf(here.world.platform, { role: 'supplier', supplierId: here.shop.supplierId, userId });
});

const AMOUNT = 500_00n;
const stated = (reference: string) => creditSms(here.world.platform, here.shop, AMOUNT, { reference });
const setBalances = (mode: 'none' | 'required') =>
  here.world.platform.db.query(
    sql`update accounts set balance_mode = ${mode} where id = ${here.shop.accountId}`,
  );
const statusOf = async ({ id }: { readonly id: bigint }) =>
  (await readOrder(here.world.platform.db, id))!.status;
const held = async (messageId: bigint) =>
  here.world.platform.db.query(
    sql`select order_id as "orderId", evidence from chain_holds where message_id = ${messageId}`,
  );

test('a credit with a code pays the order that it names, though another order’s payer typed its UTR before', async () => {
  const [coded, typing] = [await here.calls.order(AMOUNT), await here.calls.order(AMOUNT)];
  const reference = newReference();
  await here.calls.type(typing, reference);
  expect(await here.calls.report(naming(coded, stated(reference)))).toEqual(['matched']);
  expect([await statusOf(coded), await here.calls.isOpen(typing)]).toEqual([6, true]);
});

test('a credit with the code of an order of another sum pays nothing, also not by a UTR that is typed afterwards', async () => {
  const [coded, typing, later] = [
    await here.calls.order(900_00n),
    await here.calls.order(AMOUNT),
    await here.calls.order(AMOUNT),
  ];
  const reference = newReference();
  await here.calls.type(typing, reference);
  const told = naming(coded, stated(reference));
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  expect(await here.calls.stored(told)).toMatchObject({ reason: 'amountDiffers' });
  await here.calls.type(typing, newReference());
  expect(await here.calls.type(later, reference)).toMatchObject({ state: 'waiting' });
});

test('a credit with the code of an order on another account pays nothing', async () => {
  const own = here.shop;
  const typing = await here.calls.order(AMOUNT);
  here.shop = await makeShop(here.world.platform);
  await here.world.platform.db.query(sql`update resources set state = 0 where account_id = ${own.accountId}`);
  const coded = await here.calls.order(AMOUNT);
  here.shop = own;
  expect(coded.accountId).not.toBe(own.accountId);
  const reference = newReference();
  await here.calls.type(typing, reference);
  const told = naming(coded, stated(reference));
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  expect(await here.calls.stored(told)).toMatchObject({ reason: 'codeNotOpen' });
});

test.each([
  ['whose payer has named no payment', false],
  ['whose payer has named another payment', true],
])('a coded credit held for its chain stays with the order it names, %s', async (_, hasNamed) => {
  await setBalances('required');
  const [coded, typing] = [await here.calls.order(20_000_00n), await here.calls.order(20_000_00n)];
  if (hasNamed) await here.calls.type(coded, newReference());
  const reference = newReference();
  const told = naming(
    coded,
    statedSms(here.world.platform, here.shop, { amount: 20_000_00n, balance: 90_000_00n, reference }),
  );
  expect(await here.calls.report(told)).toEqual(['held']);
  await here.calls.type(typing, reference);
  const { id, ...message } = await here.calls.stored(told);
  expect(message).toMatchObject({ state: 'held', reason: 'chain' });
  expect(await held(id)).toEqual([{ orderId: coded.id, evidence: 'identifyCode' }]);
});

test('a supplier joins a credit with the code of another order only with a second person', async () => {
  const [coded, own] = [await here.calls.order(900_00n), await here.calls.order(AMOUNT)];
  const reference = newReference();
  expect(await here.calls.report(naming(coded, stated(reference)))).toEqual(['ambiguous']);
  const answer = await supplement(here.world.platform, supplier, {
    orderId: own.id,
    utr: reference,
    offset: false,
  });
  expect(answer).toMatchObject({ code: 'approvalNeeded' });
  expect(await here.calls.isOpen(own)).toBe(true);
});

test('a credit with the code of another order is not the message of an order completed by its UTR: people are notified', async () => {
  const [coded, own] = [await here.calls.order(AMOUNT), await here.calls.order(AMOUNT)];
  const reference = newReference();
  const done = await supplement(here.world.platform, supplier, {
    orderId: own.id,
    utr: reference,
    offset: false,
  });
  expect(isRefusal(done)).toBe(false);
  const told = naming(coded, creditSms(here.world.platform, here.shop, own.payable!, { reference }));
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  expect(await here.calls.stored(told)).toMatchObject({ reason: 'contradictsBooked' });
});

test('once the order that the code names waits no more, the credit’s UTR may be typed into the next order', async () => {
  const coded = await here.calls.order(AMOUNT);
  here.world.clock.advance(HOUR);
  while ((await expireDue(here.world.platform)) > 0);
  const typing = await here.calls.order(AMOUNT);
  const reference = newReference();
  await here.calls.type(typing, reference);
  expect(await here.calls.report(naming(coded, stated(reference)))).toEqual(['matched']);
  expect(await statusOf(typing)).toBe(6);
});

test.each([
  ['its code', 'before', ['ambiguous'], 'severalOrders'],
  ['its code', 'after', ['ambiguous'], 'codeNotOpen'],
  ['its payer’s UTR', 'before', ['ambiguous'], 'severalOrders'],
  ['its payer’s UTR', 'after', ['unmatched'], null],
] as const)(
  'a payment that names an ended order by %s is not had for an order of another merchant by typing its UTR %s it comes',
  async (by, when, states, reason) => {
    const ended = await here.calls.order(AMOUNT);
    const reference = newReference();
    if (by !== 'its code') await here.calls.type(ended, reference);
    here.world.clock.advance(HOUR);
    while ((await expireDue(here.world.platform)) > 0);
    here.shop = { ...here.shop, merchantId: (await makeMerchant(here.world.platform)).merchantId };
    const told = by === 'its code' ? naming(ended, stated(reference)) : stated(reference);
    if (when === 'after') expect(await here.calls.report(told)).toEqual(states);
    const other = await here.calls.order(AMOUNT);
    expect(await here.calls.type(other, reference)).toMatchObject({ state: 'waiting' });
    if (when === 'before') expect(await here.calls.report(told)).toEqual(states);
    expect(await here.calls.isOpen(other)).toBe(true);
    expect(await here.calls.stored(told)).toMatchObject({ state: states[0], reason });
  },
);
