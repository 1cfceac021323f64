import { addListedName } from '@sangam/contract/endpoints/name-list.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { expect, test } from 'vitest';
import { cancelByMerchant } from '../../collection/cancel.ts';
import { expireDue } from '../../collection/expire.ts';
import { readOrder } from '../../collection/read.ts';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { nameScreen } from '../../screening/screen.ts';
import { ask } from '../../testing/ask.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, naming, newReference, statedSms, withoutReference } from '../../testing/payments.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { matchDelayed } from './delayed.ts';
import type { ReportedMessage } from './message.ts';
import { releaseHeld } from './release-held.ts';

/** Two wordings of one payment of a rounded sum. The second comes long after the first, while the orders still wait. */

const here = eachShop();

const AMOUNT = 550_00n;
const LEFT = { state: 'ambiguous', reason: 'amountJustMatched' };
/** An order of a round sum, and one whose payer may pay the same by rounding. */
const two = async () => {
  const [exact, rounded] = [await here.calls.order(AMOUNT), await here.calls.order(AMOUNT)];
  expect([exact.payable, rounded.payable === AMOUNT]).toEqual([AMOUNT, false]);
  return { exact, rounded };
};
const stated = (reference: string) => creditSms(here.world.platform, here.shop, AMOUNT, { reference });
/** Another text of the bank: it names the minute and a balance, and no reference. */
const bare = (balance = 9_000_00n): ReportedMessage => {
  const told = statedSms(here.world.platform, here.shop, { amount: AMOUNT, balance });
  return withoutReference(told);
};
const late = () => here.world.clock.advance(20 * MINUTE);

/** A chain that can be trusted. The next message does not link to it, and is held. */
async function breakChain(): Promise<void> {
  for (let n = 1n; n <= 6n; n += 1n) {
    here.world.clock.advance(MINUTE);
    await here.calls.report(
      statedSms(here.world.platform, here.shop, { amount: 100_00n, balance: n * 100_00n }),
    );
  }
}

test('while the wording without a name is held for its chain, the wording that names another order pays nothing', async () => {
  await breakChain();
  const { exact, rounded } = await two();
  expect(await here.calls.report(bare())).toEqual(['held']);
  late();
  const named = naming(rounded, stated(newReference()));
  expect(await here.calls.report(named)).toEqual(['ambiguous']);
  expect(await here.calls.stored(named)).toMatchObject(LEFT);
  expect([await here.calls.isOpen(exact), await here.calls.isOpen(rounded)]).toEqual([true, true]);
});

test('a typed UTR of a wording that came before pays nothing either', async () => {
  await breakChain();
  const reference = newReference();
  expect(await here.calls.report(stated(reference))).toEqual(['unmatched']);
  late();
  const { rounded } = await two();
  expect(await here.calls.report(bare())).toEqual(['held']);
  expect(await here.calls.type(rounded, reference)).toMatchObject({ state: 'waiting' });
});

test('a wording that names its minute and is reported late may be the payment that an order got by its name', async () => {
  const { exact, rounded } = await two();
  const told = bare();
  expect(await here.calls.report(naming(rounded, stated(newReference())))).toEqual(['matched']);
  late();
  expect(await here.calls.report(told)).toEqual(['ambiguous']);
  expect(await here.calls.stored(told)).toMatchObject(LEFT);
  expect(await here.calls.isOpen(exact)).toBe(true);
});

test('a wording that names a later minute is another payment', async () => {
  const { exact, rounded } = await two();
  expect(await here.calls.report(naming(rounded, stated(newReference())))).toEqual(['matched']);
  late();
  expect(await here.calls.report(bare())).toEqual(['matched']);
  expect(await here.calls.isOpen(exact)).toBe(false);
});

test('an order of the sum that ends unpaid meanwhile does not hide the payment', async () => {
  const { rounded } = await two();
  expect(await here.calls.report(bare())).toEqual(['matched']);
  late();
  const again = await here.calls.order(AMOUNT);
  expect(again.payable).toBe(AMOUNT);
  const merchant = { id: here.shop.merchantId, ip: '127.0.0.1' };
  expect(isRefusal(await cancelByMerchant(here.world.platform, merchant, again.id))).toBe(false);
  const named = naming(rounded, stated(newReference()));
  expect(await here.calls.report(named)).toEqual(['ambiguous']);
  expect(await here.calls.isOpen(rounded)).toBe(true);
});

test('once the late wording pays the order that its payer names, the other wording is no lost money any more', async () => {
  const reference = newReference();
  const [first, second] = [bare(), stated(reference)];
  expect(await here.calls.report(first)).toEqual(['unmatched']);
  late();
  expect(await here.calls.report(second)).toEqual(['unmatched']);
  expect(await here.calls.type(await here.calls.order(AMOUNT), reference)).toMatchObject({ state: 'paid' });
  expect(await here.calls.stored(first)).toMatchObject(LEFT);
});

/** A wording of the payment that names a payer whom a name list has. */
async function listedWording(): Promise<ReportedMessage> {
  const { platform } = here.world;
  const vpa = `l${here.shop.accountId}@okbank`;
  const { id: userId } = await makeUser(platform, { role: 'superAdmin' });
  const boss = viewerOf(platform, { role: 'superAdmin', userId });
  await ask(platform, boss, addListedName, { name: `Listed ${here.shop.accountId}`, reason: 'court', vpa });
  await nameScreen(platform).refresh();
  const told = stated(newReference());
  return { ...told, text: told.text.replace('payer@okbank', vpa) };
}

test('a held wording waits for an operator once the other one names a listed payer', async () => {
  await breakChain();
  await two();
  const held = bare();
  expect(await here.calls.report(held)).toEqual(['held']);
  await here.calls.report(await listedWording());
  expect(await here.calls.stored(held)).toMatchObject({ state: 'ambiguous', reason: 'wordingSettled' });
});

test('so does one that waits for `MessageDelay`', async () => {
  const { platform, clock } = here.world;
  await platform.settings.write('MessageDelay', 60, null);
  const { exact } = await two();
  const waits = bare();
  expect(await here.calls.report(waits)).toEqual(['held']);
  clock.advance(MINUTE / 2);
  expect(await here.calls.report(await listedWording())).toEqual(['ambiguous']);
  clock.advance(MINUTE);
  await matchDelayed(platform);
  await platform.settings.write('MessageDelay', 0, null);
  expect(await here.calls.stored(waits)).toMatchObject({ state: 'ambiguous', reason: 'wordingSettled' });
  expect(await here.calls.isOpen(exact)).toBe(true);
});

test('a payment that came after the grace of an order pays it by no typed UTR, though another credit is held for the order', async () => {
  const { platform, clock } = here.world;
  await breakChain();
  const order = await here.calls.order(AMOUNT);
  const gone = { amount: AMOUNT, balance: 9_000_000_00n, reference: newReference() };
  expect(await here.calls.report(statedSms(platform, here.shop, gone))).toEqual(['held']);
  clock.advance(DAY);
  while ((await expireDue(platform)) > 0);
  await releaseHeld(platform);
  const reference = newReference();
  expect(await here.calls.report(stated(reference))).toEqual(['unmatched']);
  expect(await here.calls.type(order, reference)).toMatchObject({ state: 'timedOut' });
  expect((await readOrder(platform.db, order.id))!.status).toBe(COLLECTION_STATUS.timedOut);
});
