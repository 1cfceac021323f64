import { expect, test } from 'vitest';
import { freeResource } from '../../collection/free-resource.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { setFrozen } from '../../orders/holds/set-hold.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, newReference, type Shop, statedSms, withoutReference } from '../../testing/payments.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { releaseHeld } from './release-held.ts';
import { supplement } from './supplement.ts';

/** What becomes of a credit that was held for an order which the desk has completed meanwhile. */

let world: TestPlatform;
let shop: Shop;
let boss: Viewer;
let calls: ReturnType<typeof shopCalls>;
eachShop({
  world: async (made) => {
    world = made;
    calls = shopCalls(world, () => shop);
    const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
    boss = viewerOf(world.platform, { role: 'superAdmin', userId });
  },
  shop: (made) => {
    shop = made;
  },
});

const AMOUNT = 550_00n;
const book = async (orderId: bigint, utr = newReference()) => {
  const done = await supplement(world.platform, boss, { orderId, utr, offset: false });
  expect(isRefusal(done)).toBe(false);
};

test('a credit without a reference that was held for its chain becomes the message of that order, and no lost money', async () => {
  for (let n = 1n; n <= 6n; n += 1n) {
    world.clock.advance(MINUTE);
    await calls.report(statedSms(world.platform, shop, { amount: 100_00n, balance: n * 100_00n }));
  }
  const { id } = await calls.order(AMOUNT);
  // The message before it is missing.
  const [missing, gap] = [300_00n, 600_00n + 300_00n];
  const told = statedSms(world.platform, shop, { amount: AMOUNT, balance: gap + AMOUNT });
  const held = withoutReference(told);
  expect(await calls.report(held)).toEqual(['held']);
  await book(id);
  world.clock.advance(MINUTE);
  await calls.report(statedSms(world.platform, shop, { amount: missing, balance: gap }));
  await releaseHeld(world.platform);
  expect(await calls.stored(held)).toMatchObject({ state: 'matched' });
  expect(
    await world.platform.db.query(sql`select evidence from message_matches where order_id = ${id}`),
  ).toEqual([{ evidence: 'supplement' }]);
});

test('a credit that its chain bears out completes no order that the desk has freed', async () => {
  let balance = 0n;
  const bankSays = (amount: bigint) =>
    statedSms(world.platform, shop, { amount, balance: (balance += amount) });
  for (let n = 1; n <= 6; n += 1) {
    world.clock.advance(MINUTE);
    await calls.report(bankSays(100_00n));
  }
  const order = await calls.order(AMOUNT);
  const missing = bankSays(300_00n);
  const held = bankSays(order.payable!);
  expect(await calls.report(held)).toEqual(['held']);
  await freeResource(world.platform, boss, { orderId: order.id, offset: false });
  await calls.report(missing);
  await releaseHeld(world.platform);
  expect(await calls.stored(held)).toMatchObject({ state: 'unmatched', reason: 'orderClosed' });
});

test('a credit held for a frozen order contradicts another order that has used its reference with another sum', async () => {
  const [frozen, other] = [await calls.order(AMOUNT), await calls.order(700_00n)];
  const hold = { subjectKind: 'order', subjectId: String(frozen.id), reason: 'police' } as const;
  await setFrozen(world.platform, boss, { ...hold, frozen: true });
  const reference = newReference();
  const held = creditSms(world.platform, shop, frozen.payable!, { reference });
  expect(await calls.report(held)).toEqual(['held']);
  await book(other.id, reference);
  await setFrozen(world.platform, boss, { ...hold, frozen: false });
  expect(await calls.stored(held)).toMatchObject({ state: 'ambiguous', reason: 'contradictsBooked' });
});
