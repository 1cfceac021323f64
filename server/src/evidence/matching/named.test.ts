import { expect, test } from 'vitest';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { readOrders } from '../../collection/store.ts';
import { expireDue } from '../../collection/expire.ts';
import { freeResource } from '../../collection/free-resource.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { createOne, creditSms, newReference, statedSms, withoutReference } from '../../testing/payments.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { submitUtr } from './payer-utr.ts';
import { receiveCredits } from './receive-credits.ts';
import { receiveMessages } from './receive.ts';
import { releaseHeld, releaseOverdue } from './release-held.ts';
import { supplement } from './supplement.ts';

/** A payment pays the order it names, and one payment pays one order, in however many wordings it is reported. */

const here = eachShop();

const receive = (...messages: Parameters<typeof receiveMessages>[2]) =>
  receiveMessages(here.world.platform, here.shop.monitor, messages);
const statusOf = async (id: bigint) => (await readOrders(here.world.platform.db, [id]))[0]!.status;
const reasonOf = async (externalId: string) => {
  const [row] = await here.world.platform.db.query<{ reason: string | null }>(
    sql`select reason from messages where external_id = ${externalId}`,
  );
  return row!.reason;
};

/** A rail's credit that names an order in its text. */
const railCredit = (key: string, amount: bigint, text: string) => ({
  key,
  kind: 'web' as const,
  account: {
    id: here.shop.accountId,
    supplierId: here.shop.supplierId,
    bank: 'HDFC',
    currency: 'INR',
    accountNumber: here.shop.accountNumber,
    monitorId: here.shop.monitor.id,
  },
  sender: 'GATEWAY',
  text,
  amount,
  balance: null,
  reference: newReference(),
  payer: null,
  at: here.world.platform.clock.now(),
  isExact: false,
});

test('a second payment of a paid order completes no other order of its amount', async () => {
  const [paid, other] = [
    await createOne(here.world.platform, here.shop.merchantId, { amount: 700_00n }),
    await createOne(here.world.platform, here.shop.merchantId, { amount: 700_00n }),
  ];
  await receive(creditSms(here.world.platform, here.shop, paid.payable!));
  const again = creditSms(here.world.platform, here.shop, other.payable!);
  const named = { ...again, text: `${again.text} ${paid.identifyCode}` };
  expect(await receive(named)).toMatchObject([{ state: 'ambiguous', orderId: null }]);
  expect(await reasonOf(again.messageId)).toBe('codeNotOpen');
  const byRail = await receiveCredits(here.world.platform, [
    railCredit('again', other.payable!, `pay ${paid.identifyCode}`),
  ]);
  expect(byRail).toMatchObject([{ state: 'ambiguous', orderId: null }]);
  expect(await statusOf(other.id)).toBe(1);
});

test('where payers name their order, a payment that names none completes no order by its amount', async () => {
  const order = await createOne(here.world.platform, here.shop.merchantId, { amount: 300_00n });
  // Allocation places orders of paybills and gateways in this way.
  await here.world.platform.db.query(
    sql`update waiting_orders set slot = order_id where order_id = ${order.id}`,
  );
  const [result] = await receiveCredits(here.world.platform, [railCredit('rent', order.payable!, 'RENT12')]);
  expect(result).toMatchObject({ state: 'unmatched', orderId: null });
  const [named] = await receiveCredits(here.world.platform, [
    railCredit('named', order.payable!, `x ${order.identifyCode}`),
  ]);
  expect(named).toMatchObject({ state: 'matched', orderId: order.id });
});

test('the same text at the same time is one message, whatever id the device gives it', async () => {
  const order = await createOne(here.world.platform, here.shop.merchantId, { amount: 460_00n });
  const told = withoutReference(creditSms(here.world.platform, here.shop, order.payable!));
  const [first, second, later] = [
    told,
    { ...told, messageId: `${told.messageId}-again` },
    {
      ...told,
      messageId: `${told.messageId}-later`,
      receivedAt: new Date(told.receivedAt.getTime() + SECOND),
    },
  ];
  expect(await receive(first)).toMatchObject([{ state: 'matched' }]);
  expect(await receive(second)).toMatchObject([{ state: 'duplicate' }]);
  // Nothing proves that it is the same payment, so a person looks.
  expect(await receive(later)).toMatchObject([{ state: 'ambiguous' }]);
});

