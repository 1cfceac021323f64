import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { readOrder } from '../../collection/read.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { eachShop } from '../../testing/each-shop.ts';
import {
  makeTwin,
  creditSms,
  makeShop,
  newReference,
  statedSms,
  withoutReference,
} from '../../testing/payments.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import type { ReportedMessage } from '../matching/message.ts';
import { holdChain } from '../trusted-chain/fill-gap.ts';
import { joinLostMoney } from './join.ts';
import { settleOutside } from './settle-outside.ts';

/**
 * A message that fits two accounts of its phone, or none, belongs to no account. It pays no order, and may be settled outside. Its other
 * wording may lie on an account.
 */

const here = eachShop();
beforeEach(async () => {
  await makeTwin(here.world.platform, here.shop);
});

const stated = (amount: bigint, reference: string) =>
  creditSms(here.world.platform, here.shop, amount, { reference });
const bare = (amount: bigint) => withoutReference(creditSms(here.world.platform, here.shop, amount));
/** Of two accounts with the same last digits, the device knows whose message it is. */
const bound = (told: ReportedMessage): ReportedMessage => ({ ...told, accountHint: here.shop.accountNumber });
/** A message with the last digits of an account that is none of ours. */
const foreign = (told: ReportedMessage): ReportedMessage => ({
  ...told,
  text: told.text.replace(/XX\d{4}/, 'XX0000'),
});

async function ask(message: ReportedMessage): Promise<bigint> {
  const { id } = await here.calls.stored(message);
  const asked = await settleOutside(here.world.platform, here.desk, {
    messageId: id,
    reason: 'refunded by hand',
  });
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  return BigInt(String((asked.data as { todoId: string }).todoId));
}
const agree = (id: bigint) =>
  decide(here.world.platform, APPROVAL_HANDLERS, here.admin, { id, approve: true });

test('it pays no order: not by its amount, the reference that a payer types, or the word of the desk', async () => {
  const reference = newReference();
  const told = stated(500_00n, reference);
  const order = await here.calls.order(500_00n);
  await here.calls.type(order, reference);
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  const { id: messageId, ...rest } = await here.calls.stored(told);
  expect(rest).toMatchObject({ accountId: null, reason: 'severalAccounts' });
  expect(await here.calls.type(order, reference)).toMatchObject({ state: 'waiting' });
  const join = { orderId: order.id, messageId, utr: reference };
  expect(await joinLostMoney(here.world.platform, here.desk, join)).toMatchObject({ code: 'conflict' });
});

test('settled outside, its other wording on an account pays nothing by the reference that a payer types', async () => {
  const reference = newReference();
  const [settled, other] = [bare(510_00n), bound(stated(510_00n, reference))];
  expect(await here.calls.report(settled, other)).toEqual(['ambiguous', 'unmatched']);
  await agree(await ask(settled));
  expect(await here.calls.stored(other)).toMatchObject({ state: 'ambiguous', reason: 'wordingSettled' });
  expect(await here.calls.type(await here.calls.order(510_00n), reference)).toMatchObject({
    state: 'waiting',
  });
});

test('a wording that comes after the settling pays nothing, though its payer has named it', async () => {
  const reference = newReference();
  const settled = bare(530_00n);
  await here.calls.report(settled);
  await agree(await ask(settled));
  here.world.clock.advance(5 * MINUTE);
  const order = await here.calls.order(530_00n);
  await here.calls.type(order, reference);
  const other = bound(stated(530_00n, reference));
  expect(await here.calls.report(other)).toEqual(['ambiguous']);
  expect(await here.calls.stored(other)).toMatchObject({ reason: 'wordingSettled' });
  expect((await readOrder(here.world.platform.db, order.id))!.status).toBe(COLLECTION_STATUS.allocated);
});

test('a payment that has paid an order by its other wording since the request is not settled', async () => {
  const reference = newReference();
  const [asked, other] = [bare(540_00n), bound(stated(540_00n, reference))];
  await here.calls.report(asked, other);
  const todo = await ask(asked);
  expect(await here.calls.type(await here.calls.order(540_00n), reference)).toMatchObject({ state: 'paid' });
  expect(await agree(todo)).toMatchObject({ code: 'conflict' });
});

