import { addListedName } from '@sangam/contract/endpoints/name-list.ts';
import { describe, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { freeResource } from '../../collection/free-resource.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { readOrder } from '../../collection/read.ts';
import { setFrozen } from '../../orders/holds/set-hold.ts';
import { HOUR, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { nameScreen } from '../../screening/screen.ts';
import { ask } from '../../testing/ask.ts';
import { eachShop } from '../../testing/each-shop.ts';
import {
  makeTwin,
  creditSms,
  makeShop,
  naming,
  newReference,
  statedSms,
  withoutReference,
} from '../../testing/payments.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { receiveMessages } from './receive.ts';
import { releaseHeld } from './release-held.ts';
import { settleOutside } from '../lost/settle-outside.ts';
import { supplement } from './supplement.ts';

/** Attacks on the money: what completes an order though its money went back, is another payer's, or is a listed payer's. */

const here = eachShop();

const AMOUNT = 550_00n;
const toldOf = async ({ id }: { id: bigint }) =>
  (
    await here.world.platform.db.query<{ kind: string }>(
      sql`select kind from inbox_messages where user_id = ${here.admin.userId} and data->>'order' = ${String(id)} order by id`,
    )
  ).map(({ kind }) => kind);
const say = ({ id: orderId }: CollectionOrder, utr: string, viewer = here.boss) =>
  supplement(here.world.platform, viewer, { orderId, utr, offset: false });
const statusOf = async ({ id }: { id: bigint }) => (await readOrder(here.world.platform.db, id))!.status;

/** The desk asks a second person to complete the order by a UTR. */
async function request(order: CollectionOrder, utr: string): Promise<bigint> {
  const { settings } = here.world.platform;
  const { UnprovenDayLimit: before } = await settings.all();
  await settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  const asked = await say(order, utr, here.desk);
  await settings.write('UnprovenDayLimit', before, null);
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  return BigInt((asked as unknown as { data: { todoId: string } }).data.todoId);
}
const agree = (id: bigint) =>
  decide(here.world.platform, APPROVAL_HANDLERS, here.admin, { id, approve: true });
/** The payer's address is put on the list of names. */
async function listPayer(vpa: string): Promise<void> {
  await ask(here.world.platform, here.boss, addListedName, { name: `Listed ${vpa}`, reason: 'court', vpa });
  await nameScreen(here.world.platform).refresh();
}

/** Holds the load of the account, so that whoever completes an order on it waits, until `release`. */
async function holdLoad() {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held = () => {};
  const isHeld = new Promise<void>((resolve) => {
    held = resolve;
  });
  const done = here.world.holding(async (tx) => {
    await tx.query(sql`select from account_load where account_id = ${here.shop.accountId} for update`);
    held();
    await until;
  });
  await isHeld;
  return async () => {
    release();
    await done;
  };
}

test('a message that names an order which got a credit without UTR hours before the money moved is no repeat', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  await say(order, utr);
  here.world.clock.advance(30 * MINUTE);
  const bare = withoutReference(
    statedSms(here.world.platform, here.shop, { amount: AMOUNT, balance: 10_000_00n }),
  );
  expect(await here.calls.report(bare)).toEqual(['matched']);
  here.world.clock.advance(20 * HOUR);
  const its = statedSms(here.world.platform, here.shop, {
    amount: AMOUNT,
    balance: 10_550_00n,
    reference: utr,
  });
  expect(await here.calls.report(its)).toEqual(['ambiguous']);
});

test('a request by UTR is outdated once a credit of the asked sum has paid another order', async () => {
  const [first, second] = [await here.calls.order(AMOUNT), await here.calls.order(AMOUNT)];
  expect([first.payable, second.payable === AMOUNT]).toEqual([AMOUNT, false]);
  const id = await request(second, newReference());
  expect(
    await here.calls.report(withoutReference(creditSms(here.world.platform, here.shop, AMOUNT))),
  ).toEqual(['matched']);
  expect(await agree(id)).toMatchObject({
    code: 'conflict',
    data: { reason: 'paidSince' },
  });
});

test('a UTR that is typed while the other wording is taken in pays no second order', async () => {
  const utr = newReference();
  const told = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
  await here.calls.report(told);
  const [typed, coded] = [await here.calls.order(AMOUNT), await here.calls.order(AMOUNT)];
  const release = await holdLoad();
  const typing = here.calls.type(typed, utr);
  await waitsForLock(here.world.platform);
  const other = naming(coded, withoutReference({ ...told, messageId: `${told.messageId}-2` }));
  const reporting = receiveMessages(here.world.platform, here.shop.monitor, [other]);
  await waitsForLock(here.world.platform, 2);
  await release();
  await Promise.all([typing, reporting]);
  expect([await statusOf(typed), await statusOf(coded)].filter((status) => status === 6)).toHaveLength(1);
});

test('the admins are notified if the message of an order that the desk completed is of money that the bank had taken back before', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  const its = statedSms(here.world.platform, here.shop, {
    amount: AMOUNT,
    balance: 10_550_00n,
    reference: utr,
  });
  const back = statedSms(here.world.platform, here.shop, {
    amount: -AMOUNT,
    balance: 10_000_00n,
    reference: utr,
  });
  await here.calls.report(back);
  await agree(await request(order, utr));
  expect(await statusOf(order)).toBe(6);
  await here.calls.report(its);
  expect(await toldOf(order)).not.toEqual([]);
  expect(await here.calls.stored(its)).toMatchObject({ state: 'ambiguous', reason: 'wentBack' });
});