test('a held credit completes the order whose payer types its UTR, and not the order with its amount', async () => {
  await here.world.platform.db.query(
    sql`update accounts set balance_mode = 'required' where id = ${here.shop.accountId}`,
  );
  const [byAmount, byName] = [
    await createOne(here.world.platform, here.shop.merchantId, { amount: 20_000_00n }),
    await createOne(here.world.platform, here.shop.merchantId, { amount: 20_000_00n }),
  ];
  // The second payer rounds and pays the first order's payable amount. The first payer typed another UTR.
  const reference = newReference();
  await type(byAmount, newReference());
  const amount = byAmount.payable!;
  await here.world.platform.db.query(
    sql`update waiting_orders set amount = ${amount} where order_id = ${byName.id}`,
  );
  const held = statedSms(here.world.platform, here.shop, { amount, balance: 90_000_00n, reference });
  expect(await receive(held)).toMatchObject([{ state: 'held' }]);
  const token = here.world.platform.vault.payToken(byName.id);
  expect(await submitUtr(here.world.platform, token, reference, '10.0.0.9')).toMatchObject({
    state: 'waiting',
  });
  const holds = await here.world.platform.db.query(sql`
    select h.order_id as "orderId", h.evidence from chain_holds h join messages m on m.id = h.message_id
    where m.external_id = ${held.messageId}`);
  expect(holds).toEqual([{ orderId: byName.id, evidence: 'payerUtr' }]);
});

test('a held credit with the exact sum of one order is left to people when the payer of another types its UTR', async () => {
  await here.world.platform.db.query(
    sql`update accounts set balance_mode = 'required' where id = ${here.shop.accountId}`,
  );
  const [right, dishonest] = [await order(25_000_00n), await order(25_000_00n)];
  const reference = newReference();
  const held = statedSms(here.world.platform, here.shop, {
    amount: right.payable!,
    balance: 90_000_00n,
    reference,
  });
  expect(await receive(held)).toMatchObject([{ state: 'held' }]);
  await type(dishonest, reference);
  const [message] = await here.world.platform.db.query(sql`
    select state, reason from messages where external_id = ${held.messageId}`);
  expect(message).toEqual({ state: 'ambiguous', reason: 'severalOrders' });
});

test('a held credit is left to an operator when its UTR is typed into an order of another sum', async () => {
  await here.world.platform.db.query(
    sql`update accounts set balance_mode = 'required' where id = ${here.shop.accountId}`,
  );
  const [byAmount, byName] = [
    await createOne(here.world.platform, here.shop.merchantId, { amount: 30_000_00n }),
    await createOne(here.world.platform, here.shop.merchantId, { amount: 31_000_00n }),
  ];
  const reference = newReference();
  const held = statedSms(here.world.platform, here.shop, {
    amount: byAmount.payable!,
    balance: 90_000_00n,
    reference,
  });
  expect(await receive(held)).toMatchObject([{ state: 'held' }]);
  const token = here.world.platform.vault.payToken(byName.id);
  expect(await submitUtr(here.world.platform, token, reference, '10.0.0.9')).toMatchObject({
    state: 'waiting',
  });
  const [message] = await here.world.platform.db.query(sql`
    select state, reason from messages where external_id = ${held.messageId}`);
  expect(message).toEqual({ state: 'ambiguous', reason: 'amountDiffers' });
});

test('a credit without a reference after a supplement is that order’s message, where nobody else waits for its sum', async () => {
  const { platform } = here.world;
  const operator = viewerOf(platform, {
    role: 'superAdmin',
    userId: (await makeUser(platform, { role: 'superAdmin' })).id,
  });
  const order = await createOne(platform, here.shop.merchantId, { amount: 870_00n });
  here.world.clock.advance(2 * HOUR);
  while ((await expireDue(platform)) > 0);
  const paid = await supplement(platform, operator, {
    orderId: order.id,
    utr: newReference(),
    offset: false,
  });
  expect(paid).toMatchObject({ status: 6 });
  here.world.clock.advance(20 * MINUTE);
  const told = creditSms(platform, here.shop, order.payable!);
  const bare = withoutReference(told);
  expect(await receive(bare)).toMatchObject([{ state: 'matched', orderId: order.id }]);
});

test('a slow NEFT credit pays no later order of an amount whose order ended unpaid', async () => {
  const { platform } = here.world;
  const order = await createOne(platform, here.shop.merchantId, { amount: 880_00n });
  here.world.clock.advance(2 * HOUR);
  while ((await expireDue(platform)) > 0);
  here.world.clock.advance(10 * MINUTE);
  await heartbeat(platform, here.shop.monitor, { scriptVersion: '1' });
  const later = await createOne(platform, here.shop.merchantId, { amount: 880_00n });
  expect(later.payable).toBe(order.payable);
  const told = creditSms(platform, here.shop, later.payable!);
  const neft = {
    ...told,
    text: `Update! INR 880.00 deposited in HDFC Bank A/c XX${here.shop.accountNumber.slice(-4)} on 16-NOV-26 for NEFT Cr-ICIC0000104-ASHA RAO-SELF-ICICN52026111600000777`,
  };
  expect(await receive(neft)).toMatchObject([{ state: 'ambiguous' }]);
  expect(await reasonOf(neft.messageId)).toBe('amountOfEndedOrder');
});

