import { expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { freeResource } from '../../collection/free-resource.ts';
import { expireDue } from '../../collection/expire.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { MINUTE } from '../../platform/clock.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, newReference, statedSms, withoutReference } from '../../testing/payments.ts';
import { askOffsetCorrection } from '../lost/correct-offset.ts';
import { joinLostMoney } from '../lost/join.ts';
import type { ReportedMessage } from './message.ts';
import { releaseHeld } from './release-held.ts';
import { supplement } from './supplement.ts';

/** An order that waits no more is completed, or people complete one by their word. Another wording of its payment pays no other order. */

const here = eachShop();

const AMOUNT = 550_00n;
const LEFT = { state: 'ambiguous', reason: 'amountJustMatched' };
const stated = (reference = newReference()) =>
  creditSms(here.world.platform, here.shop, AMOUNT, { reference });
const bare = () => withoutReference(stated());
const pass = (minutes: number) => here.world.clock.advance(minutes * MINUTE);

/** An order of exactly this sum that waits although others of the sum have ended. */
async function orderOfAmount(): Promise<CollectionOrder> {
  const order = await here.calls.order(AMOUNT);
  expect(order.payable).toBe(AMOUNT);
  return order;
}

/** An order whose grace is over. */
async function ended(): Promise<CollectionOrder> {
  const order = await orderOfAmount();
  pass(60);
  while ((await expireDue(here.world.platform)) > 0);
  return order;
}

async function joined(order: CollectionOrder, message: ReportedMessage, utr?: string): Promise<void> {
  const { id: messageId } = await here.calls.stored(message);
  const done = await joinLostMoney(here.world.platform, here.boss, { orderId: order.id, messageId, utr });
  expect(isRefusal(done)).toBe(false);
}

/** A second person agrees to the request. */
async function agree(asked: { readonly data?: unknown }): Promise<void> {
  const { todoId } = asked.data as { readonly todoId: string };
  const done = await decide(here.world.platform, APPROVAL_HANDLERS, here.admin, {
    id: BigInt(todoId),
    approve: true,
  });
  expect(isRefusal(done)).toBe(false);
}

test('after the desk joined a credit to an ended order, a wording without a reference pays no order of the sum that day', async () => {
  const first = await ended();
  const told = stated();
  expect(await here.calls.report(told)).toEqual(['unmatched']);
  await joined(first, told);
  pass(20);
  const next = await orderOfAmount();
  const again = bare();
  expect(await here.calls.report(again)).toEqual(['ambiguous']);
  expect(await here.calls.stored(again)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(next)).toBe(true);
});

test('after the correction of an offset, a wording without a reference pays no order of the sum', async () => {
  const { platform } = here.world;
  const first = await ended();
  const utr = newReference();
  await supplement(platform, here.boss, { orderId: first.id, utr, offset: true });
  const told = stated(utr);
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  const { id: messageId } = await here.calls.stored(told);
  await agree(await askOffsetCorrection(platform, here.boss, { messageId, reason: 'it came after all' }));
  pass(20);
  const next = await orderOfAmount();
  expect(await here.calls.report(bare())).toEqual(['ambiguous']);
  expect(await here.calls.isOpen(next)).toBe(true);
});

test('after a held credit without a reference paid its ended order, the wording with a reference pays no other order', async () => {
  const { platform } = here.world;
  // The first message states a balance, and the next one does not link to it.
  await here.calls.report(statedSms(platform, here.shop, { amount: 100_00n, balance: 100_00n }));
  const first = await orderOfAmount();
  pass(42);
  const told = statedSms(platform, here.shop, { amount: AMOUNT, balance: 9_000_00n });
  const held = withoutReference(told);
  expect(await here.calls.report(held)).toEqual(['held']);
  pass(4);
  while ((await expireDue(platform)) > 0);
  pass(4);
  const next = await here.calls.order(AMOUNT);
  // The order keeps its amount while its credit is held.
  expect(next.payable).not.toBe(AMOUNT);
  await platform.settings.write('EnableSystemCheck', false, null);
  await releaseHeld(platform);
  await platform.settings.write('EnableSystemCheck', true, null);
  expect(await here.calls.stored(held)).toMatchObject({ state: 'matched' });
  expect(await here.calls.isOpen(first)).toBe(false);
  expect(await here.calls.report(stated())).toEqual(['ambiguous']);
  expect(await here.calls.isOpen(next)).toBe(true);
});

test('after the desk joined a credit without a reference and typed one, a wording with another reference pays no order', async () => {
  const told = bare();
  expect(await here.calls.report(told)).toEqual(['unmatched']);
  const [exact, rounded] = [await orderOfAmount(), await here.calls.order(AMOUNT)];
  await joined(rounded, told, newReference());
  const other = stated();
  expect(await here.calls.report(other)).toEqual(['ambiguous']);
  expect(await here.calls.stored(other)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(exact)).toBe(true);
});

test('an order of the sum that ends unpaid does not hide that the message of another order is still to come', async () => {
  const { platform } = here.world;
  const first = await ended();
  await supplement(platform, here.boss, { orderId: first.id, utr: newReference(), offset: false });
  pass(16);
  const between = await orderOfAmount();
  await freeResource(platform, here.boss, { orderId: between.id, offset: false });
  pass(5);
  const next = await orderOfAmount();
  pass(2);
  // It names its minute, which is after the desk's decision.
  const told = statedSms(platform, here.shop, { amount: AMOUNT, balance: 9_000_00n });
  const late = withoutReference(told);
  expect(await here.calls.report(late)).toEqual(['ambiguous']);
  expect(await here.calls.stored(late)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(next)).toBe(true);
});
