import { expect, test } from 'vitest';
import { freeResource } from '../../collection/free-resource.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { setFrozen } from '../../orders/holds/set-hold.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, newReference, statedSms, withoutReference } from '../../testing/payments.ts';
import { releaseHeld } from './release-held.ts';
import { supplement } from './supplement.ts';

/** What becomes of a credit that was held for an order which the desk has completed meanwhile. */

const here = eachShop();

const AMOUNT = 550_00n;
const book = async (orderId: bigint, utr = newReference()) => {
  const done = await supplement(here.world.platform, here.boss, { orderId, utr, offset: false });
  expect(isRefusal(done)).toBe(false);
};

test('a credit without a reference that was held for its chain becomes the message of that order, and no lost money', async () => {
  for (let n = 1n; n <= 6n; n += 1n) {
    here.world.clock.advance(MINUTE);
    await here.calls.report(
      statedSms(here.world.platform, here.shop, { amount: 100_00n, balance: n * 100_00n }),
    );
  }
  const { id } = await here.calls.order(AMOUNT);
  // The message before it is missing.
  const [missing, gap] = [300_00n, 600_00n + 300_00n];
  const told = statedSms(here.world.platform, here.shop, { amount: AMOUNT, balance: gap + AMOUNT });
  const held = withoutReference(told);
  expect(await here.calls.report(held)).toEqual(['held']);
  await book(id);
  here.world.clock.advance(MINUTE);
  await here.calls.report(statedSms(here.world.platform, here.shop, { amount: missing, balance: gap }));
  await releaseHeld(here.world.platform);
  expect(await here.calls.stored(held)).toMatchObject({ state: 'matched' });
  expect(
    await here.world.platform.db.query(sql`select evidence from message_matches where order_id = ${id}`),
  ).toEqual([{ evidence: 'supplement' }]);
});

test('a credit that its chain bears out completes no order that the desk has freed', async () => {
  let balance = 0n;
  const bankSays = (amount: bigint) =>
    statedSms(here.world.platform, here.shop, { amount, balance: (balance += amount) });
  for (let n = 1; n <= 6; n += 1) {
    here.world.clock.advance(MINUTE);
    await here.calls.report(bankSays(100_00n));
  }
  const order = await here.calls.order(AMOUNT);
  const missing = bankSays(300_00n);
  const held = bankSays(order.payable!);
  expect(await here.calls.report(held)).toEqual(['held']);
  await freeResource(here.world.platform, here.boss, { orderId: order.id, offset: false });
  await here.calls.report(missing);
  await releaseHeld(here.world.platform);
  expect(await here.calls.stored(held)).toMatchObject({ state: 'unmatched', reason: 'orderClosed' });
});

test('a credit held for a frozen order contradicts another order that has used its reference with another sum', async () => {
  const [frozen, other] = [await here.calls.order(AMOUNT), await here.calls.order(700_00n)];
  const hold = { subjectKind: 'order', subjectId: String(frozen.id), reason: 'police' } as const;
  await setFrozen(here.world.platform, here.boss, { ...hold, frozen: true });
  const reference = newReference();
  const held = creditSms(here.world.platform, here.shop, frozen.payable!, { reference });
  expect(await here.calls.report(held)).toEqual(['held']);
  await book(other.id, reference);
  await setFrozen(here.world.platform, here.boss, { ...hold, frozen: false });
  expect(await here.calls.stored(held)).toMatchObject({ state: 'ambiguous', reason: 'contradictsBooked' });
});
