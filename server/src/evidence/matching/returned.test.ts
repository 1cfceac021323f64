import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOrders } from '../../collection/store.ts';
import { HOUR, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { brokenChecks } from '../../testing/books.ts';
import {
  createOne,
  makeShop,
  newReference,
  type Shop,
  statedSms,
  withoutReference,
} from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { matchDelayed } from './delayed.ts';
import type { ReportedMessage } from './message.ts';
import { submitUtr } from './payer-utr.ts';
import { receiveMessages } from './receive.ts';
import { releaseHeld } from './release-held.ts';
import { supplement } from './supplement.ts';

/** Money that a bank gives back on a receiving account: a payer's payment that is taken back, and an own transfer that comes back. */

let node: TestPlatform;
let adminId: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  adminId = (await makeUser(node.platform, { role: 'admin' })).id;
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

/** An account with a trusted chain, and a way to report the next movement on it, or to keep its message for later. */
async function bank() {
  await node.platform.db.query(sql`update resources set state = 1`);
  const shop: Shop = await makeShop(node.platform);
  let balance = 100_000_00n;
  const next = (amount: bigint, reference = newReference()): ReportedMessage => {
    node.clock.advance(MINUTE / 2);
    balance += amount;
    return statedSms(node.platform, shop, { amount, balance, reference });
  };
  const report = async (...messages: ReportedMessage[]) => {
    const results = await receiveMessages(node.platform, shop.monitor, messages);
    await releaseHeld(node.platform);
    return results.map(({ state }) => state);
  };
  for (let n = 0; n < 8; n += 1) await report(next(11_00n));
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const order = (amount: bigint) => createOne(node.platform, shop.merchantId, { amount });
  return { next, report, order };
}
const statusOf = async ({ id }: { id: bigint }) => (await readOrders(node.platform.db, [id]))[0]!.status;
const stateOf = (utr: string) =>
  node.platform.db.query(sql`select state, reason from messages where utr = ${utr} and direction = 'credit'`);
const toldOf = ({ id }: { id: bigint }) =>
  node.platform.db.query(
    sql`select kind, data->>'utr' as utr from inbox_messages where user_id = ${adminId} and data->>'order' = ${String(id)} order by id`,
  );
const GONE = [{ state: 'ambiguous', reason: 'wentBack' }];

test('the admins are notified once when the bank takes back a payment that has paid an order', async () => {
  const { next, report, order } = await bank();
  const paid = await order(640_00n);
  const utr = newReference();
  expect(await report(next(paid.payable!, utr))).toEqual(['matched']);
  node.clock.advance(20 * HOUR);
  const back = next(-paid.payable!, utr);
  await report(back);
  await report({ ...back, messageId: 'again' });
  expect(await statusOf(paid)).toBe(6);
  expect(await toldOf(paid)).toEqual([{ kind: 'moneyWentBack', utr }]);
});

test('so are they when the reversal has a number of its own and names the payment', async () => {
  const { next, report, order } = await bank();
  const paid = await order(650_00n);
  const utr = newReference();
  await report(next(paid.payable!, utr));
  const back = next(-paid.payable!);
  await report({ ...back, text: `${back.text} reversal of UPI ${utr}` });
  expect(await toldOf(paid)).toEqual([{ kind: 'moneyWentBack', utr }]);
});

test('so are they when a wording without UTR has paid the order, and the bank tells of payment and reversal afterwards', async () => {
  const { next, report, order } = await bank();
  const paid = await order(660_00n);
  const utr = newReference();
  const told = next(paid.payable!, utr);
  expect(await report({ ...withoutReference(told), messageId: 'first' })).toEqual(['matched']);
  await report({ ...told, text: told.text.replace(/ Avl bal.*/, '') }, next(-paid.payable!, utr));
  expect(await stateOf(utr)).toEqual(GONE);
  expect(await statusOf(paid)).toBe(6);
  expect(await toldOf(paid)).toEqual([{ kind: 'moneyWentBack', utr }]);
});

/** The debit in another wording, with a number of its own, which names the payment. */
const otherWording = (back: ReportedMessage, utr: string): ReportedMessage => ({
  ...back,
  messageId: `${back.messageId}-other`,
  text: `${back.text.replace(utr, newReference()).replace(/ Avl bal.*/, '')} reversal of UPI ${utr}`,
});

test('they are notified once of an order that the UTR names and a wording without UTR has paid', async () => {
  const { next, report, order } = await bank();
  const paid = await order(690_00n);
  const utr = newReference();
  const told = next(paid.payable!, utr);
  const boss = viewerOf(node.platform, {
    role: 'superAdmin',
    userId: (await makeUser(node.platform, { role: 'superAdmin' })).id,
  });
  await supplement(node.platform, boss, { orderId: paid.id, utr, offset: false });
  expect(await report({ ...withoutReference(told), messageId: `${told.messageId}-bare` })).toEqual([
    'matched',
  ]);
  expect(await report({ ...told, text: told.text.replace(/ Avl bal.*/, '') })).toEqual(['duplicate']);
  await report(next(-paid.payable!, utr));
  expect(await toldOf(paid)).toEqual([{ kind: 'moneyWentBack', utr }]);
});

test('so are they of a debit in two wordings', async () => {
  const { next, report, order } = await bank();
  const paid = await order(720_00n);
  const utr = newReference();
  await report(next(paid.payable!, utr));
  const back = next(-paid.payable!, utr);
  await report(back);
  await report(otherWording(back, utr));
  expect(await toldOf(paid)).toEqual([{ kind: 'moneyWentBack', utr }]);
});

test('so are they where the payment is named only after the debit, and the debit is told again', async () => {
  const { next, report, order } = await bank();
  const paid = await order(730_00n);
  const utr = newReference();
  const told = next(paid.payable!, utr);
  expect(await report({ ...withoutReference(told), messageId: `${told.messageId}-bare` })).toEqual([
    'matched',
  ]);
  const back = next(-paid.payable!, utr);
  await report(back);
  await report({ ...told, text: told.text.replace(/ Avl bal.*/, '') });
  await report(otherWording(back, utr));
  expect(await toldOf(paid)).toEqual([{ kind: 'moneyWentBack', utr }]);
});

test('they are notified again when the bank credits the payment once more and takes it back once more', async () => {
  const { next, report, order } = await bank();
  const paid = await order(740_00n);
  const utr = newReference();
  await report(next(paid.payable!, utr));
  for (let n = 0; n < 2; n += 1) {
    const back = next(-paid.payable!, utr);
    expect(await report(back)).toEqual(['ignored']);
    await report(otherWording(back, utr));
    expect(await toldOf(paid)).toHaveLength(n + 1);
    expect(await report(next(paid.payable!, utr))).toEqual(['ambiguous']);
    expect(await toldOf(paid)).toHaveLength(n + 1);
  }
});

test('a wording without UTR that is held for its chain pays nothing once its payment went back', async () => {
  const { next, report, order } = await bank();
  const waiting = await order(50_000_00n);
  const utr = newReference();
  const missing = next(77_00n);
  const told = next(waiting.payable!, utr);
  const bare = { ...withoutReference(told), messageId: 'first' };
  expect(await report(bare)).toEqual(['held']);
  await report({ ...told, text: told.text.replace(/ Avl bal.*/, '') }, next(-waiting.payable!, utr));
  await report(missing);
  expect(await stateOf(utr)).toEqual(GONE);
  expect(await statusOf(waiting)).toBe(1);
});

test('the debit that takes a held payment back does not corroborate it', async () => {
  const { next, report, order } = await bank();
  const unpaid = await order(50_000_00n);
  const utr = newReference();
  expect(await report(next(unpaid.payable!, utr))).toEqual(['held']);
  await report(next(-unpaid.payable!, utr));
  await report(next(12_00n));
  expect(await statusOf(unpaid)).toBe(1);
  expect(await stateOf(utr)).toEqual(GONE);
});

test.each([
  ['in one report', true],
  ['one after the other', false],
])('an own transfer that comes back pays no order, %s', async (_name, atOnce) => {
  const { next, report, order } = await bank();
  const unpaid = await order(700_00n);
  const utr = newReference();
  const [left, back] = [next(-unpaid.payable!, utr), next(unpaid.payable!, utr)];
  if (atOnce) await report(back, left);
  else {
    await report(left);
    await report(back);
  }
  expect(await stateOf(utr)).toEqual(GONE);
  await submitUtr(node.platform, node.platform.vault.payToken(unpaid.id), utr, '10.0.0.1');
  expect(await statusOf(unpaid)).toBe(1);
});

test('what the bank calls a reversal pays no order, though no debit has its number', async () => {
  const { next, report, order } = await bank();
  const unpaid = await order(710_00n);
  const utr = newReference();
  const back = next(unpaid.payable!, utr);
  await report({
    ...back,
    text: back.text.replace('by a/c linked to VPA payer@okbank', 'being reversal of failed UPI'),
  });
  expect(await stateOf(utr)).toEqual(GONE);
  expect(await statusOf(unpaid)).toBe(1);
});

test('a payment that the bank takes back under a number of its own while the payment is kept back pays nothing', async () => {
  const { platform, clock } = node;
  const { next, report, order } = await bank();
  const waiting = await order(670_00n);
  const utr = newReference();
  await platform.settings.write('MessageDelay', 60, null);
  expect(await report(next(waiting.payable!, utr))).toEqual(['held']);
  const back = next(-waiting.payable!);
  await report({ ...back, text: `${back.text} reversal of UPI ${utr}` });
  expect(await platform.db.query(sql`select from delayed_messages`)).toEqual([]);
  clock.advance(2 * MINUTE);
  await matchDelayed(platform);
  await platform.settings.write('MessageDelay', 0, null);
  expect(await stateOf(utr)).toEqual(GONE);
  expect(await statusOf(waiting)).toBe(1);
});

test('nor does one whose reversal, under a number of its own, is reported before it', async () => {
  const { next, report, order } = await bank();
  const waiting = await order(680_00n);
  const utr = newReference();
  const told = next(waiting.payable!, utr);
  const back = next(-waiting.payable!);
  await report({ ...back, text: `${back.text} reversal of UPI ${utr}` });
  await report(told);
  expect(await stateOf(utr)).toEqual(GONE);
  expect(await statusOf(waiting)).toBe(1);
});
