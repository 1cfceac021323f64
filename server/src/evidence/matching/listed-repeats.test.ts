import { addListedName } from '@sangam/contract/endpoints/name-list.ts';
import { expect, test } from 'vitest';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { nameScreen } from '../../screening/screen.ts';
import { ask } from '../../testing/ask.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { newReference, statedSms, withoutReference } from '../../testing/payments.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { matchDelayed } from './delayed.ts';
import type { ReportedMessage } from './message.ts';
import { releaseHeld } from './release-held.ts';
import { supplement } from './supplement.ts';

/** The bank tells of one payment twice, with the same UTR. Only the second message names the payer, and the payer is listed. */

const here = eachShop();

const SMALL = 550_00n;
/** Waits for its chain. */
const LARGE = 50_000_00n;
const BARRED = { state: 'ambiguous', reason: 'payerListed' };

/** The same movement in a message that names this payer. */
const namedBy = (vpa: string, told: ReportedMessage): ReportedMessage => ({
  ...told,
  messageId: `${told.messageId}-named`,
  text: told.text.replace('payer@okbank', vpa),
});
async function list(vpa: string): Promise<void> {
  await ask(here.world.platform, here.boss, addListedName, { name: `Listed ${vpa}`, reason: 'court', vpa });
  await nameScreen(here.world.platform).refresh();
}
/** A payment in two messages of one UTR. The second names its payer. */
async function twice(amount: bigint, isListed = true) {
  const reference = newReference();
  const vpa = `r${reference}@okbank`;
  const first = statedSms(here.world.platform, here.shop, {
    amount,
    balance: 10_000_00n + amount,
    reference,
  });
  if (isListed) await list(vpa);
  return { reference, vpa, first, second: namedBy(vpa, first) };
}
/** A run of messages up to the balance before the payment: the account's chain is trusted. */
async function trusted(): Promise<void> {
  for (let balance = 9_912_00n; balance <= 10_000_00n; balance += 11_00n) {
    await here.calls.report(statedSms(here.world.platform, here.shop, { amount: 11_00n, balance }));
    here.world.clock.advance(MINUTE / 2);
  }
}
/** The next movement of the account, which corroborates a credit of this sum. */
const nextAfter = (amount: bigint) => {
  here.world.clock.advance(MINUTE);
  return statedSms(here.world.platform, here.shop, { amount: 11_00n, balance: 10_011_00n + amount });
};
async function hitsOf(vpa: string): Promise<number> {
  await nameScreen(here.world.platform).flush();
  const rows = await here.world.platform.db.query<{ count: number }>(
    sql`select count from name_hits where listed = ${`Listed ${vpa}`}`,
  );
  return Number(rows[0]?.count ?? 0);
}

test('the first message, which waits for its chain, pays nothing any more, and the hit is told once', async () => {
  await trusted();
  const order = await here.calls.order(LARGE);
  const { first, second, vpa } = await twice(LARGE);
  expect(await here.calls.report(first)).toEqual(['held']);
  expect(await here.calls.report(second)).toEqual(['duplicate']);
  await here.calls.report(nextAfter(LARGE));
  await releaseHeld(here.world.platform);
  expect(await here.calls.stored(first)).toMatchObject(BARRED);
  expect(await here.calls.isOpen(order)).toBe(true);
  expect(await hitsOf(vpa)).toBe(1);
});

test.each(['first', 'last'])(
  'nor does it in one report, where the message without the name comes %s',
  async (at) => {
    const order = await here.calls.order(SMALL);
    const { first, second } = await twice(SMALL);
    await here.calls.report(...(at === 'first' ? [first, second] : [second, first]));
    expect(await here.calls.stored(at === 'first' ? first : second)).toMatchObject(BARRED);
    expect(await here.calls.isOpen(order)).toBe(true);
  },
);

test('nor does it where the messages state no UTR', async () => {
  const order = await here.calls.order(SMALL);
  const { first, second } = await twice(SMALL);
  await here.calls.report(...[first, second].map(withoutReference));
  expect(await here.calls.stored(first)).toMatchObject(BARRED);
  expect(await here.calls.isOpen(order)).toBe(true);
});

