import * as fund from '@sangam/contract/endpoints/fund.ts';
import { settleOutside } from '@sangam/contract/endpoints/lost.ts';
import { supplement } from '@sangam/contract/endpoints/order.ts';
import { decide, withdraw } from '@sangam/contract/endpoints/todo.ts';
import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expireDue } from '../collection/expire.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { post } from '../ledger/post.ts';
import type { Refusal } from '../platform/refusal.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { createOne, creditSms, makeShop, newReference, statedSms } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';

let node: TestPlatform;
let maker: Viewer;
let checker: Viewer;
let merchant: { ownerKind: 'merchant'; ownerId: string };
let supplier: { ownerKind: 'supplier'; ownerId: string };

beforeAll(async () => {
  node = await createTestPlatform();
  const admin = async () =>
    viewerOf(node.platform, {
      role: 'admin',
      userId: (await makeUser(node.platform, { role: 'admin' })).id,
    });
  [maker, checker] = [await admin(), await admin()];
});
beforeEach(async () => {
  merchant = {
    ownerKind: 'merchant',
    ownerId: String((await makeMerchant(node.platform)).merchantId),
  };
  supplier = {
    ownerKind: 'supplier',
    ownerId: String((await makeSupplier(node.platform, { deposit: 1_000_00n })).supplierId),
  };
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

const INR = { currency: 'INR', reason: 'as agreed' };
const balances = (of: { ownerKind: 'merchant' | 'supplier'; ownerId: string }) =>
  balancesIn(node.platform, of.ownerKind, BigInt(of.ownerId));

async function todoOf(endpoint: Endpoint, query: object, viewer = maker): Promise<string> {
  const refusal = await askRefused(node.platform, viewer, endpoint, { ...INR, ...query });
  expect(refusal.code).toBe('approvalNeeded');
  return (refusal.data as { todoId: string }).todoId;
}
async function approved(endpoint: Endpoint, query: object, viewer = maker) {
  const id = await todoOf(endpoint, query, viewer);
  return ask(node.platform, checker, decide, { id, approve: true });
}
async function refusedAtApproval(endpoint: Endpoint, query: object): Promise<Refusal> {
  const id = await todoOf(endpoint, query);
  return askRefused(node.platform, checker, decide, { id, approve: true });
}
const refused = async (endpoint: Endpoint, query: object, viewer = maker) =>
  (await askRefused(node.platform, viewer, endpoint, { ...INR, ...query })).code;

test('nothing moves before it is approved; then it is posted under the key of its request', async () => {
  const id = await todoOf(fund.topUp, { ...merchant, amount: 500_00 });
  expect(await balances(merchant)).toEqual({});
  await ask(node.platform, checker, decide, { id, approve: true });
  expect(await balances(merchant)).toMatchObject({ available: 500_00n });
  expect(
    await node.platform.db.query(
      sql`select kind, reason, user_id from postings where key = ${`approval/${id}`}`,
    ),
  ).toEqual([{ kind: 'topUp', reason: 'as agreed', user_id: maker.userId }]);
});

test('a top-up reaches the deposit of a supplier and pays its debt first', async () => {
  await approved(fund.withdrawFunds, { ...supplier, amount: 1_000_00 });
  expect(await balances(supplier)).toMatchObject({ deposit: 0n });
  const supplierId = BigInt(supplier.ownerId);
  await node.platform.db.tx((tx) =>
    post(node.platform, tx, [
      {
        key: 'owed',
        kind: 'test',
        orderId: null,
        currency: 'INR',
        legs: [
          {
            ownerKind: 'supplier',
            ownerId: supplierId,
            bucket: 'deposit',
            amount: -30_00n,
            spillsToDebt: true,
          },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount: 30_00n },
        ],
      },
    ]),
  );
  expect(await balances(supplier)).toMatchObject({ deposit: 0n, debt: -30_00n });
  await approved(fund.topUp, { ...supplier, amount: 40_00 });
  expect(await balances(supplier)).toMatchObject({ deposit: 10_00n, debt: 0n });
});

test('one payment from outside is booked once: by one top-up or by one order', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const [known, utr] = [newReference(), newReference()];
  const order = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [
    creditSms(platform, shop, order.payable!, { reference: known }),
  ]);
  expect(await refused(fund.topUp, { ...merchant, amount: 500_00, utr: known })).toBe('utrUsed');
  expect(await refused(fund.topUp, { ...merchant, amount: 500_00, utr: 'by hand' })).toBe('invalidInput');
  const twice = await todoOf(fund.topUp, { ...merchant, amount: 500_00, utr });
  await approved(fund.topUp, { ...supplier, amount: 500_00, utr: ` ${utr.toLowerCase()}` });
  expect((await askRefused(node.platform, checker, decide, { id: twice, approve: true })).code).toBe(
    'utrUsed',
  );
  expect(await refused(fund.topUp, { ...merchant, amount: 500_00, utr })).toBe('utrUsed');
  expect(await balances(merchant)).toEqual({});
  // The bank reports that number on a receiving account, with the sum of an order: a person looks.
  const other = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [
    creditSms(platform, shop, other.payable!, { reference: utr }),
  ]);
  const messages = await platform.db.query(sql`select state, reason from messages where utr = ${utr}`);
  expect(messages).toEqual([{ state: 'ambiguous', reason: 'contradictsBooked' }]);
});