// A bank reports one payment twice, once with its UTR and once without. Somebody who types the UTR into another order gains nothing.

const stateOf = async (message: Parameters<typeof receiveMessages>[2][number]) =>
  (await receive(message))[0]!.state;
const order = (amount: bigint) => createOne(here.world.platform, here.shop.merchantId, { amount });
const type = ({ id }: { readonly id: bigint }, utr: string) =>
  submitUtr(here.world.platform, here.world.platform.vault.payToken(id), utr, '10.0.0.9');

function bareSms(amount: bigint) {
  return withoutReference(creditSms(here.world.platform, here.shop, amount));
}

test('while the wording with the UTR is held for its chain, the wording without it pays nothing by its amount', async () => {
  await here.world.platform.db.query(
    sql`update accounts set balance_mode = 'optional' where id = ${here.shop.accountId}`,
  );
  const [first, other] = [await order(450_00n), await order(450_00n)];
  const reference = newReference();
  // Its balance does not follow from the message before.
  await stateOf(statedSms(here.world.platform, here.shop, { amount: 7_00n, balance: 1_000_00n }));
  here.world.clock.advance(MINUTE);
  const stated = statedSms(here.world.platform, here.shop, {
    amount: 450_00n,
    balance: 90_000_00n,
    reference,
  });
  expect(await stateOf(stated)).toBe('held');
  expect(await stateOf(bareSms(450_00n))).toBe('ambiguous');
  expect(await type(other, reference)).toMatchObject({ state: 'waiting' });
  expect(await Promise.all([first, other].map(({ id }) => statusOf(id)))).toEqual([
    COLLECTION_STATUS.allocated,
    COLLECTION_STATUS.allocated,
  ]);
});

test('after the wording without a UTR has paid its order, the wording with it is left to an operator', async () => {
  const first = await order(460_00n);
  const reference = newReference();
  expect(await stateOf(bareSms(460_00n))).toBe('matched');
  const other = await order(460_00n);
  expect(await stateOf(creditSms(here.world.platform, here.shop, 460_00n, { reference }))).toBe('ambiguous');
  expect(await type(other, reference)).toMatchObject({ state: 'waiting' });
  expect(await Promise.all([first, other].map(({ id }) => statusOf(id)))).toEqual([
    COLLECTION_STATUS.paid,
    COLLECTION_STATUS.allocated,
  ]);
});

test('the wording with a UTR is left to an operator also when the other order is made after both wordings', async () => {
  const first = await order(470_00n);
  const reference = newReference();
  expect(await stateOf(bareSms(470_00n))).toBe('matched');
  expect(await stateOf(creditSms(here.world.platform, here.shop, 470_00n, { reference }))).toBe('ambiguous');
  here.world.clock.advance(20 * MINUTE);
  await here.world.platform.db.query(sql`update monitors set last_seen_at = ${here.world.clock.now()}`);
  const other = await order(470_00n);
  expect(await type(other, reference)).toMatchObject({ state: 'waiting' });
  expect(await Promise.all([first, other].map(({ id }) => statusOf(id)))).toEqual([
    COLLECTION_STATUS.paid,
    COLLECTION_STATUS.allocated,
  ]);
});

// A wording that names nothing pays nothing either, while another credit of its sum waits for an operator: it may be that payment.

test('the second wording of a payment that names an ended order pays no other order', async () => {
  const [ended, open] = [await order(480_00n), await order(480_00n)];
  await stateOf(creditSms(here.world.platform, here.shop, 480_00n));
  const told = creditSms(here.world.platform, here.shop, open.payable!);
  expect(await stateOf({ ...told, text: `${told.text} ${ended.identifyCode}` })).toBe('ambiguous');
  const again = bareSms(open.payable!);
  expect(await stateOf(again)).toBe('ambiguous');
  expect(await reasonOf(again.messageId)).toBe('amountJustReported');
  expect(await statusOf(open.id)).toBe(COLLECTION_STATUS.allocated);
});

test('of two wordings of a payment before any order, one pays by its UTR and the other pays no later order', async () => {
  const reference = newReference();
  expect(await stateOf(creditSms(here.world.platform, here.shop, 490_00n, { reference }))).toBe('unmatched');
  here.world.clock.advance(MINUTE);
  const [first, second] = [await order(490_00n), await order(490_00n)];
  expect(await stateOf(bareSms(490_00n))).toBe('ambiguous');
  expect(await type(second, reference)).toMatchObject({ state: 'paid' });
  expect(await statusOf(first.id)).toBe(COLLECTION_STATUS.allocated);
});