test('what the bank calls a reversal is not the message of an order that the desk completed', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  await say(order, utr);
  const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
  await here.calls.report({ ...its, text: `${its.text} reversal of failed UPI` });
  expect({ told: await toldOf(order), its: await here.calls.stored(its) }).toMatchObject({
    its: { state: 'ambiguous' },
  });
});

test('a listed payer’s message is not joined to an order that the desk completed, and the hit is recorded', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  await say(order, utr);
  const vpa = `l${order.id}@okbank`;
  await listPayer(vpa);
  const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
  await here.calls.report({ ...its, text: its.text.replace('payer@okbank', vpa) });
  await nameScreen(here.world.platform).flush();
  const hits = await here.world.platform.db.query(
    sql`select 1 from name_hits where subject like 'message:%'`,
  );
  expect({ hits: hits.length, told: await toldOf(order), its: await here.calls.stored(its) }).toMatchObject({
    hits: 1,
  });
});

test('a payer that was listed after its credit came pays nothing by typing the UTR', async () => {
  const utr = newReference();
  const vpa = `m${utr}@okbank`;
  const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
  expect(await here.calls.report({ ...its, text: its.text.replace('payer@okbank', vpa) })).toEqual([
    'unmatched',
  ]);
  await listPayer(vpa);
  const order = await here.calls.order(AMOUNT);
  expect(await here.calls.type(order, utr)).toMatchObject({ state: 'waiting' });
});

test('a debit of several accounts that is reported at the moment of the credit which it takes back notifies the admins', async () => {
  await makeTwin(here.world.platform, here.shop, true);
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  const its = {
    ...creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr }),
    accountHint: here.shop.accountNumber,
  };
  const back = statedSms(here.world.platform, here.shop, {
    amount: -AMOUNT,
    balance: 10_000_00n,
    reference: utr,
  });
  const release = await holdLoad();
  const paying = receiveMessages(here.world.platform, here.shop.monitor, [its]);
  await waitsForLock(here.world.platform);
  const taking = receiveMessages(here.world.platform, here.shop.monitor, [back]);
  await Promise.race([taking, waitsForLock(here.world.platform, 2)]);
  await release();
  const states = (await Promise.all([paying, taking])).map(([result]) => result!.state);
  expect({ states, told: await toldOf(order) }).toEqual({
    states: ['matched', 'ambiguous'],
    told: ['moneyWentBack'],
  });
});

test('a credit with the code of an ended order is not the message of another order that the desk completed', async () => {
  const ended = await here.calls.order(AMOUNT);
  await freeResource(here.world.platform, here.boss, { orderId: ended.id, offset: false });
  here.world.clock.advance(20 * MINUTE);
  const order = await here.calls.order(AMOUNT);
  expect(order.payable).toBe(AMOUNT);
  await say(order, newReference());
  const told = naming(ended, withoutReference(creditSms(here.world.platform, here.shop, AMOUNT)));
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
});

test('a reversal that is reported first and names the payment without the zeros before its number takes it back', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = `0${newReference().slice(1)}`;
  const back = statedSms(here.world.platform, here.shop, { amount: -AMOUNT, balance: 10_000_00n });
  await here.calls.report({ ...back, text: `${back.text} reversal of UPI ${utr.slice(1)}` });
  const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
  expect(await here.calls.report(its)).toEqual(['ambiguous']);
  expect(await statusOf(order)).toBe(1);
});

test('a request by UTR is outdated once the payment’s message shows a listed payer', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  const id = await request(order, utr);
  const vpa = `l${order.id}@okbank`;
  await listPayer(vpa);
  const its = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
  expect(await here.calls.report({ ...its, text: its.text.replace('payer@okbank', vpa) })).toEqual([
    'ambiguous',
  ]);
  expect(await agree(id)).toMatchObject({ code: 'conflict' });
});