test('a top-up asked for again under its key is the same request, also when its UTR is booked meanwhile', async () => {
  const request = { ...merchant, amount: 500_00, utr: newReference(), requestKey: 'answer lost' };
  const id = await todoOf(fund.topUp, request);
  await ask(node.platform, checker, decide, { id, approve: true });
  expect(await todoOf(fund.topUp, request)).toBe(id);
  expect(await refused(fund.topUp, { ...request, amount: 600_00 })).toBe('conflict');
  expect(await refused(fund.topUp, { ...request, requestKey: 'another' })).toBe('utrUsed');
  expect(await balances(merchant)).toMatchObject({ available: 500_00n });
});

test('who books an order by the UTR of a top-up is told of the top-up; its credit can be settled outside', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const utr = newReference();
  const todoId = await todoOf(fund.topUp, { ...merchant, amount: 500_00, utr });
  await ask(platform, checker, decide, { id: todoId, approve: true });
  const order = await createOne(platform, shop.merchantId);
  const taken = await askRefused(platform, maker, supplement, { orderCode: String(order.id), utr });
  expect(taken).toMatchObject({
    code: 'utrUsed',
    data: { holders: [{ orderCode: todoId, area: 'topUps' }] },
  });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, 500_00n, { reference: utr })]);
  const [message] = await platform.db.query<{ id: bigint }>(sql`select id from messages where utr = ${utr}`);
  await approved(settleOutside, { messageId: String(message!.id) });
  expect(await platform.db.query(sql`select state from messages where utr = ${utr}`)).toEqual([
    { state: 'settledOutside' },
  ]);
  const again = await askRefused(platform, maker, supplement, { orderCode: String(order.id), utr });
  expect(again.data).toEqual({ holders: [{ orderCode: todoId, area: 'topUps' }] });
});

test('the admins are told when the bank takes back the payment of a top-up; a debit of another account is the payment itself', async () => {
  const { platform } = node;
  const [payer, payee] = [await makeShop(platform), await makeShop(platform)];
  const utr = newReference();
  const request = await todoOf(fund.topUp, { ...merchant, amount: 500_00, utr });
  await ask(platform, checker, decide, { id: request, approve: true });
  const told = () =>
    platform.db.query(sql`
      select data from inbox_messages where kind = 'topUpWentBack' and user_id = ${maker.userId} and data->>'request' = ${request}`);
  const debitOf = (shop: typeof payer) =>
    statedSms(platform, shop, { amount: -500_00n, balance: 9_000_00n, reference: utr });
  await receiveMessages(platform, payer.monitor, [debitOf(payer)]);
  await receiveMessages(platform, payee.monitor, [creditSms(platform, payee, 500_00n, { reference: utr })]);
  expect(await told()).toEqual([]);
  await receiveMessages(platform, payee.monitor, [debitOf(payee)]);
  expect(await told()).toEqual([{ data: { request, utr, amount: 'INR 500.00' } }]);
});

test('a withdrawal needs the money when it is asked for and when it is approved', async () => {
  await approved(fund.topUp, { ...merchant, amount: 300_00 });
  expect(await refused(fund.withdrawFunds, { ...merchant, amount: 300_01 })).toBe('balanceInsufficient');
  const late = await todoOf(fund.withdrawFunds, { ...merchant, amount: 200_00 });
  await approved(fund.withdrawFunds, { ...merchant, amount: 200_00 });
  const answer = await askRefused(node.platform, checker, decide, { id: late, approve: true });
  expect(answer.code).toBe('balanceInsufficient');
  expect(await balances(merchant)).toMatchObject({ available: 100_00n });
});

