import { expect, test } from 'vitest';
import type { CollectionOrder } from '../../collection/order.ts';
import { setFrozen } from '../../orders/holds/set-hold.ts';
import { MINUTE } from '../../platform/clock.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, naming, newReference, statedSms, withoutReference } from '../../testing/payments.ts';
import { joinLostMoney } from '../lost/join.ts';
import type { ReportedMessage } from './message.ts';
import { releaseHeld } from './release-held.ts';

/**
 * A payer pays one order, knows the payment's reference from the app, and makes another order of the same sum. The wording with the
 * reference does not complete that order: whether the reference is typed before or after the wording comes, and whether the first wording
 * has paid its order or is held for it.
 */

const here = eachShop();

const AMOUNT = 550_00n;
const LEFT = { state: 'ambiguous', reason: 'amountJustMatched' };
const stated = (reference = newReference()) =>
  creditSms(here.world.platform, here.shop, AMOUNT, { reference });
const bare = () => withoutReference(stated());
const pass = (minutes: number) => here.world.clock.advance(minutes * MINUTE);

/** A wording without a reference completes an order by its amount. */
async function paidByAmount(): Promise<CollectionOrder> {
  const order = await here.calls.order(AMOUNT);
  expect(await here.calls.report(bare())).toEqual(['matched']);
  return order;
}

test('a reference that was typed before its wording came does not pay the later order', async () => {
  await paidByAmount();
  pass(3);
  const later = await here.calls.order(AMOUNT);
  const told = stated();
  await here.calls.type(later, /UPI (\d+)/.exec(told.text)![1]!);
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  expect(await here.calls.stored(told)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(later)).toBe(true);
});

test('a wording with a reference that names only the day pays nothing by its amount, even much later', async () => {
  await paidByAmount();
  pass(20);
  const later = await here.calls.order(AMOUNT);
  expect(later.payable).toBe(AMOUNT);
  const told = stated();
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  expect(await here.calls.stored(told)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(later)).toBe(true);
});

test('a wording that carries the code of the paid order does not pay the later order', async () => {
  const paid = await paidByAmount();
  const reference = newReference();
  const told = naming(paid, stated(reference));
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  expect(await here.calls.stored(told)).toMatchObject(LEFT);
  pass(20);
  const later = await here.calls.order(AMOUNT);
  expect(await here.calls.type(later, reference)).toMatchObject({ state: 'waiting' });
});

/** A wording with a reference came before any order. The one without a reference names an order, and is held. */
async function heldFor(named: CollectionOrder, message: ReportedMessage): Promise<ReportedMessage> {
  const told = naming(named, message);
  expect(await here.calls.report(told)).toEqual(['held']);
  return told;
}

/** A credit with a balance to which no message leads. */
function unlinked(): ReportedMessage {
  const told = statedSms(here.world.platform, here.shop, { amount: AMOUNT, balance: 9_000_00n });
  return withoutReference(told);
}
const beginChain = () =>
  here.calls.report(statedSms(here.world.platform, here.shop, { amount: 100_00n, balance: 100_00n }));

test('while the first wording is held for its chain, the typed reference of the other does not pay a later order', async () => {
  await beginChain();
  const reference = newReference();
  expect(await here.calls.report(stated(reference))).toEqual(['unmatched']);
  await heldFor(await here.calls.order(AMOUNT), unlinked());
  pass(20);
  expect(await here.calls.type(await here.calls.order(AMOUNT), reference)).toMatchObject({
    state: 'waiting',
  });
});

test('while the first wording is held for its frozen order, the typed reference of the other does not pay a later order', async () => {
  const reference = newReference();
  expect(await here.calls.report(stated(reference))).toEqual(['unmatched']);
  const order = await here.calls.order(AMOUNT);
  await setFrozen(here.world.platform, here.boss, {
    subjectKind: 'order',
    subjectId: String(order.id),
    reason: 'asked by the bank',
    frozen: true,
  });
  await heldFor(order, bare());
  pass(20);
  expect(await here.calls.type(await here.calls.order(AMOUNT), reference)).toMatchObject({
    state: 'waiting',
  });
});

test('once the desk joined the other wording to an order, the held first wording pays nothing by itself', async () => {
  const { platform } = here.world;
  await beginChain();
  const told = stated();
  expect(await here.calls.report(told)).toEqual(['unmatched']);
  const order = await here.calls.order(AMOUNT);
  const held = await heldFor(order, unlinked());
  const { id: orderId } = await here.calls.order(AMOUNT);
  const { id: messageId } = await here.calls.stored(told);
  expect(isRefusal(await joinLostMoney(platform, here.boss, { orderId, messageId, utr: undefined }))).toBe(
    false,
  );
  await platform.settings.write('EnableSystemCheck', false, null);
  await releaseHeld(platform);
  await platform.settings.write('EnableSystemCheck', true, null);
  expect(await here.calls.stored(held)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(order)).toBe(true);
});
