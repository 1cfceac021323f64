import { expect, test } from 'vitest';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { readOrder } from '../../collection/read.ts';
import { MINUTE } from '../../platform/clock.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, naming, newReference, withoutReference } from '../../testing/payments.ts';
import { joinLostMoney } from '../lost/join.ts';

/**
 * Two wordings of one payment wait for an order. One of them completes the order that it names, and the other is no lost money any more.
 */

const here = eachShop();

const stated = (amount: bigint, reference: string) =>
  creditSms(here.world.platform, here.shop, amount, { reference });
const bare = (amount: bigint) => withoutReference(creditSms(here.world.platform, here.shop, amount));
const LEFT = { state: 'ambiguous', reason: 'amountJustMatched' };

test('when a payer types the reference of one wording, the other is left to an operator', async () => {
  const reference = newReference();
  const other = bare(500_00n);
  expect(await here.calls.report(other, stated(500_00n, reference))).toEqual(['unmatched', 'unmatched']);
  expect(await here.calls.type(await here.calls.order(500_00n), reference)).toMatchObject({ state: 'paid' });
  expect(await here.calls.stored(other)).toMatchObject(LEFT);
});

test('after the desk completed an order with the wording without a reference, the other’s reference pays nothing', async () => {
  const reference = newReference();
  const [other, joined] = [stated(510_00n, reference), bare(510_00n)];
  expect(await here.calls.report(joined, other)).toEqual(['unmatched', 'unmatched']);
  const { id: orderId } = await here.calls.order(510_00n);
  const { id: messageId } = await here.calls.stored(joined);
  const done = await joinLostMoney(here.world.platform, here.desk, {
    orderId,
    messageId,
    utr: newReference(),
  });
  expect(isRefusal(done)).toBe(false);
  expect(await here.calls.stored(other)).toMatchObject(LEFT);
  const second = await here.calls.order(510_00n);
  expect(await here.calls.type(second, reference)).toMatchObject({ state: 'waiting' });
  expect((await readOrder(here.world.platform.db, second.id))!.status).toBe(COLLECTION_STATUS.allocated);
});

test('the wording with a reference that comes last completes the order whose payer typed it', async () => {
  const reference = newReference();
  const other = bare(520_00n);
  expect(await here.calls.report(other)).toEqual(['unmatched']);
  await here.calls.type(await here.calls.order(520_00n), reference);
  expect(await here.calls.report(stated(520_00n, reference))).toEqual(['matched']);
  expect(await here.calls.stored(other)).toMatchObject(LEFT);
});

test('of two wordings in one report, one completes the order and the other is no lost money', async () => {
  const reference = newReference();
  const other = bare(530_00n);
  await here.calls.type(await here.calls.order(530_00n), reference);
  await here.calls.report(stated(530_00n, reference), other);
  expect(await here.calls.stored(other)).toMatchObject(LEFT);
});

test('a payment with a reference of its own, and one of another sum, stay lost money', async () => {
  const reference = newReference();
  const kept = [stated(540_00n, newReference()), bare(541_00n)];
  await here.calls.report(...kept, stated(540_00n, reference));
  expect(await here.calls.type(await here.calls.order(540_00n), reference)).toMatchObject({ state: 'paid' });
  for (const each of kept) expect(await here.calls.stored(each)).toMatchObject({ state: 'unmatched' });
});

/** An order of a round sum, and one whose payer may pay the same by rounding. */
const two = async (amount: bigint) => {
  const [exact, rounded] = [await here.calls.order(amount), await here.calls.order(amount)];
  expect([exact.payable, rounded.payable === amount]).toEqual([amount, false]);
  return { exact, rounded };
};

test('after the wording without a name paid an order by its amount, the wording that names another order pays nothing', async () => {
  const { exact, rounded } = await two(550_00n);
  expect(await here.calls.report(bare(550_00n))).toEqual(['matched']);
  const late = naming(rounded, stated(550_00n, newReference()));
  expect(await here.calls.report(late)).toEqual(['ambiguous']);
  expect(await here.calls.stored(late)).toMatchObject(LEFT);
  expect([await here.calls.isOpen(exact), await here.calls.isOpen(rounded)]).toEqual([false, true]);
  here.world.clock.advance(2 * MINUTE);
  const other = naming(await here.calls.order(550_00n), stated(550_00n, newReference()));
  expect(await here.calls.report(other)).toEqual(['matched']);
});

test('after the wording without a name paid an order by its amount, the typed reference of the other pays nothing', async () => {
  const { exact, rounded } = await two(560_00n);
  const reference = newReference();
  await here.calls.type(rounded, reference);
  expect(await here.calls.report(bare(560_00n))).toEqual(['matched']);
  const late = stated(560_00n, reference);
  expect(await here.calls.report(late)).toEqual(['ambiguous']);
  expect(await here.calls.stored(late)).toMatchObject(LEFT);
  expect([await here.calls.isOpen(exact), await here.calls.isOpen(rounded)]).toEqual([false, true]);
});

test('after a wording that names its order paid it by a rounded sum, the wording without a name pays no order of that sum', async () => {
  const { exact, rounded } = await two(570_00n);
  expect(await here.calls.report(naming(rounded, stated(570_00n, newReference())))).toEqual(['matched']);
  const late = bare(570_00n);
  expect(await here.calls.report(late)).toEqual(['ambiguous']);
  expect(await here.calls.stored(late)).toMatchObject(LEFT);
  expect([await here.calls.isOpen(exact), await here.calls.isOpen(rounded)]).toEqual([true, false]);
});

test('after the wording without a name paid an order by its amount, a wording in the grace of its named order pays nothing', async () => {
  const { rounded } = await two(580_00n);
  expect(await here.calls.report(bare(580_00n))).toEqual(['matched']);
  here.world.clock.advance(20 * MINUTE);
  const reference = newReference();
  const [coded, plain] = [naming(rounded, stated(580_00n, newReference())), stated(580_00n, reference)];
  expect(await here.calls.report(coded, plain)).toEqual(['ambiguous', 'ambiguous']);
  expect(await here.calls.type(rounded, reference)).toMatchObject({ state: 'waiting' });
  expect(await here.calls.isOpen(rounded)).toBe(true);
});
