import * as fund from '@sangam/contract/endpoints/fund.ts';
import { setLegalHold } from '@sangam/contract/endpoints/merchant.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readOrder } from '../collection/read.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { heartbeat } from '../evidence/monitors/heartbeat.ts';
import { post } from '../ledger/post.ts';
import { acceptProof } from '../payout/accept-proof.ts';
import { lockForAction } from '../payout/actions.ts';
import { claim } from '../payout/claim.ts';
import { CONFIRM_PAID, confirmPaid } from '../payout/confirm-paid.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { createOne, creditSms, makeShop, newReference } from '../testing/payments.ts';
import { giveFunds, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitsForLock } from '../testing/waits-for-lock.ts';
import { makeUser, viewerOf } from '../testing/world.ts';

let node: TestPlatform;
let shop: PayoutShop;
let maker: Viewer;
let checker: Viewer;
let superAdmin: Viewer;

beforeAll(async () => {
  node = await createTestPlatform();
  const staff = async (role: 'admin' | 'superAdmin') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  [maker, checker, superAdmin] = [await staff('admin'), await staff('admin'), await staff('superAdmin')];
});
beforeEach(async () => {
  shop = await makePayoutShop(node.platform);
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

const merchant = () => ({ ownerKind: 'merchant', ownerId: String(shop.merchantId) });
const supplier = () => ({ ownerKind: 'supplier', ownerId: String(shop.supplierId) });
const deposit = () => balancesIn(node.platform, 'supplier', shop.supplierId);

async function todoOf(endpoint: Endpoint, query: object): Promise<string> {
  const refusal = await askRefused(node.platform, maker, endpoint, {
    currency: 'INR',
    reason: 'as agreed',
    ...query,
  });
  expect(refusal.code).toBe('approvalNeeded');
  return (refusal.data as { todoId: string }).todoId;
}
const approve = (id: string) => ask(node.platform, checker, decide, { id, approve: true });
const refusedApproval = (id: string) => askRefused(node.platform, checker, decide, { id, approve: true });
const hold = (subjectKind: 'merchant' | 'supplier', subjectId: bigint) =>
  ask(node.platform, superAdmin, setLegalHold, {
    subjectKind,
    subjectId: String(subjectId),
    legalHold: true,
    reason: 'court order 7',
  });

/** The supplier claims a payout of 500 and says that it has paid it. There is no message of the bank. */
async function stateUnproven(): Promise<void> {
  const order = await payOut(node.platform, shop.merchantId);
  const own = viewerOf(node.platform, { role: 'supplier', supplierId: shop.supplierId });
  expect(isRefusal(await claim(node.platform, own, order.id))).toBe(false);
  const paid = await confirmPaid(node.platform, own, { orderId: order.id, utr: newReference() });
  expect(paid).toMatchObject({ status: 3, unproven: true });
}

async function owe(amount: bigint, ownerId = shop.supplierId): Promise<void> {
  await node.platform.db.tx((tx) =>
    post(node.platform, tx, [
      {
        key: `owed/${ownerId}`,
        kind: 'test',
        orderId: null,
        currency: 'INR',
        legs: [
          {
            ownerKind: 'supplier',
            ownerId,
            bucket: 'deposit',
            amount: -amount,
            spillsToDebt: true,
          },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount },
        ],
      },
    ]),
  );
}

test.each(['merchant', 'supplier'] as const)(
  'a legal hold of a %s that came after the request stops its withdrawal',
  async (kind) => {
    const owner = kind === 'merchant' ? merchant() : supplier();
    if (kind === 'supplier') await approve(await todoOf(fund.topUp, { ...owner, amount: 500_00 }));
    const id = await todoOf(fund.withdrawFunds, { ...owner, amount: 100_00 });
    await hold(kind, BigInt(owner.ownerId));
    expect(await refusedApproval(id)).toMatchObject({ code: 'conflict', data: { reason: 'frozen' } });
  },
);

test('a held merchant’s balance is neither cleared nor adjusted down', async () => {
  await node.platform.settings.write('CanClearMerchantBalance', true, null);
  const clear = await todoOf(fund.clearBalance, { merchantId: String(shop.merchantId) });
  const adjust = await todoOf(fund.adjustBalance, { ...merchant(), amount: -1_00 });
  const credit = await todoOf(fund.topUp, { ...merchant(), amount: 1_00 });
  await hold('merchant', shop.merchantId);
  expect((await refusedApproval(clear)).code).toBe('conflict');
  expect((await refusedApproval(adjust)).code).toBe('conflict');
  await approve(credit);
  expect(await balancesIn(node.platform, 'merchant', shop.merchantId)).toMatchObject({
    available: 1_000_001_00n,
  });
});

test('what a supplier only says it has paid is not withdrawn', async () => {
  await stateUnproven();
  await approve(await todoOf(fund.topUp, { ...supplier(), amount: 200_00 }));
  expect(await deposit()).toMatchObject({ deposit: 700_00n });
  const all = await todoOf(fund.withdrawFunds, { ...supplier(), amount: 200_01 });
  expect((await refusedApproval(all)).code).toBe('balanceInsufficient');
  await approve(await todoOf(fund.withdrawFunds, { ...supplier(), amount: 200_00 }));
  expect(await deposit()).toMatchObject({ deposit: 500_00n });
});

test('what an agent earned by what its supplier only says it has paid is not withdrawn', async () => {
  await stateUnproven();
  const { agentId } = shop;
  const earned = (await balancesIn(node.platform, 'supplier', agentId))['commission']!;
  expect(earned).toBeGreaterThan(0n);
  const commission = { ownerKind: 'supplier', ownerId: String(agentId), bucket: 'commission' };
  const all = await todoOf(fund.withdrawFunds, { ...commission, amount: Number(earned) });
  expect((await refusedApproval(all)).code).toBe('balanceInsufficient');
  const [unproven] = await node.platform.db.query<{ id: bigint }>(sql`
    select id from payout_orders where unproven and supplier_id = ${shop.supplierId}`);
  const proof = { orderId: unproven!.id, reason: 'seen' };
  expect(isRefusal(await acceptProof(node.platform, superAdmin, proof))).toBe(false);
  await approve(all);
});

test('what a supplier says it has paid while its withdrawal is decided is not withdrawn either', async () => {
  const { platform } = node;
  await approve(await todoOf(fund.topUp, { ...supplier(), amount: 500_00 }));
  const id = await todoOf(fund.withdrawFunds, { ...supplier(), amount: 500_00 });
  // The deposit is taken away meanwhile: only the unproven credit could pay for the withdrawal.
  await approve(await todoOf(fund.adjustBalance, { ...supplier(), amount: -500_00 }));
  const { id: orderId } = await payOut(platform, shop.merchantId);
  const own = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  await claim(platform, own, orderId);
  const { decided } = await node.holding(async (tx) => {
    const order = await lockForAction(tx, own, orderId, 'confirmPaid');
    if (isRefusal(order)) throw new Error(order.code);
    await CONFIRM_PAID.take(platform, tx, own, order, { action: 'confirmPaid', utr: newReference() });
    const deciding = { decided: refusedApproval(id) };
    await waitsForLock(platform);
    return deciding;
  });
  expect((await decided).code).toBe('balanceInsufficient');
  expect(await deposit()).toMatchObject({ deposit: 500_00n });
});

test('an open debt is taken off what may be withdrawn', async () => {
  const commission = { ...supplier(), bucket: 'commission' };
  await approve(await todoOf(fund.adjustBalance, { ...commission, amount: 50_00 }));
  await owe(30_00n);
  expect(await deposit()).toMatchObject({ commission: 50_00n, debt: -30_00n });
  const all = await todoOf(fund.withdrawFunds, { ...commission, amount: 20_01 });
  expect((await refusedApproval(all)).code).toBe('balanceInsufficient');
  await approve(await todoOf(fund.withdrawFunds, { ...commission, amount: 20_00 }));
});

test('a debt that a supplier repaid by what it only says it has paid is still taken off its commission', async () => {
  const commission = { ...supplier(), bucket: 'commission' };
  await approve(await todoOf(fund.adjustBalance, { ...commission, amount: 300_00 }));
  await owe(500_00n);
  await stateUnproven();
  expect((await deposit())['debt'] ?? 0n).toBe(0n);
  const all = await todoOf(fund.withdrawFunds, { ...commission, amount: 300_00 });
  expect((await refusedApproval(all)).code).toBe('balanceInsufficient');
});

test('a debt that an agent repaid by what its supplier only says it has paid is taken off its deposit', async () => {
  const { agentId } = shop;
  const agent = { ownerKind: 'supplier', ownerId: String(agentId) };
  await owe(100_00n, agentId);
  await stateUnproven();
  await approve(await todoOf(fund.topUp, { ...agent, amount: 100_00 }));
  const { deposit: repaid, debt } = await balancesIn(node.platform, 'supplier', agentId);
  expect(repaid! > 0n && debt === 0n).toBe(true);
  const all = await todoOf(fund.withdrawFunds, { ...agent, amount: Number(repaid) });
  expect((await refusedApproval(all)).code).toBe('balanceInsufficient');
});

test('a commission is not withdrawn while the deposit stands in its credit limit', async () => {
  const commission = { ...supplier(), bucket: 'commission' };
  await approve(await todoOf(fund.adjustBalance, { ...commission, amount: 300_00 }));
  await approve(
    await todoOf(fund.setCreditLimit, { supplierId: String(shop.supplierId), creditLimit: 200_00 }),
  );
  await approve(await todoOf(fund.adjustBalance, { ...supplier(), amount: -200_00 }));
  expect(await deposit()).toMatchObject({ deposit: -200_00n, commission: 300_00n });
  const tooMuch = await todoOf(fund.withdrawFunds, { ...commission, amount: 100_01 });
  expect((await refusedApproval(tooMuch)).code).toBe('balanceInsufficient');
  await approve(await todoOf(fund.withdrawFunds, { ...commission, amount: 100_00 }));
});

test('a commission repays an open debt first', async () => {
  await owe(505_00n);
  const before = await deposit();
  expect(before).toMatchObject({ debt: -505_00n });
  await stateUnproven();
  const after = await deposit();
  // The payout's 500 and its commission both repaid the debt.
  expect(after['commission'] ?? 0n).toBe(0n);
  expect(after['debt']!).toBeGreaterThan(-5_00n);
});

test('so does the commission of an order that a message paid', async () => {
  const { platform } = node;
  const own = await makeShop(platform);
  const owed = { ownerKind: 'supplier', ownerId: own.supplierId, bucket: 'debt', amount: -500_00n } as const;
  const legs = [owed, { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount: 500_00n } as const];
  await platform.db.tx((tx) =>
    post(platform, tx, [
      { key: `owed/${own.supplierId}`, kind: 'test', orderId: null, currency: 'INR', legs },
    ]),
  );
  const order = await createOne(platform, own.merchantId);
  await heartbeat(platform, own.monitor, { scriptVersion: '1' });
  const [told] = await receiveMessages(platform, own.monitor, [creditSms(platform, own, order.payable!)]);
  expect(told).toMatchObject({ state: 'matched' });
  const { supplierCommission } = (await readOrder(platform.db, order.id))!;
  expect(supplierCommission).toBeGreaterThan(0n);
  const after = await balancesIn(platform, 'supplier', own.supplierId);
  expect(after).toMatchObject({ debt: supplierCommission! - 500_00n });
  expect(after['commission'] ?? 0n).toBe(0n);
});

test('a request to clear a balance in KES is not the one that waits in INR', async () => {
  await node.platform.settings.write('CanClearMerchantBalance', true, null);
  await giveFunds(node.platform, shop.merchantId, 'KES', 70_00n);
  const clear = { merchantId: String(shop.merchantId) };
  const inr = await todoOf(fund.clearBalance, clear);
  const kes = await todoOf(fund.clearBalance, { ...clear, currency: 'KES' });
  expect(kes).not.toBe(inr);
  expect(await todoOf(fund.clearBalance, { ...clear, currency: 'KES' })).toBe(kes);
  await approve(kes);
  await approve(inr);
});
