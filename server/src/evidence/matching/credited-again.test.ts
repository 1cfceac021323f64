import { getLostMoney } from '@sangam/contract/endpoints/lost.ts';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ask } from '../../testing/ask.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, newReference, type Shop, statedSms } from '../../testing/payments.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { makeAccount, viewerOf } from '../../testing/world.ts';
import { holdChain } from '../trusted-chain/fill-gap.ts';
import { matchDelayed } from './delayed.ts';
import type { ReportedMessage } from './message.ts';
import { receiveMessages } from './receive.ts';

/** A bank takes a payment back and credits it again under the same number. That is new money, and no repeat of the first credit. */

let world: TestPlatform;
let shop: Shop;
let calls: ReturnType<typeof shopCalls>;
eachShop({
  world: (made) => {
    world = made;
    calls = shopCalls(world, () => shop);
  },
  shop: (made) => {
    shop = made;
  },
});

const AMOUNT = 550_00n;
const BEFORE = 10_000_00n;
/** Messages of the bank with the minute. `vague`: the day alone. */
const credit = (reference: string) =>
  statedSms(world.platform, shop, { amount: AMOUNT, balance: BEFORE + AMOUNT, reference });
const debit = (reference: string) =>
  statedSms(world.platform, shop, { amount: -AMOUNT, balance: BEFORE, reference });
const vague = ({ text, ...told }: ReportedMessage): ReportedMessage => ({
  ...told,
  text: text.replace(/ at \d\S+/, '').replace(/ Avl bal.*/, ''),
});
const reversalOf = (utr: string) => {
  const own = debit(newReference());
  return { ...own, text: `${own.text} reversal of UPI ${utr}` };
};
let copies = 0;
/** The same message from another device. */
const copyOf = (told: ReportedMessage): ReportedMessage => ({
  ...told,
  messageId: `copy-${(copies += 1)}`,
});
const GONE = { state: 'ambiguous', reason: 'wentBack' };

/** Credit and debit under one number, and three hours. */
async function takenBack(utr = newReference()) {
  const first = credit(utr);
  await calls.report(first);
  world.clock.advance(MINUTE);
  const back = debit(utr);
  await calls.report(back);
  world.clock.advance(3 * HOUR);
  return { utr, first, back };
}

test('the second credit is ambiguous, and stands in lost money', async () => {
  const { utr } = await takenBack();
  const order = await calls.order(AMOUNT);
  const again = credit(utr);
  expect(await calls.report(again)).toEqual(['ambiguous']);
  expect(await calls.stored(again)).toMatchObject(GONE);
  await calls.type(order, utr);
  expect(await calls.isOpen(order)).toBe(true);
  const desk = viewerOf(world.platform, { role: 'customerService' });
  const lost = await ask(world.platform, desk, getLostMoney, { page: 1, pageSize: 20 });
  if (isRefusal(lost)) throw new Error(lost.code);
  expect(lost.list.map(({ id }) => id)).toContain(String((await calls.stored(again)).id));
});

test.each([
  ['an order', false],
  ['an order that was reversed since', true],
])('so is one whose first credit has paid %s', async (_name, isReversed) => {
  const order = await calls.order(AMOUNT);
  const { utr, first } = await takenBack();
  expect(await calls.stored(first)).toMatchObject({ state: 'matched' });
  if (isReversed) await reverseByTwo(world.platform, { orderId: order.id });
  const waiting = await calls.order(AMOUNT);
  const again = credit(utr);
  expect(await calls.report(again)).toEqual(['ambiguous']);
  expect(await calls.stored(again)).toMatchObject(GONE);
  await calls.type(waiting, utr);
  expect(await calls.isOpen(waiting)).toBe(true);
});

test('so is one that was kept back for `MessageDelay`, whose first credit has paid an order', async () => {
  const { platform } = world;
  await calls.order(AMOUNT);
  const { utr } = await takenBack();
  await platform.settings.write('MessageDelay', 60, null);
  const again = credit(utr);
  const states = await calls.report(again);
  world.clock.advance(2 * MINUTE);
  await matchDelayed(platform);
  await platform.settings.write('MessageDelay', 0, null);
  expect(states).toEqual(['held']);
  expect(await calls.stored(again)).toMatchObject(GONE);
});

