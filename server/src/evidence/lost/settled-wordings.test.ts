import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { expect, test } from 'vitest';
import { decide } from '../../approvals/decide.ts';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { readOrder } from '../../collection/read.ts';
import { HOUR, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, newReference, statedSms, withoutReference } from '../../testing/payments.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import type { ReportedMessage } from '../matching/message.ts';
import { releaseOverdue } from '../matching/release-held.ts';
import { joinLostMoney } from './join.ts';
import { settleOutside } from './settle-outside.ts';

/** A payment that was settled outside the platform pays no order by its other wording. */

const here = eachShop();

const tell = async (message: ReportedMessage) => (await here.calls.report(message))[0]!;
const bareSms = (amount: bigint) => withoutReference(creditSms(here.world.platform, here.shop, amount));
const statedWith = (amount: bigint, reference: string) =>
  creditSms(here.world.platform, here.shop, amount, { reference });

/** One of the desk asks. */
async function askToSettle(message: ReportedMessage): Promise<bigint> {
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
/** One of the desk asks, and an admin agrees. */
async function settle(message: ReportedMessage): Promise<void> {
  expect(isRefusal(await agree(await askToSettle(message)))).toBe(false);
}

test('a payer that types the reference of the other wording pays nothing with it', async () => {
  const reference = newReference();
  const bare = bareSms(500_00n);
  const stated = statedWith(500_00n, reference);
  expect([await tell(stated), await tell(bare)]).toEqual(['unmatched', 'unmatched']);
  await settle(bare);
  expect(await here.calls.stored(stated)).toMatchObject({ state: 'ambiguous', reason: 'wordingSettled' });
  const other = await here.calls.order(500_00n);
  expect(await here.calls.type(other, reference)).toMatchObject({ state: 'waiting' });
});

test('nobody at the desk books the other wording alone, not even a superAdmin', async () => {
  const reference = newReference();
  const bare = bareSms(510_00n);
  const stated = statedWith(510_00n, reference);
  expect([await tell(bare), await tell(stated)]).toEqual(['unmatched', 'unmatched']);
  await settle(stated);
  const { id: messageId } = await here.calls.stored(bare);
  const { id: orderId } = await here.calls.order(510_00n);
  const join = { orderId, messageId, utr: newReference() };
  for (const viewer of [here.desk, here.boss])
    expect(await joinLostMoney(here.world.platform, viewer, join)).toMatchObject({ code: 'approvalNeeded' });
  // A second person may know that it is another payment.
  const asked = await joinLostMoney(here.world.platform, here.desk, join);
  const todoId = BigInt(String((asked as { data: { todoId: string } }).data.todoId));
  await decide(here.world.platform, APPROVAL_HANDLERS, here.admin, { id: todoId, approve: true });
  expect((await readOrder(here.world.platform.db, orderId))!.status).toBe(COLLECTION_STATUS.paid);
});

test('a wording that comes after the settling pays nothing, though its payer has named it', async () => {
  const reference = newReference();
  const bare = bareSms(520_00n);
  await tell(bare);
  await settle(bare);
  here.world.clock.advance(5 * MINUTE);
  const named = await here.calls.order(520_00n);
  await here.calls.type(named, reference);
  const stated = statedWith(520_00n, reference);
  expect(await tell(stated)).toBe('ambiguous');
  expect(await here.calls.stored(stated)).toMatchObject({ reason: 'wordingSettled' });
});

test('a wording that is reported during the settling waits for its end, though the bank states no balance', async () => {
  const { platform } = here.world;
  const reference = newReference();
  const bare = bareSms(525_00n);
  await tell(bare);
  const todoId = await askToSettle(bare);
  const named = await here.calls.order(525_00n);
  await here.calls.type(named, reference);
  const stated = statedWith(525_00n, reference);
  const { settling, telling } = await here.world.holding(async (tx) => {
    // The last step of a decision notifies who asked. So the settling stops just before its commit.
    await tx.query(sql`select from users where id = ${here.desk.userId} for update`);
    const decided = agree(todoId);
    await waitsForLock(platform);
    const under = { settling: decided, telling: tell(stated) };
    await waitsForLock(platform, 2);
    return under;
  });
  expect(isRefusal(await settling)).toBe(false);
  expect(await telling).toBe('ambiguous');
  expect(await here.calls.isOpen(named)).toBe(true);
});

test('hours later a wording without reference and minute may be the settled payment too', async () => {
  const stated = statedWith(530_00n, newReference());
  await tell(stated);
  await settle(stated);
  here.world.clock.advance(2 * HOUR);
  const bare = bareSms(530_00n);
  expect(await tell(bare)).toBe('ambiguous');
  expect(await here.calls.stored(bare)).toMatchObject({ reason: 'wordingSettled' });
});

test('after the settling, a held wording is not held for its order any more', async () => {
  await here.world.platform.db.query(
    sql`update accounts set balance_mode = 'required' where id = ${here.shop.accountId}`,
  );
  const { id, payable } = await here.calls.order(20_000_00n);
  const held = statedSms(here.world.platform, here.shop, {
    amount: payable!,
    balance: 90_000_00n,
    reference: newReference(),
  });
  expect(await tell(held)).toBe('held');
  const bare = bareSms(payable!);
  expect(await tell(bare)).toBe('ambiguous');
  await settle(bare);
  expect(await here.calls.stored(held)).toMatchObject({ state: 'ambiguous', reason: 'wordingSettled' });
  // The messages that follow corroborate it, but too late.
  let balance = 90_000_00n;
  for (let more = 0; more < 8; more += 1) {
    here.world.clock.advance(MINUTE);
    balance += 7_00n;
    await tell(statedSms(here.world.platform, here.shop, { amount: 7_00n, balance }));
  }
  await releaseOverdue(here.world.platform);
  expect((await readOrder(here.world.platform.db, id))!.status).toBe(COLLECTION_STATUS.allocated);
});

test('a payment with a reference of its own is another one and pays as before', async () => {
  const [first, second] = [newReference(), newReference()];
  const settled = statedWith(540_00n, first);
  expect([await tell(settled), await tell(statedWith(540_00n, second))]).toEqual(['unmatched', 'unmatched']);
  await settle(settled);
  const later = await here.calls.order(540_00n);
  expect(await here.calls.type(later, second)).toMatchObject({ state: 'paid' });
});

test('a payment that has paid an order by its other wording since the request is not settled', async () => {
  const reference = newReference();
  const bare = bareSms(550_00n);
  await tell(bare);
  await tell(statedWith(550_00n, reference));
  const { id } = await here.calls.stored(bare);
  const asked = await settleOutside(here.world.platform, here.desk, {
    messageId: id,
    reason: 'refunded by hand',
  });
  expect(await here.calls.type(await here.calls.order(550_00n), reference)).toMatchObject({ state: 'paid' });
  const todoId = BigInt(String((asked.data as { todoId: string }).todoId));
  const decided = await decide(here.world.platform, APPROVAL_HANDLERS, here.admin, {
    id: todoId,
    approve: true,
  });
  expect(decided).toMatchObject({ code: 'conflict' });
  expect(await here.calls.stored(bare)).toMatchObject({ state: 'ambiguous', reason: 'amountJustMatched' });
  // A new request is made in the knowledge of it: it may be another payment all the same.
  await decide(here.world.platform, APPROVAL_HANDLERS, here.admin, { id: todoId, approve: false });
  await settle(bare);
  expect(await here.calls.stored(bare)).toMatchObject({ state: 'settledOutside' });
});