test('nor does it while it found no order: the UTR that a payer types pays nothing', async () => {
  const { first, second, reference } = await twice(SMALL);
  expect(await here.calls.report(first)).toEqual(['unmatched']);
  expect(await here.calls.report(second)).toEqual(['duplicate']);
  const order = await here.calls.order(SMALL);
  await here.calls.type(order, reference);
  expect(await here.calls.isOpen(order)).toBe(true);
  expect(await here.calls.stored(first)).toMatchObject(BARRED);
});

test('nor does it while it is kept back for `MessageDelay`', async () => {
  const { platform, clock } = here.world;
  const order = await here.calls.order(SMALL);
  const { first, second } = await twice(SMALL);
  await platform.settings.write('MessageDelay', 60, null);
  await here.calls.report(first);
  await here.calls.report(second);
  clock.advance(2 * MINUTE);
  await matchDelayed(platform);
  await platform.settings.write('MessageDelay', 0, null);
  expect(await here.calls.stored(first)).toMatchObject(BARRED);
  expect(await here.calls.isOpen(order)).toBe(true);
});

test('nor does its wording without UTR that waits for its chain', async () => {
  const order = await here.calls.order(LARGE);
  const { first, second } = await twice(LARGE);
  const bare = { ...withoutReference(first), messageId: `${first.messageId}-bare` };
  expect(await here.calls.report(bare)).toEqual(['held']);
  await here.calls.report(first);
  await here.calls.report(second);
  expect(await here.calls.stored(bare)).toMatchObject({ state: 'ambiguous', reason: 'wordingSettled' });
  expect(await here.calls.isOpen(order)).toBe(true);
});

test('a payer who is listed after both messages came pays nothing either', async () => {
  await trusted();
  const order = await here.calls.order(LARGE);
  const { first, second, vpa } = await twice(LARGE, false);
  expect(await here.calls.report(first)).toEqual(['held']);
  expect(await here.calls.report(second)).toEqual(['duplicate']);
  await list(vpa);
  await here.calls.report(nextAfter(LARGE));
  await releaseHeld(here.world.platform);
  expect(await here.calls.stored(first)).toMatchObject(BARRED);
  expect(await here.calls.isOpen(order)).toBe(true);
});

test('a payment that has paid its order stays as it is, and the hit is told', async () => {
  const order = await here.calls.order(SMALL);
  const { first, second, vpa } = await twice(SMALL);
  expect(await here.calls.report(first)).toEqual(['matched']);
  expect(await here.calls.report(second)).toEqual(['duplicate']);
  expect(await here.calls.isOpen(order)).toBe(false);
  expect(await hitsOf(vpa)).toBe(1);
});

test.each([
  ['supplier', 'it'],
  ['customerService', 'it'],
  ['supplier', 'its wording without UTR'],
] as const)('a %s joins %s only with a second person', async (role, what) => {
  const { first, second, reference } = await twice(SMALL);
  const bare = { ...withoutReference(first), messageId: `${first.messageId}-bare` };
  for (const told of [first, second, bare]) await here.calls.report(told);
  const order = await here.calls.order(SMALL);
  const { id: userId } = await makeUser(here.world.platform, { role });
  const own = role === 'supplier' ? { supplierId: here.shop.supplierId } : {};
  const viewer = viewerOf(here.world.platform, { role, userId, ...own });
  const { id: messageId } = await here.calls.stored(bare);
  const named = what === 'it' ? { utr: reference } : { utr: newReference(), messageId };
  expect(
    await supplement(here.world.platform, viewer, { orderId: order.id, offset: false, ...named }),
  ).toMatchObject({ code: 'approvalNeeded' });
});

test.each(['of a listed payer', 'that the bank took back'])(
  'the open wording with the UTR pays nothing by a typed UTR beside a wording without UTR %s',
  async (kind) => {
    const { vpa, first, reference } = await twice(SMALL);
    expect(await here.calls.report(first)).toEqual(['unmatched']);
    const bare = { ...withoutReference(first), messageId: `${first.messageId}-bare` };
    const gone = { ...bare, text: `${bare.text} reversal` };
    await here.calls.report(kind === 'of a listed payer' ? namedBy(vpa, bare) : gone);
    const order = await here.calls.order(SMALL);
    await here.calls.type(order, reference);
    expect(await here.calls.isOpen(order)).toBe(true);
  },
);
