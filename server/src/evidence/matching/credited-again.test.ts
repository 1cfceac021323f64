import { getLostMoney } from '@sangam/contract/endpoints/lost.ts';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ask } from '../../testing/ask.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { makeTwin, creditSms, newReference, statedSms } from '../../testing/payments.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { viewerOf } from '../../testing/world.ts';
import { holdChain } from '../trusted-chain/fill-gap.ts';
import { matchDelayed } from './delayed.ts';
import type { ReportedMessage } from './message.ts';
import { receiveMessages } from './receive.ts';

/** A bank takes a payment back and credits it again under the same number. That is new money, and no repeat of the first credit. */

const here = eachShop();

const AMOUNT = 550_00n;
const BEFORE = 10_000_00n;
/** Messages of the bank with the minute. `vague`: the day alone. */
const credit = (reference: string) =>
  statedSms(here.world.platform, here.shop, { amount: AMOUNT, balance: BEFORE + AMOUNT, reference });
const debit = (reference: string) =>
  statedSms(here.world.platform, here.shop, { amount: -AMOUNT, balance: BEFORE, reference });
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
  await here.calls.report(first);
  here.world.clock.advance(MINUTE);
  const back = debit(utr);
  await here.calls.report(back);
  here.world.clock.advance(3 * HOUR);
  return { utr, first, back };
}

test('the second credit is ambiguous, and stands in lost money', async () => {
  const { utr } = await takenBack();
  const order = await here.calls.order(AMOUNT);
  const again = credit(utr);
  expect(await here.calls.report(again)).toEqual(['ambiguous']);
  expect(await here.calls.stored(again)).toMatchObject(GONE);
  await here.calls.type(order, utr);
  expect(await here.calls.isOpen(order)).toBe(true);
  const desk = viewerOf(here.world.platform, { role: 'customerService' });
  const lost = await ask(here.world.platform, desk, getLostMoney, { page: 1, pageSize: 20 });
  if (isRefusal(lost)) throw new Error(lost.code);
  expect(lost.list.map(({ id }) => id)).toContain(String((await here.calls.stored(again)).id));
});

test.each([
  ['an order', false],
  ['an order that was reversed since', true],
])('so is one whose first credit has paid %s', async (_name, isReversed) => {
  const order = await here.calls.order(AMOUNT);
  const { utr, first } = await takenBack();
  expect(await here.calls.stored(first)).toMatchObject({ state: 'matched' });
  if (isReversed) await reverseByTwo(here.world.platform, { orderId: order.id });
  const waiting = await here.calls.order(AMOUNT);
  const again = credit(utr);
  expect(await here.calls.report(again)).toEqual(['ambiguous']);
  expect(await here.calls.stored(again)).toMatchObject(GONE);
  await here.calls.type(waiting, utr);
  expect(await here.calls.isOpen(waiting)).toBe(true);
});

test('so is one that was kept back for `MessageDelay`, whose first credit has paid an order', async () => {
  const { platform } = here.world;
  await here.calls.order(AMOUNT);
  const { utr } = await takenBack();
  await platform.settings.write('MessageDelay', 60, null);
  const again = credit(utr);
  const states = await here.calls.report(again);
  here.world.clock.advance(2 * MINUTE);
  await matchDelayed(platform);
  await platform.settings.write('MessageDelay', 0, null);
  expect(states).toEqual(['held']);
  expect(await here.calls.stored(again)).toMatchObject(GONE);
});

test('every further movement counts, and every repeat of it is a duplicate', async () => {
  const { utr } = await takenBack();
  for (let n = 0; n < 2; n += 1) {
    const again = credit(utr);
    expect(await here.calls.report(again)).toEqual(['ambiguous']);
    here.world.clock.advance(MINUTE);
    expect(await here.calls.report(vague(copyOf(again)), copyOf(again), vague(credit(utr)))).toEqual([
      'duplicate',
      'duplicate',
      'duplicate',
    ]);
    const back = debit(utr);
    expect(await here.calls.report(back)).toEqual(['ignored']);
    expect(await here.calls.report(copyOf(back))).toEqual(['duplicate']);
    here.world.clock.advance(HOUR);
  }
});