test('every further movement counts, and every repeat of it is a duplicate', async () => {
  const { utr } = await takenBack();
  for (let n = 0; n < 2; n += 1) {
    const again = credit(utr);
    expect(await calls.report(again)).toEqual(['ambiguous']);
    world.clock.advance(MINUTE);
    expect(await calls.report(vague(copyOf(again)), copyOf(again), vague(credit(utr)))).toEqual([
      'duplicate',
      'duplicate',
      'duplicate',
    ]);
    const back = debit(utr);
    expect(await calls.report(back)).toEqual(['ignored']);
    expect(await calls.report(copyOf(back))).toEqual(['duplicate']);
    world.clock.advance(HOUR);
  }
});

test('all in the report of a phone that was offline, at first and once more', async () => {
  const utr = newReference();
  const told = [credit, debit, credit, debit, credit].map((tell) => {
    world.clock.advance(10 * MINUTE);
    return tell(utr);
  });
  const [first, ...others] = await calls.report(...told);
  expect([first, ...others]).toEqual(['ambiguous', 'ignored', 'ambiguous', 'ignored', 'ambiguous']);
  expect(new Set(await calls.report(...told.map(copyOf)))).toEqual(new Set(['duplicate']));
});

test('the message about the first credit may come last', async () => {
  const utr = newReference();
  const [first, back, again] = [credit, debit, credit].map((tell) => {
    world.clock.advance(10 * MINUTE);
    return tell(utr);
  });
  for (const message of [again!, back!, first!]) await calls.report(message);
  expect(await calls.stored(first!)).toMatchObject(GONE);
  expect(await calls.stored(again!)).toMatchObject(GONE);
  const told = [first!, vague(first!), back!, again!, vague(again!)].map(copyOf);
  expect(new Set(await calls.report(...told))).toEqual(new Set(['duplicate']));
});

test('two reports of the second credit at one moment make one ambiguous credit', async () => {
  const { utr } = await takenBack();
  const again = credit(utr);
  const reports: Promise<{ state: string }[]>[] = [];
  await world.holding(async (tx) => {
    // A report waits here once it has claimed the movement.
    await holdChain(world.platform, tx, shop.accountId);
    for (const message of [again, copyOf(again)])
      reports.push(receiveMessages(world.platform, shop.monitor, [message]));
    await waitsForLock(world.platform, 2);
  });
  const results = await Promise.all(reports);
  expect(results.map(([result]) => result!.state).toSorted()).toEqual(['ambiguous', 'duplicate']);
});

test('the second credit may be reported while the debit is being taken in', async () => {
  const { platform } = world;
  const utr = newReference();
  const first = credit(utr);
  await calls.report(first);
  world.clock.advance(MINUTE);
  const back = debit(utr);
  world.clock.advance(HOUR);
  const again = credit(utr);
  const { id } = await calls.stored(first);
  const reports: Promise<{ state: string }[]>[] = [];
  const send = (told: ReportedMessage) => {
    const sent = receiveMessages(platform, shop.monitor, [told]);
    reports.push(sent);
    return sent;
  };
  await world.holding(async (tx) => {
    // The debit waits here for the credit that it takes back.
    await tx.query(sql`select from messages where id = ${id} for update`);
    void send(back);
    await waitsForLock(platform);
    await Promise.race([send(again), waitsForLock(platform, 2)]);
  });
  const results = await Promise.all(reports);
  expect(results.map(([result]) => result!.state)).toEqual(['ignored', 'ambiguous']);
  expect(await calls.stored(again)).toMatchObject(GONE);
});

test.each(['first', 'again'])(
  'the debit may be reported last of the three; before it comes the %s credit',
  async (at) => {
    const utr = newReference();
    const [first, back, again] = [credit, debit, credit].map((tell) => {
      world.clock.advance(10 * MINUTE);
      return tell(utr);
    });
    await calls.report(at === 'first' ? first! : again!);
    expect(await calls.report(at === 'first' ? again! : first!)).toEqual(['duplicate']);
    await calls.report(back!);
    expect(await calls.stored(first!)).toMatchObject(GONE);
    expect(await calls.stored(again!)).toMatchObject(GONE);
  },
);

test.each<[string, (first: ReportedMessage) => ReportedMessage]>([
  ['the same message from another device', copyOf],
  ['another wording', (first) => ({ ...copyOf(first), text: `${first.text} -HDFC` })],
  ['another wording without the minute', (first) => vague(copyOf(first))],
  [
    'another that the phone got late',
    (first) => ({ ...vague(copyOf(first)), receivedAt: world.clock.now() }),
  ],
])('a repeat of the first credit that came before the debit stays a duplicate: %s', async (_name, tell) => {
  const utr = newReference();
  const first = credit(utr);
  await calls.report(first);
  world.clock.advance(10 * MINUTE);
  const repeat = tell(first);
  expect(await calls.report(repeat)).toEqual(['duplicate']);
  world.clock.advance(10 * MINUTE);
  await calls.report(debit(utr));
  expect(await calls.stored(repeat)).toMatchObject({ state: 'duplicate', reason: 'sameMovement' });
});

