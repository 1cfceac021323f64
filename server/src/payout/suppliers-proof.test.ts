import { SETTINGS } from '@sangam/contract/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { makeBatchShop } from '../testing/batches.ts';
import { reportDebit } from '../testing/debits.ts';
import { brokenChecks } from '../testing/books.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeAccount, makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';

/** A supplier could write the debit message that proves its own word: so the account's chain has to corroborate it. */

/** A paying account, and the balance that its last genuine debit stated. */
interface Bank {
  readonly accountId: bigint;
  readonly accountNumber: string;
  readonly monitorId: bigint;
  readonly supplierId: bigint;
  balance: bigint;
}
interface Payer {
  readonly merchantId: bigint;
  readonly viewer: Viewer;
  readonly bank: Bank;
  readonly otherBank: () => Promise<Bank>;
}

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const BIG = 50_000_00n;
const BALANCE = 10_000_000_00n;

const setMode = ({ accountId }: Bank, mode: 'required' | 'none') =>
  world.platform.db.query(sql`update accounts set balance_mode = ${mode} where id = ${accountId}`);

/** A supplier with an account whose messages must state balances. It has no messages yet. */
async function makePayer(): Promise<Payer> {
  const { platform } = world;
  const shop = await makeBatchShop(platform);
  const { supplierId, monitorId } = shop;
  const bank: Bank = { ...shop, balance: BALANCE };
  await setMode(bank, 'required');
  return {
    merchantId: shop.merchantId,
    viewer: viewerOf(platform, { role: 'supplier', supplierId }),
    bank,
    async otherBank() {
      const kind = { direction: 'out', bank: 'ICIC', senderHeader: 'ICICIB' } as const;
      const made = await makeAccount(platform, { supplierId, monitorId, ...kind, products: [2001] });
      const other = { ...made, supplierId, monitorId, balance: BALANCE };
      await setMode(other, 'required');
      return other;
    },
  };
}

const debit = (bank: Bank, amount: bigint, utr: string, balance?: bigint) =>
  reportDebit(world.platform, bank, { amount, utr, balance });

/** A genuine debit, reported by the bank. */
async function genuine(bank: Bank, amount: bigint, utr = newReference()): Promise<void> {
  world.clock.advance(MINUTE);
  bank.balance -= amount;
  await debit(bank, amount, utr, bank.balance);
}
async function someMore(bank: Bank, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await genuine(bank, 11_00n);
}
/** A forged debit: its balance does not follow from the account's other debits. */
const forged = (bank: Bank, utr: string) => debit(bank, BIG, utr, 3_000_000_00n);

/** A payout that its supplier says it paid by this UTR. */
async function saidPaid({ merchantId, viewer }: Payer, utr: string, amount = BIG): Promise<bigint> {
  const { id } = await payOut(world.platform, merchantId, { amount });
  for (const result of [
    await claim(world.platform, viewer, id),
    await confirmPaid(world.platform, viewer, { orderId: id, utr }),
  ])
    if (isRefusal(result)) throw new Error(result.code);
  return id;
}
async function isProven(id: bigint): Promise<boolean> {
  const order = (await readPayout(world.platform.db, id))!;
  expect(order.status).toBe(3);
  return !order.unproven;
}

test('a forged debit does not support the desk’s word on a claim: past the sum of a day a second person agrees', async () => {
  const { platform } = world;
  await platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  const payer = await makePayer();
  await someMore(payer.bank, 6);
  const { id: userId } = await makeUser(platform, { role: 'customerService' });
  const desk = viewerOf(platform, { role: 'customerService', userId });
  const said = async (utr: string) => {
    const { id } = await payOut(platform, payer.merchantId, { amount: BIG });
    await claim(platform, payer.viewer, id);
    const result = await confirmPaid(platform, desk, { orderId: id, utr });
    return isRefusal(result) ? result.code : { status: result.status, unproven: result.unproven };
  };
  const [told, lie] = [newReference(), newReference()];
  await genuine(payer.bank, BIG, told);
  await someMore(payer.bank, 3);
  await forged(payer.bank, lie);
  expect(await said(lie)).toBe('approvalNeeded');
  expect(await said(told)).toEqual({ status: 3, unproven: false });
  await platform.settings.write('UnprovenDayLimit', SETTINGS.UnprovenDayLimit.fallback, null);
});

