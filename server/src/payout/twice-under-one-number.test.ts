import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type BatchShop, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { debitSms, monitorOf, returnSms } from '../testing/debits.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { makeAccount, viewerOf } from '../testing/world.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';
import { reportReturned } from './returned.ts';

/** A bank debits twice under one number, or returns the money of a debit. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  shop = await makeBatchShop(world.platform);
  supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const AMOUNT = 810_00n;
const sweep = async () => {
  await proveConfirmed(world.platform);
  await matchDebits(world.platform);
  await reportReturned(world.platform);
  await reportDebitsOfEnded(world.platform);
};
const must = (result: unknown) => {
  if (isRefusal(result)) throw new Error(result.code);
};
const told = async (id: bigint) =>
  (
    await world.platform.db.query<{ kind: string }>(
      sql`select kind from inbox_messages where user_id = ${shop.admin.userId} and data->>'order' = ${String(id)} order by id`,
    )
  ).map(({ kind }) => kind);
const debit = (utr: string) =>
  debitSms(world.platform, shop, { amount: AMOUNT, utr, movedAt: world.clock.now() });
const back = (utr: string) => returnSms(world.platform, shop, { amount: AMOUNT, utr });
const report = (...messages: Parameters<typeof receiveMessages>[2]) =>
  receiveMessages(world.platform, monitorOf(shop), messages);

/** A payout that its supplier said it paid by this UTR. */
async function saidPaid(utr: string) {
  const { id } = await payOut(world.platform, shop.merchantId, { amount: AMOUNT });
  must(await claim(world.platform, supplier, id));
  must(await confirmPaid(world.platform, supplier, { orderId: id, utr }));
  return id;
}
const states = async (utr: string) =>
  (
    await world.platform.db.query<{ state: string }>(
      sql`select state from messages where utr = ${utr} order by id`,
    )
  ).map(({ state }) => state);

test('the admins are told of a second debit under the number of a payout that was reversed because its money came back', async () => {
  const utr = newReference();
  const id = await saidPaid(utr);
  await report(debit(utr));
  await sweep();
  expect(await readPayout(world.platform.db, id)).toMatchObject({ unproven: false });
  world.clock.advance(HOUR);
  await report(back(utr));
  await sweep();
  must(await reverseByTwo(world.platform, { orderId: id, reason: 'came back' }));
  await sweep();
  expect(await told(id)).toEqual(['bookedOtherwise']);
  world.clock.advance(HOUR);
  await report(debit(utr));
  await sweep();
  expect(await told(id)).toEqual(['bookedOtherwise', 'endedPayoutDebited']);
});

test('a second debit is no repeat if the return that parts the two is reported last', async () => {
  const utr = newReference();
  const id = await saidPaid(utr);
  await report(debit(utr));
  await sweep();
  world.clock.advance(HOUR);
  const returned = back(utr);
  world.clock.advance(HOUR);
  await report(debit(utr));
  expect(await states(utr)).toEqual(['matched', 'duplicate']);
  await report(returned);
  expect(await states(utr)).toEqual(['matched', 'ignored', 'ambiguous']);
  must(await reverseByTwo(world.platform, { orderId: id, reason: 'came back' }));
  await sweep();
  expect(await told(id)).toEqual(['bookedOtherwise', 'endedPayoutDebited']);
});

test('where both debits moved before it came back, neither proves a payout', async () => {
  const utr = newReference();
  const id = await saidPaid(utr);
  await report(debit(utr));
  world.clock.advance(HOUR);
  const returned = back(utr);
  world.clock.advance(HOUR);
  await report(debit(utr), returned);
  await sweep();
  expect(await readPayout(world.platform.db, id)).toMatchObject({ status: 3, unproven: true });
});

/** A return that names no account, where the phone has two of the bank. */
async function vagueReturn(utr: string) {
  const { supplierId, monitorId } = shop;
  const kind = { direction: 'out', bank: 'ICIC', senderHeader: 'ICICIB', products: [2001] } as const;
  await makeAccount(world.platform, { supplierId, monitorId, ...kind });
  world.clock.advance(HOUR);
  const told = back(utr);
  await report({ ...told, text: told.text.replace(/ Account XX\d+/, ' Account') });
}

test('a debit does not prove a payout whose money came back in a message that fits several accounts', async () => {
  const utr = newReference();
  const id = await saidPaid(utr);
  await report(debit(utr));
  await vagueReturn(utr);
  await sweep();
  expect(await readPayout(world.platform.db, id)).toMatchObject({ status: 3, unproven: true });
});

test('of a payout that was proven before such a message the admins are told, once', async () => {
  const utr = newReference();
  const id = await saidPaid(utr);
  await report(debit(utr));
  await sweep();
  await vagueReturn(utr);
  await sweep();
  await sweep();
  expect(await told(id)).toEqual(['moneyWentBack']);
});

test('a payer’s credit of its sum that fits several accounts is no return', async () => {
  const utr = newReference();
  const id = await saidPaid(utr);
  await report(debit(utr));
  await sweep();
  await vagueReturn(newReference());
  await sweep();
  expect(await told(id)).toEqual([]);
});
