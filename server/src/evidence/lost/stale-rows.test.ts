import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { readOrder } from '../../collection/read.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, newReference, type Shop, withoutReference } from '../../testing/payments.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { supplement } from '../matching/supplement.ts';
import { joinLostMoney } from './join.ts';

/** A payment is reported in two wordings, and one of them has paid an order. No single person gives the other wording to a second order. */

let world: TestPlatform;
let shop: Shop;
let desk: Viewer;
let boss: Viewer;
let admin: Viewer;
let calls: ReturnType<typeof shopCalls>;
eachShop({
  world: async (made) => {
    world = made;
    calls = shopCalls(world, () => shop);
    const person = async (role: 'customerService' | 'superAdmin' | 'admin') =>
      viewerOf(world.platform, { role, userId: (await makeUser(world.platform, { role })).id });
    [desk, boss, admin] = [
      await person('customerService'),
      await person('superAdmin'),
      await person('admin'),
    ];
  },
  shop: (made) => {
    shop = made;
  },
});

const statusOf = async ({ id }: { readonly id: bigint }) => (await readOrder(world.platform.db, id))!.status;

/** Two wordings that found no order, and two orders of the sum. One payer has typed the reference, and that order is paid. */
async function paidByOther(amount: bigint) {
  const reference = newReference();
  const [stated, bare] = [
    creditSms(world.platform, shop, amount, { reference }),
    withoutReference(creditSms(world.platform, shop, amount)),
  ];
  expect(await calls.report(stated, bare)).toEqual(['unmatched', 'unmatched']);
  const [first, second] = [await calls.order(amount), await calls.order(amount)];
  expect(await calls.type(first, reference)).toMatchObject({ state: 'paid' });
  return { row: await calls.stored(bare), order: second };
}

test('nobody joins a row alone to another order once its other wording has paid one', async () => {
  const { row, order } = await paidByOther(500_00n);
  const join = { orderId: order.id, messageId: row.id, utr: newReference() };
  for (const viewer of [desk, boss])
    expect(await joinLostMoney(world.platform, viewer, join)).toMatchObject({ code: 'approvalNeeded' });
  expect(await statusOf(order)).toBe(COLLECTION_STATUS.allocated);
});

test('two people may join the row as a payment of its own', async () => {
  const { row, order } = await paidByOther(510_00n);
  const join = { orderId: order.id, messageId: row.id, utr: newReference() };
  const asked = await joinLostMoney(world.platform, desk, join);
  const id = BigInt((asked as unknown as { data: { todoId: string } }).data.todoId);
  await decide(world.platform, APPROVAL_HANDLERS, admin, { id, approve: true });
  expect(await statusOf(order)).toBe(COLLECTION_STATUS.paid);
});

test('a supplier books no second order with the reference of a wording that came after the first', async () => {
  const first = await calls.order(520_00n);
  expect(await calls.report(withoutReference(creditSms(world.platform, shop, first.payable!)))).toEqual([
    'matched',
  ]);
  const utr = newReference();
  const second = await calls.order(530_00n);
  expect(await calls.report(creditSms(world.platform, shop, first.payable!, { reference: utr }))).toEqual([
    'ambiguous',
  ]);
  const { supplierId } = shop;
  const { id: userId } = await makeUser(world.platform, { role: 'supplier' });
  const supplier = viewerOf(world.platform, { role: 'supplier', supplierId, userId });
  expect(
    await supplement(world.platform, supplier, { orderId: second.id, utr, offset: false }),
  ).toMatchObject({ code: 'approvalNeeded' });
  expect(await statusOf(second)).toBe(COLLECTION_STATUS.allocated);
});

test('nobody joins a wording without a reference alone once the desk has completed an order without its message', async () => {
  const bare = withoutReference(creditSms(world.platform, shop, 540_00n));
  expect(await calls.report(bare)).toEqual(['unmatched']);
  const [first, second] = [await calls.order(540_00n), await calls.order(550_00n)];
  await supplement(world.platform, desk, { orderId: first.id, utr: newReference(), offset: false });
  expect(await statusOf(first)).toBe(COLLECTION_STATUS.paid);
  const { id: messageId } = await calls.stored(bare);
  expect(
    await joinLostMoney(world.platform, boss, { orderId: second.id, messageId, utr: newReference() }),
  ).toMatchObject({ code: 'approvalNeeded' });
  expect(await statusOf(second)).toBe(COLLECTION_STATUS.allocated);
});

test('while somebody joins a row, its other wording waits and pays no second order', async () => {
  const { platform } = world;
  const reference = newReference();
  const bare = withoutReference(creditSms(platform, shop, 560_00n));
  expect(await calls.report(bare)).toEqual(['unmatched']);
  const [named, other] = [await calls.order(560_00n), await calls.order(570_00n)];
  await calls.type(named, reference);
  const stated = creditSms(platform, shop, 560_00n, { reference });
  const { id: messageId } = await calls.stored(bare);
  const { joining, telling } = await world.holding(async (tx) => {
    // The join stops where it charges the supplier: it has looked for other wordings by then.
    await tx.query(sql`
      select from ledger_accounts where owner_kind = 'supplier' and owner_id = ${shop.supplierId} for update`);
    const joined = joinLostMoney(platform, desk, { orderId: other.id, messageId, utr: newReference() });
    await waitsForLock(platform);
    const under = { joining: joined, telling: calls.report(stated) };
    await waitsForLock(platform, 2);
    return under;
  });
  expect(await joining).toMatchObject({ id: other.id, status: COLLECTION_STATUS.paid });
  expect(await telling).toEqual(['ambiguous']);
  expect(await calls.isOpen(named)).toBe(true);
});