test('all in the report of a phone that was offline, at first and once more', async () => {
  const utr = newReference();
  const told = [credit, debit, credit, debit, credit].map((tell) => {
    here.world.clock.advance(10 * MINUTE);
    return tell(utr);
  });
  const [first, ...others] = await here.calls.report(...told);
  expect([first, ...others]).toEqual(['ambiguous', 'ignored', 'ambiguous', 'ignored', 'ambiguous']);
  expect(new Set(await here.calls.report(...told.map(copyOf)))).toEqual(new Set(['duplicate']));
});

test('the message about the first credit may come last', async () => {
  const utr = newReference();
  const [first, back, again] = [credit, debit, credit].map((tell) => {
    here.world.clock.advance(10 * MINUTE);
    return tell(utr);
  });
  for (const message of [again!, back!, first!]) await here.calls.report(message);
  expect(await here.calls.stored(first!)).toMatchObject(GONE);
  expect(await here.calls.stored(again!)).toMatchObject(GONE);
  const told = [first!, vague(first!), back!, again!, vague(again!)].map(copyOf);
  expect(new Set(await here.calls.report(...told))).toEqual(new Set(['duplicate']));
});

test('two reports of the second credit at one moment make one ambiguous credit', async () => {
  const { utr } = await takenBack();
  const again = credit(utr);
  const reports: Promise<{ state: string }[]>[] = [];
  await here.world.holding(async (tx) => {
    // A report waits here once it has claimed the movement.
    await holdChain(here.world.platform, tx, here.shop.accountId);
    for (const message of [again, copyOf(again)])
      reports.push(receiveMessages(here.world.platform, here.shop.monitor, [message]));
    await waitsForLock(here.world.platform, 2);
  });
  const results = await Promise.all(reports);
  expect(results.map(([result]) => result!.state).toSorted()).toEqual(['ambiguous', 'duplicate']);
});

test('the second credit may be reported while the debit is being taken in', async () => {
  const { platform } = here.world;
  const utr = newReference();
  const first = credit(utr);
  await here.calls.report(first);
  here.world.clock.advance(MINUTE);
  const back = debit(utr);
  here.world.clock.advance(HOUR);
  const again = credit(utr);
  const { id } = await here.calls.stored(first);
  const reports: Promise<{ state: string }[]>[] = [];
  const send = (told: ReportedMessage) => {
    const sent = receiveMessages(platform, here.shop.monitor, [told]);
    reports.push(sent);
    return sent;
  };
  await here.world.holding(async (tx) => {
    // The debit waits here for the credit that it takes back.
    await tx.query(sql`select from messages where id = ${id} for update`);
    void send(back);
    await waitsForLock(platform);
    await Promise.race([send(again), waitsForLock(platform, 2)]);
  });
  const results = await Promise.all(reports);
  expect(results.map(([result]) => result!.state)).toEqual(['ignored', 'ambiguous']);
  expect(await here.calls.stored(again)).toMatchObject(GONE);
});

test.each(['first', 'again'])(
  'the debit may be reported last of the three; before it comes the %s credit',
  async (at) => {
    const utr = newReference();
    const [first, back, again] = [credit, debit, credit].map((tell) => {
      here.world.clock.advance(10 * MINUTE);
      return tell(utr);
    });
    await here.calls.report(at === 'first' ? first! : again!);
    expect(await here.calls.report(at === 'first' ? again! : first!)).toEqual(['duplicate']);
    await here.calls.report(back!);
    expect(await here.calls.stored(first!)).toMatchObject(GONE);
    expect(await here.calls.stored(again!)).toMatchObject(GONE);
  },
);

test.each<[string, (first: ReportedMessage) => ReportedMessage]>([
  ['the same message from another device', copyOf],
  ['another wording', (first) => ({ ...copyOf(first), text: `${first.text} -HDFC` })],
  ['another wording without the minute', (first) => vague(copyOf(first))],
  [
    'another that the phone got late',
    (first) => ({ ...vague(copyOf(first)), receivedAt: here.world.clock.now() }),
  ],
])('a repeat of the first credit that came before the debit stays a duplicate: %s', async (_name, tell) => {
  const utr = newReference();
  const first = credit(utr);
  await here.calls.report(first);
  here.world.clock.advance(10 * MINUTE);
  const repeat = tell(first);
  expect(await here.calls.report(repeat)).toEqual(['duplicate']);
  here.world.clock.advance(10 * MINUTE);
  await here.calls.report(debit(utr));
  expect(await here.calls.stored(repeat)).toMatchObject({ state: 'duplicate', reason: 'sameMovement' });
});