test('a deposit is withdrawn neither out of its credit limit nor from under waiting orders', async () => {
  const shop = await makeShop(node.platform, 1_000_00n);
  const own = { ownerKind: 'supplier', ownerId: String(shop.supplierId) } as const;
  await node.platform.db.query(sql`update resources set state = 1 where account_id <> ${shop.accountId}`);
  const order = await createOne(node.platform, shop.merchantId, { amount: 400_00n });
  expect(order.accountId).toBe(shop.accountId);
  await approved(fund.setCreditLimit, { supplierId: own.ownerId, creditLimit: 900_00 });
  expect((await refusedAtApproval(fund.withdrawFunds, { ...own, amount: 700_00 })).code).toBe(
    'balanceInsufficient',
  );
  // A timed-out order can still be paid during its grace.
  node.clock.advance(16 * MINUTE);
  await expireDue(node.platform);
  expect((await refusedAtApproval(fund.withdrawFunds, { ...own, amount: 700_00 })).code).toBe(
    'balanceInsufficient',
  );
  await approved(fund.withdrawFunds, { ...own, amount: 600_00 });
  expect(await balances(own)).toMatchObject({ deposit: 400_00n });
});

test('a deposit is not withdrawn from under an order whose credit waits for the order’s unfreezing', async () => {
  const shop = await makeShop(node.platform, 1_000_00n);
  const own = { ownerKind: 'supplier', ownerId: String(shop.supplierId) } as const;
  await node.platform.db.query(sql`update resources set state = 1 where account_id <> ${shop.accountId}`);
  const order = await createOne(node.platform, shop.merchantId, { amount: 400_00n });
  const isUnpaid = await createOne(node.platform, shop.merchantId, { amount: 300_00n });
  const freeze = (orderId: bigint, frozen: boolean) =>
    setFrozen(node.platform, maker, {
      subjectKind: 'order',
      subjectId: String(orderId),
      frozen,
      reason: 'seen',
    });
  await freeze(order.id, true);
  await freeze(isUnpaid.id, true);
  const credit = creditSms(node.platform, shop, order.payable!);
  expect(await receiveMessages(node.platform, shop.monitor, [credit])).toMatchObject([{ state: 'held' }]);
  node.clock.advance(HOUR);
  while ((await expireDue(node.platform)) > 0);
  expect((await refusedAtApproval(fund.withdrawFunds, { ...own, amount: 600_01 })).code).toBe(
    'balanceInsufficient',
  );
  await approved(fund.withdrawFunds, { ...own, amount: 600_00 });
  await freeze(order.id, false);
  expect(await balances(own)).toMatchObject({ deposit: 0n });
});

test('an adjustment corrects up and down, never below the floor', async () => {
  await approved(fund.adjustBalance, { ...merchant, amount: 50_00 });
  await approved(fund.adjustBalance, { ...merchant, amount: -20_00 });
  expect(await balances(merchant)).toMatchObject({ available: 30_00n });
  expect((await refusedAtApproval(fund.adjustBalance, { ...merchant, amount: -30_01 })).code).toBe(
    'balanceInsufficient',
  );
  await approved(fund.adjustBalance, { ...supplier, bucket: 'commission', amount: 7_00 });
  expect(await balances(supplier)).toMatchObject({ commission: 7_00n });
  expect(await refused(fund.adjustBalance, { ...merchant, bucket: 'deposit', amount: 1 })).toBe(
    'invalidInput',
  );
});

test('clearing a balance is a setting, and clears what was asked about', async () => {
  await approved(fund.topUp, { ...merchant, amount: 80_00 });
  const clear = { merchantId: merchant.ownerId };
  expect(await refused(fund.clearBalance, clear)).toBe('forbidden');
  await node.platform.settings.write('CanClearMerchantBalance', true, null);
  const id = await todoOf(fund.clearBalance, clear);
  expect(await todoOf(fund.clearBalance, clear)).toBe(id);
  await approved(fund.topUp, { ...merchant, amount: 5_00 });
  await ask(node.platform, checker, decide, { id, approve: true });
  expect(await balances(merchant)).toMatchObject({ available: 5_00n });
  await approved(fund.clearBalance, clear);
  expect(await refused(fund.clearBalance, clear)).toBe('balanceInsufficient');
  await node.platform.settings.write('CanClearMerchantBalance', false, null);
});

