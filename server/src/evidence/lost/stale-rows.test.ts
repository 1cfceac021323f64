import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { readOrder } from '../../collection/read.ts';
import { sql } from '../../platform/db/database.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, newReference, withoutReference } from '../../testing/payments.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { supplement } from '../matching/supplement.ts';
import { joinLostMoney } from './join.ts';

/** A payment is reported in two wordings, and one of them has paid an order. No single person gives the other wording to a second order. */

const here = eachShop();

const statusOf = async ({ id }: { readonly id: bigint }) =>
  (await readOrder(here.world.platform.db, id))!.status;

/** Two wordings that found no order, and two orders of the sum. One payer has typed the reference, and that order is paid. */
async function paidByOther(amount: bigint) {
  const reference = newReference();
  const [stated, bare] = [
    creditSms(here.world.platform, here.shop, amount, { reference }),
    withoutReference(creditSms(here.world.platform, here.shop, amount)),
  ];
  expect(await here.calls.report(stated, bare)).toEqual(['unmatched', 'unmatched']);
  const [first, second] = [await here.calls.order(amount), await here.calls.order(amount)];
  expect(await here.calls.type(first, reference)).toMatchObject({ state: 'paid' });
  return { row: await here.calls.stored(bare), order: second };
}

test('nobody joins a row alone to another order once its other wording has paid one', async () => {
  const { row, order } = await paidByOther(500_00n);
  const join = { orderId: order.id, messageId: row.id, utr: newReference() };
  for (const viewer of [here.desk, here.boss])
    expect(await joinLostMoney(here.world.platform, viewer, join)).toMatchObject({ code: 'approvalNeeded' });
  expect(await statusOf(order)).toBe(COLLECTION_STATUS.allocated);
});

test('two people may join the row as a payment of its own', async () => {
  const { row, order } = await paidByOther(510_00n);
  const join = { orderId: order.id, messageId: row.id, utr: newReference() };
  const asked = await joinLostMoney(here.world.platform, here.desk, join);
  const id = BigInt((asked as unknown as { data: { todoId: string } }).data.todoId);
  await decide(here.world.platform, APPROVAL_HANDLERS, here.admin, { id, approve: true });
  expect(await statusOf(order)).toBe(COLLECTION_STATUS.paid);
});

test('a supplier books no second order with the reference of a wording that came after the first', async () => {
  const first = await here.calls.order(520_00n);
  expect(
    await here.calls.report(withoutReference(creditSms(here.world.platform, here.shop, first.payable!))),
  ).toEqual(['matched']);
  const utr = newReference();
  const second = await here.calls.order(530_00n);
  expect(
    await here.calls.report(creditSms(here.world.platform, here.shop, first.payable!, { reference: utr })),
  ).toEqual(['ambiguous']);
  const { supplierId } = here.shop;
  const { id: userId } = await makeUser(here.world.platform, { role: 'supplier' });
  const supplier = viewerOf(here.world.platform, { role: 'supplier', supplierId, userId });
  expect(
    await supplement(here.world.platform, supplier, { orderId: second.id, utr, offset: false }),
  ).toMatchObject({ code: 'approvalNeeded' });
  expect(await statusOf(second)).toBe(COLLECTION_STATUS.allocated);
});

test('nobody joins a wording without a reference alone once the desk has completed an order without its message', async () => {
  const bare = withoutReference(creditSms(here.world.platform, here.shop, 540_00n));
  expect(await here.calls.report(bare)).toEqual(['unmatched']);
  const [first, second] = [await here.calls.order(540_00n), await here.calls.order(550_00n)];
  await supplement(here.world.platform, here.desk, { orderId: first.id, utr: newReference(), offset: false });
  expect(await statusOf(first)).toBe(COLLECTION_STATUS.paid);
  const { id: messageId } = await here.calls.stored(bare);
  expect(
    await joinLostMoney(here.world.platform, here.boss, {
      orderId: second.id,
      messageId,
      utr: newReference(),
    }),
  ).toMatchObject({ code: 'approvalNeeded' });
  expect(await statusOf(second)).toBe(COLLECTION_STATUS.allocated);
});

test('while somebody joins a row, its other wording waits and pays no second order', async () => {
  const { platform } = here.world;
  const reference = newReference();
  const bare = withoutReference(creditSms(platform, here.shop, 560_00n));
  expect(await here.calls.report(bare)).toEqual(['unmatched']);
  const [named, other] = [await here.calls.order(560_00n), await here.calls.order(570_00n)];
  await here.calls.type(named, reference);
  const stated = creditSms(platform, here.shop, 560_00n, { reference });
  const { id: messageId } = await here.calls.stored(bare);
  const { joining, telling } = await here.world.holding(async (tx) => {
    // The join stops where it charges the supplier: it has looked for other wordings by then.
    await tx.query(sql`
      select from ledger_accounts where owner_kind = 'supplier' and owner_id = ${here.shop.supplierId} for update`);
    const joined = joinLostMoney(platform, here.desk, { orderId: other.id, messageId, utr: newReference() });
    await waitsForLock(platform);
    const under = { joining: joined, telling: here.calls.report(stated) };
    await waitsForLock(platform, 2);
    return under;
  });
  expect(await joining).toMatchObject({ id: other.id, status: COLLECTION_STATUS.paid });
  expect(await telling).toEqual(['ambiguous']);
  expect(await here.calls.isOpen(named)).toBe(true);
});
