import { confirmPaid, getPaying, getPayoutDetail } from '@sangam/contract/endpoints/payout.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { type BatchShop, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { type PayingAccount, reportDebit } from '../testing/debits.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeAccount, viewerOf } from '../testing/world.ts';
import { claim } from './claim.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';

/** A supplier names the account it paid from; then only a debit of that account proves the payout. */

interface Account extends PayingAccount {
  readonly accountId: bigint;
}

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
let first: Account;
let second: Account;
beforeAll(async () => {
  world = await createTestPlatform();
  const { platform } = world;
  shop = await makeBatchShop(platform, 10_000_000_00n);
  supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  first = shop;
  second = await account({});
  // The bank of these accounts states no balances: its reference of a transfer is enough.
  await platform.db.query(sql`update accounts set balance_mode = 'none' where direction = 'out'`);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

async function account(options: {
  readonly direction?: 'in';
  readonly state?: 1;
  readonly supplierId?: bigint;
}) {
  const { monitorId, supplierId } = shop;
  const made = await makeAccount(world.platform, {
    supplierId,
    monitorId,
    direction: 'out',
    bank: 'ICIC',
    senderHeader: 'ICICIB',
    products: [options.direction === 'in' ? 1012 : 2001],
    ...options,
  });
  return { ...made, supplierId, monitorId };
}

const AMOUNT = 700_00n;
async function claimed(): Promise<string> {
  const { id } = await payOut(world.platform, shop.merchantId, { amount: AMOUNT });
  await claim(world.platform, supplier, id);
  return String(id);
}
const confirm = (orderCode: string, { accountId }: { readonly accountId: bigint }, utr = newReference()) =>
  ask(world.platform, supplier, confirmPaid, { orderCode, utr, accountId: String(accountId) });
const refusal = async (orderCode: string, accountId: bigint, viewer = supplier, utr = newReference()) => {
  const asked = { orderCode, utr, accountId: String(accountId) };
  const { code, data } = await askRefused(world.platform, viewer, confirmPaid, asked);
  return [code, (data as { reason?: string } | undefined)?.reason];
};
const read = async (orderCode: string) => (await readPayout(world.platform.db, BigInt(orderCode)))!;
const debit = (of: Account, utr: string) => reportDebit(world.platform, of, { amount: AMOUNT, utr });
const nameOf = ({ accountNumber }: Account) => `ICIC ${accountNumber.slice(-4)}`;

test('a claim offers the supplier’s open payout accounts, and the one it paid from last', async () => {
  const [closed, receiving] = [await account({ state: 1 }), await account({ direction: 'in' })];
  const one = await claimed();
  const offered = await ask(world.platform, supplier, getPaying, { orderCode: one });
  expect(offered.accounts).toEqual([
    { accountId: String(first.accountId), name: nameOf(first) },
    { accountId: String(second.accountId), name: nameOf(second) },
  ]);
  expect(offered).toMatchObject({ accountId: null, slips: 0 });
  for (const { accountId } of [closed, receiving])
    expect(await refusal(one, accountId)).toEqual(['conflict', 'payerClosed']);
  await confirm(one, second);
  expect(await read(one)).toMatchObject({ status: 3, unproven: true, accountId: second.accountId });
  const next = await ask(world.platform, supplier, getPaying, { orderCode: await claimed() });
  expect(next.accountId).toBe(String(second.accountId));
});

test('another’s account, another’s payout and the desk’s word for a supplier are refused', async () => {
  const { platform } = world;
  const { otherSupplierId } = shop;
  const foreign = await account({ supplierId: otherSupplierId });
  const mine = await claimed();
  expect(await refusal(mine, foreign.accountId)).toEqual(['conflict', 'payerClosed']);
  const rival = viewerOf(platform, { role: 'supplier', supplierId: otherSupplierId });
  expect(await refusal(mine, foreign.accountId, rival)).toEqual(['claimedByAnother', undefined]);
  expect((await askRefused(platform, rival, getPaying, { orderCode: mine })).code).toBe('notFound');
  expect(await refusal(mine, first.accountId, shop.admin)).toEqual(['forbidden', undefined]);
  expect(await read(mine)).toMatchObject({ status: 1, accountId: null });
});

test('the account is shown to staff and to its supplier, to no merchant', async () => {
  const { platform } = world;
  const orderCode = await claimed();
  await confirm(orderCode, first);
  const seenBy = async (viewer: Viewer) =>
    (await ask(platform, viewer, getPayoutDetail, { orderCode })).order.payingAccount;
  const named = { accountId: String(first.accountId), name: nameOf(first) };
  expect(await seenBy(shop.admin)).toEqual(named);
  expect(await seenBy(supplier)).toEqual(named);
  expect(await seenBy(viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId }))).toBeNull();
});

test('a debit of the account proves the payout; one of another account proves nothing, and people are told', async () => {
  const { platform } = world;
  const [right, wrong] = [newReference(), newReference()];
  const [proven, open] = [await claimed(), await claimed()];
  await confirm(proven, first, right);
  await confirm(open, first, wrong);
  await debit(first, right);
  await debit(second, wrong);
  expect(await proveConfirmed(platform)).toBe(1);
  expect((await read(proven)).unproven).toBe(false);
  expect((await read(open)).unproven).toBe(true);
  const { events } = await ask(platform, shop.admin, getPayoutDetail, { orderCode: open });
  expect(events.filter(({ kind }) => kind === 'contradicted')).toMatchObject([{ data: { utr: wrong } }]);
});

test('a UTR that the bank has told of for another of its accounts is refused; named rightly it is proof at once', async () => {
  const utr = newReference();
  await debit(second, utr);
  const orderCode = await claimed();
  expect(await refusal(orderCode, first.accountId, supplier, utr)).toEqual(['conflict', 'paidFromAnother']);
  await confirm(orderCode, second, utr);
  expect(await read(orderCode)).toMatchObject({ status: 3, unproven: false, accountId: second.accountId });
});

test('what a batch’s file pays is paid from the batch’s account', async () => {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId, { amount: AMOUNT });
  await makeBatch(platform, shop);
  const offered = await ask(platform, supplier, getPaying, { orderCode: String(id) });
  expect(offered.accounts).toEqual([{ accountId: String(first.accountId), name: nameOf(first) }]);
  expect(offered.accountId).toBe(String(first.accountId));
});
