import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { getMine } from '@sangam/contract/endpoints/todo.ts';
import { beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { readOrder } from '../../collection/read.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ask } from '../../testing/ask.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, naming, newReference, withoutReference } from '../../testing/payments.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import type { ReportedMessage } from '../matching/message.ts';
import { supplement } from '../matching/supplement.ts';
import { askOffsetCorrection } from './correct-offset.ts';
import { joinLostMoney } from './join.ts';
import { settleOutside } from './settle-outside.ts';

/** A second person agrees to a request, but not if the payment has completed another order, or was settled outside, since the request. */

const here = eachShop();
// What the desk says without a corroborated message waits for a second person.
beforeAll(() => here.world.platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null));

const bareSms = (amount: bigint) => withoutReference(creditSms(here.world.platform, here.shop, amount));
const statedWith = (amount: bigint, reference: string) =>
  creditSms(here.world.platform, here.shop, amount, { reference });
/** Two orders of a sum. The first payable amount is exactly the sum, the second a little more. */
const twoOrders = async (amount: bigint) =>
  [await here.calls.order(amount), await here.calls.order(amount)] as const;
const idOf = async (message: ReportedMessage) => (await here.calls.stored(message)).id;

const todoOf = (asked: unknown) => {
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  return BigInt((asked as { data: { todoId: string } }).data.todoId);
};
const agree = (id: bigint, approve = true) =>
  decide(here.world.platform, APPROVAL_HANDLERS, here.admin, { id, approve });

const askSupplement = async ({ id: orderId }: CollectionOrder, utr: string, offset = false) =>
  todoOf(await supplement(here.world.platform, here.desk, { orderId, utr, offset }));
const askJoin = async ({ id: orderId }: CollectionOrder, message: ReportedMessage) =>
  todoOf(
    await joinLostMoney(here.world.platform, here.desk, {
      orderId,
      messageId: await idOf(message),
      utr: newReference(),
    }),
  );
const askSettle = async (message: ReportedMessage) =>
  todoOf(
    await settleOutside(here.world.platform, here.desk, {
      messageId: await idOf(message),
      reason: 'refunded',
    }),
  );

/** Two people join a message to an order. */
async function join(order: CollectionOrder, message: ReportedMessage): Promise<void> {
  expect(isRefusal(await agree(await askJoin(order, message)))).toBe(false);
}

/** Nobody can agree to the request any more. The approver is told why, and the order stays unpaid until somebody asks anew. */
async function isOutdated(todo: bigint, order: CollectionOrder): Promise<void> {
  expect(await agree(todo)).toMatchObject({ code: 'conflict', data: { reason: 'paidSince' } });
  expect((await readOrder(here.world.platform.db, order.id))!.status).toBe(COLLECTION_STATUS.allocated);
  expect(await agree(todo, false)).toMatchObject({ status: 'refused' });
}

test('a bare message that somebody asked to join pays no order once its wording with a reference has paid one', async () => {
  const reference = newReference();
  const [bare, stated] = [bareSms(500_00n), statedWith(500_00n, reference)];
  await here.calls.report(bare);
  await here.calls.report(stated);
  const [asked, other] = await twoOrders(500_00n);
  await here.calls.type(asked, newReference());
  const todo = await askJoin(asked, bare);
  expect(await here.calls.type(other, reference)).toMatchObject({ state: 'paid' });
  await isOutdated(todo, asked);
  // A new request is made in the knowledge of it: it may be another payment all the same.
  expect(isRefusal(await agree(await askJoin(asked, bare)))).toBe(false);
});

test('a UTR whose message lies open pays no order once its wording without one has paid one', async () => {
  const reference = newReference();
  await here.calls.report(statedWith(510_00n, reference));
  const [asked, other] = await twoOrders(510_00n);
  const todo = await askSupplement(asked, reference);
  expect(await here.calls.report(naming(other, bareSms(510_00n)))).toEqual(['matched']);
  await isOutdated(todo, asked);
});

