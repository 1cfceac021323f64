import { expect, test } from 'vitest';
import { expireDue } from '../../collection/expire.ts';
import { readOrder } from '../../collection/read.ts';
import { HOUR } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, makeShop, naming, newReference, type Shop, statedSms } from '../../testing/payments.ts';
import { createTestUser } from '../../testing/people.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { makeMerchant, viewerOf } from '../../testing/world.ts';
import { supplement } from './supplement.ts';

/**
 * The code of a waiting order in the bank's text is the payer's own word. The phone's owner knows the UTR before the report and types it
 * into an order of his own: that completes nothing.
 */

let world: TestPlatform;
let shop: Shop;
let supplier: Viewer;
let calls: ReturnType<typeof shopCalls>;
eachShop({
  world: (made) => {
    world = made;
    calls = shopCalls(world, () => shop);
  },
  shop: async (made) => {
    shop = made;
    const { id: userId } = await createTestUser(world.platform, 'supplier');
    supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId, userId });
  },
});

const AMOUNT = 500_00n;
const stated = (reference: string) => creditSms(world.platform, shop, AMOUNT, { reference });
const setBalances = (mode: 'none' | 'required') =>
  world.platform.db.query(sql`update accounts set balance_mode = ${mode} where id = ${shop.accountId}`);
const statusOf = async ({ id }: { readonly id: bigint }) => (await readOrder(world.platform.db, id))!.status;
const held = async (messageId: bigint) =>
  world.platform.db.query(
    sql`select order_id as "orderId", evidence from chain_holds where message_id = ${messageId}`,
  );

test('a credit with a code pays the order that it names, though another order’s payer typed its UTR before', async () => {
  const [coded, typing] = [await calls.order(AMOUNT), await calls.order(AMOUNT)];
  const reference = newReference();
  await calls.type(typing, reference);
  expect(await calls.report(naming(coded, stated(reference)))).toEqual(['matched']);
  expect([await statusOf(coded), await calls.isOpen(typing)]).toEqual([6, true]);
});

test('a credit with the code of an order of another sum pays nothing, also not by a UTR that is typed afterwards', async () => {
  const [coded, typing, later] = [
    await calls.order(900_00n),
    await calls.order(AMOUNT),
    await calls.order(AMOUNT),
  ];
  const reference = newReference();
  await calls.type(typing, reference);
  const told = naming(coded, stated(reference));
  expect(await calls.report(told)).toEqual(['ambiguous']);
  expect(await calls.stored(told)).toMatchObject({ reason: 'amountDiffers' });
  await calls.type(typing, newReference());
  expect(await calls.type(later, reference)).toMatchObject({ state: 'waiting' });
});

test('a credit with the code of an order on another account pays nothing', async () => {
  const here = shop;
  const typing = await calls.order(AMOUNT);
  shop = await makeShop(world.platform);
  await world.platform.db.query(sql`update resources set state = 0 where account_id = ${here.accountId}`);
  const coded = await calls.order(AMOUNT);
  shop = here;
  expect(coded.accountId).not.toBe(here.accountId);
  const reference = newReference();
  await calls.type(typing, reference);
  const told = naming(coded, stated(reference));
  expect(await calls.report(told)).toEqual(['ambiguous']);
  expect(await calls.stored(told)).toMatchObject({ reason: 'codeNotOpen' });
});

test.each([
  ['whose payer has named no payment', false],
  ['whose payer has named another payment', true],
])('a coded credit held for its chain stays with the order it names, %s', async (_, hasNamed) => {
  await setBalances('required');
  const [coded, typing] = [await calls.order(20_000_00n), await calls.order(20_000_00n)];
  if (hasNamed) await calls.type(coded, newReference());
  const reference = newReference();
  const told = naming(
    coded,
    statedSms(world.platform, shop, { amount: 20_000_00n, balance: 90_000_00n, reference }),
  );
  expect(await calls.report(told)).toEqual(['held']);
  await calls.type(typing, reference);
  const { id, ...message } = await calls.stored(told);
  expect(message).toMatchObject({ state: 'held', reason: 'chain' });
  expect(await held(id)).toEqual([{ orderId: coded.id, evidence: 'identifyCode' }]);
});

test('a supplier joins a credit with the code of another order only with a second person', async () => {
  const [coded, own] = [await calls.order(900_00n), await calls.order(AMOUNT)];
  const reference = newReference();
  expect(await calls.report(naming(coded, stated(reference)))).toEqual(['ambiguous']);
  const answer = await supplement(world.platform, supplier, {
    orderId: own.id,
    utr: reference,
    offset: false,
  });
  expect(answer).toMatchObject({ code: 'approvalNeeded' });
  expect(await calls.isOpen(own)).toBe(true);
});

test('a credit with the code of another order is not the message of an order completed by its UTR: people are notified', async () => {
  const [coded, own] = [await calls.order(AMOUNT), await calls.order(AMOUNT)];
  const reference = newReference();
  const done = await supplement(world.platform, supplier, { orderId: own.id, utr: reference, offset: false });
  expect(isRefusal(done)).toBe(false);
  const told = naming(coded, creditSms(world.platform, shop, own.payable!, { reference }));
  expect(await calls.report(told)).toEqual(['ambiguous']);
  expect(await calls.stored(told)).toMatchObject({ reason: 'contradictsBooked' });
});

test('once the order that the code names waits no more, the credit’s UTR may be typed into the next order', async () => {
  const coded = await calls.order(AMOUNT);
  world.clock.advance(HOUR);
  while ((await expireDue(world.platform)) > 0);
  const typing = await calls.order(AMOUNT);
  const reference = newReference();
  await calls.type(typing, reference);
  expect(await calls.report(naming(coded, stated(reference)))).toEqual(['matched']);
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
    const ended = await calls.order(AMOUNT);
    const reference = newReference();
    if (by !== 'its code') await calls.type(ended, reference);
    world.clock.advance(HOUR);
    while ((await expireDue(world.platform)) > 0);
    shop = { ...shop, merchantId: (await makeMerchant(world.platform)).merchantId };
    const told = by === 'its code' ? naming(ended, stated(reference)) : stated(reference);
    if (when === 'after') expect(await calls.report(told)).toEqual(states);
    const other = await calls.order(AMOUNT);
    expect(await calls.type(other, reference)).toMatchObject({ state: 'waiting' });
    if (when === 'before') expect(await calls.report(told)).toEqual(states);
    expect(await calls.isOpen(other)).toBe(true);
    expect(await calls.stored(told)).toMatchObject({ state: states[0], reason });
  },
);