test('a request by UTR is outdated once the bank has taken the payment back', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  const id = await request(order, utr);
  await here.calls.report(
    statedSms(here.world.platform, here.shop, { amount: -AMOUNT, balance: 10_000_00n, reference: utr }),
  );
  expect(await agree(id)).toMatchObject({ code: 'conflict' });
});

test('a UTR that the bank has taken back completes an order only with a second person', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  await here.calls.report(
    statedSms(here.world.platform, here.shop, { amount: -AMOUNT, balance: 10_000_00n, reference: utr }),
  );
  expect(await say(order, utr)).toMatchObject({ code: 'approvalNeeded' });
});

test('a credit that is held for its chain pays nothing once its payer is listed', async () => {
  let balance = 100_000_00n;
  const next = (amount: bigint) => {
    here.world.clock.advance(MINUTE / 2);
    balance += amount;
    return statedSms(here.world.platform, here.shop, { amount, balance });
  };
  for (let n = 0; n < 8; n += 1) await here.calls.report(next(11_00n));
  const order = await here.calls.order(50_000_00n);
  const its = next(order.payable!);
  const vpa = `h${order.id}@okbank`;
  expect(await here.calls.report({ ...its, text: its.text.replace('payer@okbank', vpa) })).toEqual(['held']);
  await listPayer(vpa);
  await here.calls.report(next(12_00n));
  await releaseHeld(here.world.platform);
  expect(await statusOf(order)).toBe(1);
});

test('a credit of no account is not settled outside once the desk has completed an order of its sum on an account of its phone', async () => {
  await makeTwin(here.world.platform, here.shop, true);
  const order = await here.calls.order(AMOUNT);
  const its = withoutReference(creditSms(here.world.platform, here.shop, AMOUNT));
  expect(await here.calls.report(its)).toEqual(['ambiguous']);
  const { id: messageId } = await here.calls.stored(its);
  const asked = await settleOutside(here.world.platform, here.desk, {
    messageId,
    reason: 'refunded by hand',
  });
  await say(order, newReference());
  const id = BigInt((asked as unknown as { data: { todoId: string } }).data.todoId);
  expect(await agree(id)).toMatchObject({ code: 'conflict', data: { reason: 'paidSince' } });
});

describe('an offset, whose money came to another account of ours', () => {
  async function twoAccounts() {
    const order = await here.calls.order(AMOUNT);
    const utr = newReference();
    const own = here.shop;
    here.shop = await makeShop(here.world.platform);
    const told = statedSms(here.world.platform, here.shop, {
      amount: AMOUNT,
      balance: 10_550_00n,
      reference: utr,
    });
    const back = statedSms(here.world.platform, here.shop, {
      amount: -AMOUNT,
      balance: 10_000_00n,
      reference: utr,
    });
    return { order, utr, own, told, back };
  }
  test('the admins are notified when the bank takes the payment back there', async () => {
    const { order, utr, told, back } = await twoAccounts();
    await here.calls.report(told);
    const offset = { orderId: order.id, utr, offset: true };
    await supplement(here.world.platform, here.boss, offset);
    expect(await statusOf(order)).toBe(6);
    await here.calls.report(back);
    expect(await toldOf(order)).toContain('moneyWentBack');
  });
  test('it needs a second person if the bank has taken the payment back before', async () => {
    const { order, utr, told, back } = await twoAccounts();
    await here.calls.report(told);
    await here.calls.report(back);
    const offset = { orderId: order.id, utr, offset: true };
    expect(await supplement(here.world.platform, here.boss, offset)).toMatchObject({
      code: 'approvalNeeded',
    });
  });
});

test('a UTR that a reversal with a number of its own names completes an order only with a second person', async () => {
  const order = await here.calls.order(AMOUNT);
  const utr = newReference();
  const back = statedSms(here.world.platform, here.shop, { amount: -AMOUNT, balance: 10_000_00n });
  await here.calls.report({ ...back, text: `${back.text} reversal of UPI ${utr}` });
  expect(await say(order, utr)).toMatchObject({ code: 'approvalNeeded' });
});

test('nor does a credit that is held for a frozen order', async () => {
  const order = await here.calls.order(AMOUNT);
  const freeze = (frozen: boolean) =>
    setFrozen(here.world.platform, here.boss, {
      subjectKind: 'order',
      subjectId: String(order.id),
      frozen,
      reason: 'checked',
    });
  await freeze(true);
  const vpa = `f${order.id}@okbank`;
  const its = creditSms(here.world.platform, here.shop, AMOUNT);
  expect(await here.calls.report({ ...its, text: its.text.replace('payer@okbank', vpa) })).toEqual(['held']);
  await listPayer(vpa);
  await freeze(false);
  expect(await statusOf(order)).toBe(1);
  expect(await here.calls.stored(its)).toMatchObject({ state: 'ambiguous', reason: 'payerListed' });
});