test('of two wordings that belong to no account, the other is marked as perhaps the settled payment', async () => {
  const [settled, other] = [foreign(bare(550_00n)), foreign(stated(550_00n, newReference()))];
  expect(await here.calls.report(settled, other)).toEqual(['unmatched', 'unmatched']);
  await agree(await ask(settled));
  expect(await here.calls.stored(other)).toMatchObject({ state: 'ambiguous', reason: 'wordingSettled' });
});

test('a payment of an account with other digits, or of another phone, pays as before', async () => {
  const [first, second] = [newReference(), newReference()];
  const settled = foreign(bare(560_00n));
  await here.calls.report(settled, bound(stated(560_00n, first)));
  await agree(await ask(settled));
  expect(await here.calls.type(await here.calls.order(560_00n), first)).toMatchObject({ state: 'paid' });
  const elsewhere = bare(570_00n);
  await here.calls.report(elsewhere);
  await agree(await ask(elsewhere));
  await here.world.platform.db.query(sql`update resources set state = 1`);
  here.shop = await makeShop(here.world.platform);
  await here.calls.report(stated(570_00n, second));
  expect(await here.calls.type(await here.calls.order(570_00n), second)).toMatchObject({ state: 'paid' });
});

test.each([
  ['an account', bound],
  ['none', (told: ReportedMessage) => told],
])(
  'while a report holds the chain, the settling of a message of %s waits, and has locked no message yet',
  async (_of, placed) => {
    const settled = placed(bare(580_00n));
    await here.calls.report(settled);
    const { id } = await here.calls.stored(settled);
    const todo = await ask(settled);
    const { deciding } = await here.world.holding(async (tx) => {
      await holdChain(here.world.platform, tx, here.shop.accountId);
      const decided = agree(todo);
      await waitsForLock(here.world.platform);
      // The report goes on to lock messages that may be its other wordings. If this one were locked, the two would wait for each other.
      await tx.query(sql`select from messages where id = ${id} for update nowait`);
      return { deciding: decided };
    });
    expect(isRefusal(await deciding)).toBe(false);
    expect(await here.calls.stored(settled)).toMatchObject({ state: 'settledOutside' });
  },
);

describe.each(['its UTR', 'its UTR in the text'])('a reversal with %s', (names) => {
  const payment = (amount: bigint) => {
    const reference = newReference();
    const back = statedSms(here.world.platform, here.shop, {
      amount: -amount,
      balance: 9_000_00n,
      reference: names === 'its UTR' ? reference : newReference(),
    });
    const reversal = { ...back, text: `${back.text} for ${reference}` };
    return { credit: bound(stated(amount, reference)), reversal };
  };

  test.each(['one report', 'reports'])('takes the payment back; credit first, in %s', async (how) => {
    const order = await here.calls.order(570_00n);
    const { credit, reversal } = payment(570_00n);
    if (how === 'one report') await here.calls.report(credit, reversal);
    else {
      expect(await here.calls.report(credit)).toEqual(['matched']);
      expect(await here.calls.report(reversal)).toEqual(['ambiguous']);
      const told = await here.world.platform.db.query(sql`
        select from inbox_messages where kind = 'moneyWentBack' and data->>'order' = ${String(order.id)} limit 1`);
      expect(told).toHaveLength(1);
    }
    expect(await here.calls.isOpen(order)).toBe(how === 'one report');
  });
});

test('a reversal that came first, on an account that the message does not say, keeps the payment from an order', async () => {
  const order = await here.calls.order(580_00n);
  const reference = newReference();
  const back = { amount: -580_00n, balance: 9_000_00n, reference };
  expect(await here.calls.report(statedSms(here.world.platform, here.shop, back))).toEqual(['ambiguous']);
  const credit = bound(stated(580_00n, reference));
  expect(await here.calls.report(credit)).toEqual(['ambiguous']);
  expect(await here.calls.stored(credit)).toMatchObject({ reason: 'wentBack' });
  expect(await here.calls.isOpen(order)).toBe(true);
});