test('a debit that its chain does not corroborate proves nothing, whether it comes before the supplier’s word or after it', async () => {
  const payer = await makePayer();
  await someMore(payer.bank, 6);
  const [before, after] = [newReference(), newReference()];
  await forged(payer.bank, before);
  const ids = [await saidPaid(payer, before), await saidPaid(payer, after)];
  await forged(payer.bank, after);
  await someMore(payer.bank, 3);
  expect(await proveConfirmed(world.platform)).toBe(0);
  expect(await Promise.all(ids.map(isProven))).toEqual([false, false]);
});

test('a debit proves a payout as soon as its chain corroborates it, at once or later', async () => {
  const payer = await makePayer();
  await someMore(payer.bank, 6);
  const [now, later] = [newReference(), newReference()];
  await genuine(payer.bank, BIG, now);
  await someMore(payer.bank, 3);
  expect(await isProven(await saidPaid(payer, now))).toBe(true);
  await genuine(payer.bank, BIG, later);
  const id = await saidPaid(payer, later);
  expect(await proveConfirmed(world.platform)).toBe(0);
  expect(await isProven(id)).toBe(false);
  await someMore(payer.bank, 3);
  expect(await proveConfirmed(world.platform)).toBe(1);
  expect(await isProven(id)).toBe(true);
});

test('where the bank states no balances, its reference of the transfer is enough', async () => {
  const payer = await makePayer();
  await setMode(payer.bank, 'none');
  const [before, after] = [newReference(), newReference()];
  await debit(payer.bank, BIG, before);
  const ids = [await saidPaid(payer, before), await saidPaid(payer, after)];
  await debit(payer.bank, BIG, after);
  expect(await proveConfirmed(world.platform)).toBe(1);
  expect(await Promise.all(ids.map(isProven))).toEqual([true, true]);
});

test('120 debits that no chain corroborates keep no other debit waiting, whether it is of a new account or of one of theirs', async () => {
  const payer = await makePayer();
  const banks = [payer.bank];
  while (banks.length < 15) banks.push(await payer.otherBank());
  const stuck: bigint[] = [];
  for (const bank of banks)
    for (let n = 0; n < 8; n += 1) {
      const utr = newReference();
      await debit(bank, 100_00n, utr);
      stuck.push(await saidPaid(payer, utr, 100_00n));
    }
  for (let look = 0; look < 3; look += 1) expect(await proveConfirmed(world.platform)).toBe(0);

  const fresh = await payer.otherBank();
  const provable: bigint[] = [];
  for (const bank of [fresh, banks[7]!]) {
    const utr = newReference();
    provable.push(await saidPaid(payer, utr));
    await someMore(bank, 6);
    await genuine(bank, BIG, utr);
    await someMore(bank, 3);
  }
  expect(await proveConfirmed(world.platform)).toBe(2);
  expect(await Promise.all(provable.map(isProven))).toEqual([true, true]);

  // Each account gets its turn again.
  for (const bank of banks) await setMode(bank, 'none');
  let proven = 0;
  for (let look = 0; look < 3; look += 1) proven += await proveConfirmed(world.platform);
  expect(proven).toBe(stuck.length);
});

test('a debit in another currency proves nothing, though its sum and its number are the same', async () => {
  const { platform } = world;
  const payer = await makePayer();
  const shillings = await payer.otherBank();
  await someMore(shillings, 6);
  const utr = newReference();
  await genuine(shillings, BIG, utr);
  await someMore(shillings, 3);
  // The test's world has no monitor that reports debits in shillings.
  const { accountId } = shillings;
  await platform.db.query(sql`update accounts set currency = 'KES' where id = ${accountId}`);
  await platform.db.query(sql`update messages set currency = 'KES' where account_id = ${accountId}`);
  const id = await saidPaid(payer, utr);
  await proveConfirmed(platform);
  expect(await isProven(id)).toBe(false);
});