test('a UTR that no message states pays no order once a message of its sum without one has paid one', async () => {
  const [asked, other] = await twoOrders(520_00n);
  const todo = await askSupplement(asked, newReference());
  expect(await here.calls.report(naming(other, bareSms(520_00n)))).toEqual(['matched']);
  await isOutdated(todo, asked);
});

test('a message that has paid another order since, and was taken back, is not joined on the old request', async () => {
  const reference = newReference();
  await here.calls.report(statedWith(530_00n, reference));
  const [asked, other] = await twoOrders(530_00n);
  await here.calls.type(asked, newReference());
  const todo = await askSupplement(asked, reference);
  expect(await here.calls.type(other, reference)).toMatchObject({ state: 'paid' });
  await reverseByTwo(here.world.platform, { orderId: other.id, reason: 'charged back' });
  await isOutdated(todo, asked);
});

test('a payment that was settled outside since, in another wording, pays no order', async () => {
  const reference = newReference();
  const [bare, stated] = [bareSms(540_00n), statedWith(540_00n, reference)];
  await here.calls.report(stated);
  await here.calls.report(bare);
  const [asked] = await twoOrders(540_00n);
  const todo = await askSupplement(asked, reference);
  expect(isRefusal(await agree(await askSettle(bare)))).toBe(false);
  await isOutdated(todo, asked);
});

test('of two wordings with a request to settle them outside, the second is refused once the first is settled', async () => {
  const [bare, stated] = [bareSms(550_00n), statedWith(550_00n, newReference())];
  await here.calls.report(stated);
  await here.calls.report(bare);
  const [first, second] = [await askSettle(bare), await askSettle(stated)];
  expect(isRefusal(await agree(first))).toBe(false);
  expect(await agree(second)).toMatchObject({ code: 'conflict', data: { reason: 'paidSince' } });
});

test('an offset is not corrected with a message whose other wording has paid an order since', async () => {
  const reference = newReference();
  const [asked, other] = await twoOrders(560_00n);
  const offset = await askSupplement(asked, reference, true);
  expect(isRefusal(await agree(offset))).toBe(false);
  const stated = statedWith(560_00n, reference);
  expect(await here.calls.report(stated)).toEqual(['ambiguous']);
  const correction = todoOf(
    await askOffsetCorrection(here.world.platform, here.desk, {
      messageId: await idOf(stated),
      reason: 'it came',
    }),
  );
  const bare = bareSms(560_00n);
  await here.calls.report(bare);
  await join(other, bare);
  expect(await agree(correction)).toMatchObject({ code: 'conflict', data: { reason: 'paidSince' } });
});

test('a wording that had paid an order before the request does not hinder the approval', async () => {
  const reference = newReference();
  const stated = statedWith(570_00n, reference);
  await here.calls.report(stated);
  const [asked, other] = await twoOrders(570_00n);
  const bare = bareSms(570_00n);
  expect(await here.calls.report(naming(other, bare))).toEqual(['matched']);
  expect(isRefusal(await agree(await askSupplement(asked, reference)))).toBe(false);
});

test('whoever decides about settling a message outside sees that its payment had paid an order before the request', async () => {
  const [stated, bare] = [statedWith(580_00n, newReference()), bareSms(580_00n)];
  await here.calls.report(stated);
  const [order] = await twoOrders(580_00n);
  expect(await here.calls.report(naming(order, bare))).toEqual(['matched']);
  const id = String(await askSettle(stated));
  const { list } = await ask(here.world.platform, here.admin, getMine, {});
  const seen = list.find((each) => each.id === id);
  expect(seen).toMatchObject({ payload: { spent: [String(await idOf(bare))] } });
});

test('a credit without a reference is not settled outside once the desk has completed an order of its sum whose message is to come', async () => {
  const bare = bareSms(590_00n);
  await here.calls.report(bare);
  const todo = await askSettle(bare);
  const order = await here.calls.order(590_00n);
  expect(isRefusal(await agree(await askSupplement(order, newReference())))).toBe(false);
  expect(await agree(todo)).toMatchObject({ code: 'conflict', data: { reason: 'paidSince' } });
  expect(await here.calls.stored(bare)).not.toMatchObject({ state: 'settledOutside' });
});