test('a repeat of a credit that the debit has made new money stays a duplicate', async () => {
  const utr = newReference();
  const [first, back, again] = [credit, debit, credit].map((tell) => {
    world.clock.advance(10 * MINUTE);
    return tell(utr);
  });
  const copy = copyOf(again!);
  await calls.report(first!);
  expect(await calls.report(again!, copy)).toEqual(['duplicate', 'duplicate']);
  await calls.report(back!);
  expect(await calls.stored(copy)).toMatchObject({ state: 'duplicate' });
  expect(await calls.report(copyOf(again!))).toEqual(['duplicate']);
});

describe('a repeat of the first credit stays a duplicate after the debit was reported', () => {
  test.each<[string, (first: ReportedMessage) => ReportedMessage]>([
    ['the same message from another device', copyOf],
    ['another wording that names the minute', (first) => ({ ...copyOf(first), text: `${first.text} -HDFC` })],
    [
      'another wording that names the minute, and that the phone got late',
      (first) => ({ ...copyOf(first), text: `${first.text} -HDFC`, receivedAt: world.clock.now() }),
    ],
    ['another wording that the phone got at once', (first) => vague(copyOf(first))],
  ])('%s', async (_name, tell) => {
    const { first } = await takenBack();
    expect(await calls.report(tell(first))).toEqual(['duplicate']);
  });
  test('also where no message names the minute', async () => {
    const utr = newReference();
    const first = creditSms(world.platform, shop, AMOUNT, { reference: utr });
    await calls.report(first);
    world.clock.advance(MINUTE);
    const other = vague(credit(utr));
    world.clock.advance(MINUTE);
    await calls.report(vague(debit(utr)));
    world.clock.advance(HOUR);
    expect(await calls.report(copyOf(first))).toEqual(['duplicate']);
    expect(await calls.report(other)).toEqual(['duplicate']);
  });
});

test('where the bank’s data tell nothing, an operator decides', async () => {
  const { utr } = await takenBack();
  expect(await calls.report(vague(credit(utr)))).toEqual(['ambiguous']);
});

test('a second credit may come in the minute of the first one and of the debit', async () => {
  const utr = newReference();
  for (const tell of [credit, debit]) {
    await calls.report(tell(utr));
    world.clock.advance(SECOND);
  }
  expect(await calls.report(credit(utr))).toEqual(['ambiguous']);
});

test('the debit may name the payment in its text alone', async () => {
  const utr = newReference();
  await calls.report(credit(utr));
  world.clock.advance(MINUTE);
  await calls.report(reversalOf(utr));
  world.clock.advance(HOUR);
  expect(await calls.report(credit(utr))).toEqual(['ambiguous']);
});

test.each([
  ['by its number', debit],
  ['in its text', reversalOf],
])('the debit may fit several accounts and name the payment %s', async (_name, tell) => {
  const { monitor, supplierId, accountNumber } = shop;
  const alike = `6${accountNumber.slice(1)}`;
  await makeAccount(world.platform, { supplierId, monitorId: monitor.id, accountNumber: alike, state: 1 });
  const hinted = (told: ReportedMessage) => ({ ...told, accountHint: accountNumber });
  const utr = newReference();
  await calls.report(hinted(credit(utr)));
  world.clock.advance(MINUTE);
  expect(await calls.report(tell(utr))).toEqual(['ambiguous']);
  world.clock.advance(HOUR);
  const again = hinted(credit(utr));
  expect(await calls.report(again)).toEqual(['ambiguous']);
  expect(await calls.report(copyOf(again))).toEqual(['duplicate']);
});

test('a transfer that came back is told twice: the second wording is a duplicate', async () => {
  const utr = newReference();
  await calls.report(debit(utr));
  world.clock.advance(10 * MINUTE);
  const back = credit(utr);
  expect(await calls.report(back)).toEqual(['ambiguous']);
  world.clock.advance(10 * MINUTE);
  expect(await calls.report(vague(credit(utr)))).toEqual(['duplicate']);
});

test('a second debit after the return of the first one is stored as a debit', async () => {
  const utr = newReference();
  for (const tell of [debit, credit]) {
    await calls.report(tell(utr));
    world.clock.advance(10 * MINUTE);
  }
  const again = debit(utr);
  expect(await calls.report(again)).toEqual(['ignored']);
  expect(await calls.report(copyOf(again))).toEqual(['duplicate']);
});