test('hours later, a wording without a reference that names only the day may be any payment of the day', async () => {
  const first = await order(530_00n);
  expect(await stateOf(creditSms(here.world.platform, here.shop, 530_00n))).toBe('matched');
  expect(await statusOf(first.id)).toBe(COLLECTION_STATUS.paid);
  here.world.clock.advance(HOUR);
  await here.world.platform.db.query(sql`update monitors set last_seen_at = ${here.world.clock.now()}`);
  const later = await order(530_00n);
  expect(await stateOf(bareSms(530_00n))).toBe('ambiguous');
  expect(await statusOf(later.id)).toBe(COLLECTION_STATUS.allocated);
  // A wording with its own reference is another payment.
  expect(await stateOf(creditSms(here.world.platform, here.shop, 530_00n))).toBe('matched');
});

test('of two wordings in one report the second is left to an operator when the first is', async () => {
  const [ended, open] = [await order(520_00n), await order(520_00n)];
  await stateOf(creditSms(here.world.platform, here.shop, 520_00n));
  const told = creditSms(here.world.platform, here.shop, open.payable!);
  const results = await receive(
    { ...told, text: `${told.text} ${ended.identifyCode}` },
    bareSms(open.payable!),
  );
  expect(results).toMatchObject([{ state: 'ambiguous' }, { state: 'ambiguous' }]);
});

test('when a payer rounded, the payable amount that nobody paid can complete the next order', async () => {
  const first = await createOne(here.world.platform, here.shop.merchantId, { amount: 480_00n });
  const taken = await createOne(here.world.platform, here.shop.merchantId, { amount: 480_00n });
  expect(taken.payable).not.toBe(taken.amount);
  const utr = newReference();
  await type(first, newReference());
  await type(taken, utr);
  expect(await stateOf(creditSms(here.world.platform, here.shop, taken.amount, { reference: utr }))).toBe(
    'matched',
  );
  here.world.clock.advance(4 * MINUTE);
  await here.world.platform.db.query(sql`update monitors set last_seen_at = ${here.world.clock.now()}`);
  const next = await createOne(here.world.platform, here.shop.merchantId, { amount: 480_00n });
  expect([first.payable, next.payable]).toEqual([first.amount, taken.payable]);
  const told = creditSms(here.world.platform, here.shop, next.payable!);
  expect(await receive(withoutReference(told))).toMatchObject([{ state: 'matched', orderId: next.id }]);
});

test('the received amount is remembered also when it is not the payable amount of its order', async () => {
  const [first, second] = [await order(540_00n), await order(540_00n)];
  expect(second.payable).not.toBe(first.payable);
  const reference = newReference();
  // The second payer rounds and pays the first order's payable amount. The first payer typed another UTR.
  await type(first, newReference());
  await type(second, reference);
  expect(await stateOf(creditSms(here.world.platform, here.shop, first.payable!, { reference }))).toBe(
    'matched',
  );
  expect(await stateOf(bareSms(first.payable!))).toBe('ambiguous');
  expect(await statusOf(first.id)).toBe(COLLECTION_STATUS.allocated);
});

test.each([
  ['26 hours ago', 26 * HOUR, false, null],
  ['today, whose order the desk has freed', 2 * HOUR, true, 'new'],
  ['today, whose order keeps its amount', 2 * HOUR, false, null],
] as const)('a UTR that names an untrusted credit of %s', async (_, ago, isFreed, heldFor) => {
  const { platform } = here.world;
  await platform.db.query(
    sql`update accounts set balance_mode = 'required' where id = ${here.shop.accountId}`,
  );
  const old = await createOne(platform, here.shop.merchantId, { amount: 20_000_00n });
  const reference = newReference();
  const told = statedSms(platform, here.shop, { amount: old.payable!, balance: 90_000_00n, reference });
  expect(await receive(told)).toMatchObject([{ state: 'held' }]);
  here.world.clock.advance(HOUR);
  await releaseHeld(platform);
  const [stored] = await platform.db.query(sql`select state from messages where utr = ${reference}`);
  expect(stored).toEqual({ state: 'untrusted' });
  here.world.clock.advance(ago);
  await releaseOverdue(platform);
  while ((await expireDue(platform)) > 0);
  if (isFreed)
    await freeResource(platform, viewerOf(platform, { role: 'admin' }), { orderId: old.id, offset: false });
  // A free amount has cooled.
  here.world.clock.advance(3 * MINUTE);
  await expireDue(platform);
  await heartbeat(platform, here.shop.monitor, { scriptVersion: '1' });
  const { id, payable } = await createOne(platform, here.shop.merchantId, { amount: 20_000_00n });
  expect(payable === old.payable).toBe(isFreed || ago > DAY);
  await submitUtr(platform, platform.vault.payToken(id), reference, '10.0.0.9');
  const holds = await platform.db.query<{ orderId: bigint }>(sql`
    select h.order_id as "orderId" from chain_holds h join messages m on m.id = h.message_id where m.utr = ${reference}`);
  expect(holds.some(({ orderId }) => orderId === id)).toBe(heldFor === 'new');
});