test('a credit limit is the floor of the deposit, and is not drawn in under what is used', async () => {
  const limit = (creditLimit: number) => ({ supplierId: supplier.ownerId, creditLimit });
  expect(await approved(fund.setCreditLimit, limit(500_00))).toMatchObject({
    result: { before: 0, after: 500_00 },
  });
  await approved(fund.adjustBalance, { ...supplier, amount: -1_400_00 });
  expect(await balances(supplier)).toMatchObject({ deposit: -400_00n });
  expect((await refusedAtApproval(fund.setCreditLimit, limit(399_99))).code).toBe('balanceInsufficient');
  expect(await approved(fund.setCreditLimit, limit(400_00))).toMatchObject({
    result: { before: 500_00, after: 400_00 },
  });
});

test('a credit limit is not approved over one that two people have set since', async () => {
  const limit = (creditLimit: number) => ({ supplierId: supplier.ownerId, creditLimit });
  const first = await todoOf(fund.setCreditLimit, limit(900_00));
  await approved(fund.setCreditLimit, limit(100_00));
  expect((await askRefused(node.platform, checker, decide, { id: first, approve: true })).code).toBe(
    'conflict',
  );
  const more = { ...supplier, amount: -1_100_01 };
  expect((await refusedAtApproval(fund.adjustBalance, more)).code).toBe('balanceInsufficient');
});

test('what arrived since is not cleared in the place of what was spent since', async () => {
  await node.platform.settings.write('CanClearMerchantBalance', true, null);
  await approved(fund.topUp, { ...merchant, amount: 80_00 });
  const id = await todoOf(fund.clearBalance, { merchantId: merchant.ownerId });
  node.clock.advance(MINUTE);
  await approved(fund.withdrawFunds, { ...merchant, amount: 50_00 });
  await approved(fund.topUp, { ...merchant, amount: 60_00 });
  expect((await askRefused(node.platform, checker, decide, { id, approve: true })).code).toBe(
    'balanceInsufficient',
  );
  expect(await balances(merchant)).toMatchObject({ available: 90_00n });
  await node.platform.settings.write('CanClearMerchantBalance', false, null);
});

test.each([30, -30])('nor when the clock of the node that was asked is %i s ahead', async (seconds) => {
  await node.platform.settings.write('CanClearMerchantBalance', true, null);
  const asking = node.anotherNode(seconds * SECOND);
  const askedThere = async () => {
    const input = { ...INR, merchantId: merchant.ownerId };
    const { data } = await askRefused(asking, maker, fund.clearBalance, input);
    return { id: (data as { todoId: string }).todoId, approve: true };
  };
  await approved(fund.topUp, { ...merchant, amount: 80_00 });
  const first = await askedThere();
  await approved(fund.withdrawFunds, { ...merchant, amount: 50_00 });
  await approved(fund.topUp, { ...merchant, amount: 60_00 });
  expect((await askRefused(node.platform, checker, decide, first)).code).toBe('balanceInsufficient');
  expect(await balances(merchant)).toMatchObject({ available: 90_00n });
  await ask(node.platform, maker, withdraw, { id: first.id });
  // What had just arrived is cleared.
  const second = await askedThere();
  await approved(fund.topUp, { ...merchant, amount: 5_00 });
  await ask(node.platform, checker, decide, second);
  expect(await balances(merchant)).toMatchObject({ available: 5_00n });
  await node.platform.settings.write('CanClearMerchantBalance', false, null);
});

test('merchants and suppliers ask for their own money only', async () => {
  await approved(fund.topUp, { ...merchant, amount: 60_00 });
  const user = await makeUser(node.platform, { role: 'merchant' });
  const own = viewerOf(node.platform, {
    role: 'merchant',
    userId: user.id,
    merchantId: BigInt(merchant.ownerId),
  });
  await approved(fund.withdrawFunds, { ...merchant, amount: 10_00 }, own);
  expect(await balances(merchant)).toMatchObject({ available: 50_00n });
  expect(await refused(fund.withdrawFunds, { ...supplier, amount: 1_00 }, own)).toBe('notFound');
  const { merchantId } = await makeMerchant(node.platform);
  expect(
    await refused(fund.withdrawFunds, { ...merchant, ownerId: String(merchantId), amount: 1_00 }, own),
  ).toBe('notFound');
});