test('a repeat of a credit that the debit has made new money stays a duplicate', async () => {
  const utr = newReference();
  const [first, back, again] = [credit, debit, credit].map((tell) => {
    here.world.clock.advance(10 * MINUTE);
    return tell(utr);
  });
  const copy = copyOf(again!);
  await here.calls.report(first!);
  expect(await here.calls.report(again!, copy)).toEqual(['duplicate', 'duplicate']);
  await here.calls.report(back!);
  expect(await here.calls.stored(copy)).toMatchObject({ state: 'duplicate' });
  expect(await here.calls.report(copyOf(again!))).toEqual(['duplicate']);
});

describe('a repeat of the first credit stays a duplicate after the debit was reported', () => {
  test.each<[string, (first: ReportedMessage) => ReportedMessage]>([
    ['the same message from another device', copyOf],
    ['another wording that names the minute', (first) => ({ ...copyOf(first), text: `${first.text} -HDFC` })],
    [
      'another wording that names the minute, and that the phone got late',
      (first) => ({ ...copyOf(first), text: `${first.text} -HDFC`, receivedAt: here.world.clock.now() }),
    ],
    ['another wording that the phone got at once', (first) => vague(copyOf(first))],
  ])('%s', async (_name, tell) => {
    const { first } = await takenBack();
    expect(await here.calls.report(tell(first))).toEqual(['duplicate']);
  });
  test('also where no message names the minute', async () => {
    const utr = newReference();
    const first = creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr });
    await here.calls.report(first);
    here.world.clock.advance(MINUTE);
    const other = vague(credit(utr));
    here.world.clock.advance(MINUTE);
    await here.calls.report(vague(debit(utr)));
    here.world.clock.advance(HOUR);
    expect(await here.calls.report(copyOf(first))).toEqual(['duplicate']);
    expect(await here.calls.report(other)).toEqual(['duplicate']);
  });
});

test('where the bank’s data tell nothing, an operator decides', async () => {
  const { utr } = await takenBack();
  expect(await here.calls.report(vague(credit(utr)))).toEqual(['ambiguous']);
});

test('a second credit may come in the minute of the first one and of the debit', async () => {
  const utr = newReference();
  for (const tell of [credit, debit]) {
    await here.calls.report(tell(utr));
    here.world.clock.advance(SECOND);
  }
  expect(await here.calls.report(credit(utr))).toEqual(['ambiguous']);
});

test('the debit may name the payment in its text alone', async () => {
  const utr = newReference();
  await here.calls.report(credit(utr));
  here.world.clock.advance(MINUTE);
  await here.calls.report(reversalOf(utr));
  here.world.clock.advance(HOUR);
  expect(await here.calls.report(credit(utr))).toEqual(['ambiguous']);
});

test.each([
  ['by its number', debit],
  ['in its text', reversalOf],
])('the debit may fit several accounts and name the payment %s', async (_name, tell) => {
  await makeTwin(here.world.platform, here.shop);
  const hinted = (told: ReportedMessage) => ({ ...told, accountHint: here.shop.accountNumber });
  const utr = newReference();
  await here.calls.report(hinted(credit(utr)));
  here.world.clock.advance(MINUTE);
  expect(await here.calls.report(tell(utr))).toEqual(['ambiguous']);
  here.world.clock.advance(HOUR);
  const again = hinted(credit(utr));
  expect(await here.calls.report(again)).toEqual(['ambiguous']);
  expect(await here.calls.report(copyOf(again))).toEqual(['duplicate']);
});

test('a transfer that came back is told twice: the second wording is a duplicate', async () => {
  const utr = newReference();
  await here.calls.report(debit(utr));
  here.world.clock.advance(10 * MINUTE);
  const back = credit(utr);
  expect(await here.calls.report(back)).toEqual(['ambiguous']);
  here.world.clock.advance(10 * MINUTE);
  expect(await here.calls.report(vague(credit(utr)))).toEqual(['duplicate']);
});

test('a second debit after the return of the first one is stored as a debit', async () => {
  const utr = newReference();
  for (const tell of [debit, credit]) {
    await here.calls.report(tell(utr));
    here.world.clock.advance(10 * MINUTE);
  }
  const again = debit(utr);
  expect(await here.calls.report(again)).toEqual(['ignored']);
  expect(await here.calls.report(copyOf(again))).toEqual(['duplicate']);
});
