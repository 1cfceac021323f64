import {
  callback,
  getList,
  getOrderStatusList,
  reselect,
  updateOrderMark,
} from '@sangam/contract/endpoints/order.ts';
import {
  cancelPayout,
  getPayoutDetail,
  getPayoutList,
  getPayoutStatusSummary,
  reject,
  unlockOrder,
} from '@sangam/contract/endpoints/payout.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliver } from '../callbacks/record.ts';
import type { Sender } from '../callbacks/send.ts';
import { claimCallbacks } from '../callbacks/store.ts';
import { MINUTE } from '../platform/clock.ts';
import { recordOutcome } from '../orders/callback-outcome.ts';
import { sql } from '../platform/db/database.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { post } from '../testing/call.ts';
import { createOne, makeShop, newReference, type Shop } from '../testing/payments.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestSupplier, signedIn } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { setKyc, setTerms, viewerOf } from '../testing/world.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { claim, CLAIM_LEASE } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { expireClaims } from './expire-claims.ts';
import { proveConfirmed } from './prove.ts';

let world: TestPlatform;
let shop: PayoutShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const as = {
  first: () => viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId }),
  second: () => viewerOf(world.platform, { role: 'supplier', supplierId: shop.otherSupplierId }),
  agent: () => viewerOf(world.platform, { role: 'supplier', supplierId: shop.agentId }),
  merchant: () => viewerOf(world.platform, { role: 'merchant', merchantId: shop.merchantId }),
  desk: () => viewerOf(world.platform, { role: 'customerService' }),
  admin: () => viewerOf(world.platform, { role: 'admin' }),
};

async function rowFor(who: keyof typeof as, id: bigint, query: object = {}) {
  const { list } = await ask(world.platform, as[who](), getPayoutList, { orderCode: String(id), ...query });
  return list[0];
}

test('a waiting payout is seen by all who may claim it, masked; whole by the claimer and staff alone', async () => {
  const { id } = await payOut(world.platform, shop.merchantId);
  const masked = { userName: 'A*** R***', cardNumber: '**** 6789' };
  const whole = { userName: 'Asha Rao', cardNumber: '50100123456789', ifscCode: 'HDFC0000521' };
  expect(await rowFor('first', id)).toMatchObject({ ...masked, actions: ['claim'] });
  expect(await rowFor('second', id)).toMatchObject({ ...masked, actions: ['claim'] });
  expect(await rowFor('agent', id)).toBeUndefined();
  expect(await rowFor('merchant', id)).toMatchObject({ ...masked, actions: ['cancel'] });
  expect(await rowFor('desk', id)).toMatchObject({ ...whole, actions: ['reject', 'updateMark'] });
  expect(await rowFor('admin', id)).toMatchObject({ ...whole, actions: ['reject', 'cancel', 'updateMark'] });

  await claim(world.platform, as.first(), id);
  const mine = await rowFor('first', id);
  expect(mine).toMatchObject({ ...whole, claim: 'mine', actions: ['cancelClaim', 'confirmPaid', 'reject'] });
  expect(mine).not.toHaveProperty('merchantId');
  expect(await rowFor('second', id)).toBeUndefined();
  expect(await rowFor('agent', id, { scope: 'team' })).toMatchObject({ ...masked, actions: [] });
  const merchants = await rowFor('merchant', id);
  expect(merchants).toMatchObject({ ...masked, claim: 'none', claimTime: null, fee: 15_00, actions: [] });
  expect(merchants).not.toHaveProperty('supplierId');

  await confirmPaid(world.platform, as.first(), { orderId: id, utr: newReference() });
  expect(await rowFor('first', id)).toMatchObject({ ...masked, orderStatusId: 3, unproven: true });
});

test('a supplier sees beforehand what it earns on a payout, and earns that; nobody else sees it', async () => {
  const { id } = await payOut(world.platform, shop.merchantId);
  const waiting = await rowFor('first', id);
  expect(waiting!.expectedCommission).toBeGreaterThan(0);
  expect(waiting).toMatchObject({ supplierCommission: null });
  for (const who of ['desk', 'merchant'] as const)
    expect(await rowFor(who, id)).not.toHaveProperty('expectedCommission');
  await claim(world.platform, as.first(), id);
  expect((await rowFor('first', id))!.expectedCommission).toBe(waiting!.expectedCommission);
  await confirmPaid(world.platform, as.first(), { orderId: id, utr: newReference() });
  const paid = await rowFor('first', id);
  expect(paid).not.toHaveProperty('expectedCommission');
  expect(paid!.supplierCommission).toBe(waiting!.expectedCommission);
});

test('the family path lists payouts with orderType 1, and statuses by name', async () => {
  const { id } = await payOut(world.platform, shop.merchantId);
  const listed = await ask(world.platform, as.desk(), getList, { orderType: 1, orderCode: String(id) });
  expect(listed.list).toMatchObject([{ orderCode: String(id), cardNumber: '50100123456789' }]);
  const collection = await ask(world.platform, as.desk(), getList, { orderCode: String(id) });
  expect(collection.list).toEqual([]);
  const names = await ask(world.platform, as.desk(), getOrderStatusList, { orderType: '1' });
  expect(names.list.map(({ name }) => name)).toContain('To be confirmed');
  const { list } = await ask(world.platform, as.desk(), getPayoutStatusSummary, { orderCode: String(id) });
  expect(list).toEqual([{ orderStatusId: 0, currency: 'INR', count: 1, amount: 500_00 }]);
});

test('the detail tells the story to each as far as it is theirs', async () => {
  const { id } = await payOut(world.platform, shop.merchantId);
  await claim(world.platform, as.first(), id);
  await confirmPaid(world.platform, as.first(), { orderId: id, utr: newReference() });
  const detail = (who: keyof typeof as) =>
    ask(world.platform, as[who](), getPayoutDetail, { orderCode: String(id) });
  const staff = await detail('desk');
  expect(staff.events.map(({ kind }) => kind)).toEqual(['created', 'claimed', 'completed']);
  expect(new Set(staff.entries.map(({ postingKind }) => postingKind))).toEqual(
    new Set(['payoutCreated', 'payoutCompleted']),
  );
  expect(staff.callbacks).toMatchObject([{ kind: 'payout', state: 'pending' }]);
  const supplier = await detail('first');
  expect(supplier.callbacks).toEqual([]);
  expect(supplier.entries.map(({ bucket }) => bucket).toSorted()).toEqual(['commission', 'deposit']);
  expect((await detail('merchant')).entries).toHaveLength(3);
  expect(
    await askRefused(world.platform, as.second(), getPayoutDetail, { orderCode: String(id) }),
  ).toMatchObject({ code: 'notFound' });
});

test('shared paths find out which direction an order code has', async () => {
  const { platform } = world;
  const payout = await payOut(platform, shop.merchantId);
  const collectionShop = await makeShop(platform);
  const collection = await createOne(platform, collectionShop.merchantId);
  const input = (id: bigint) => ({ orderCode: String(id) });
  expect(await askRefused(platform, as.admin(), callback, input(payout.id))).toMatchObject({
    code: 'actionNotAllowed',
  });
  expect(await askRefused(platform, as.admin(), callback, input(1n))).toMatchObject({ code: 'notFound' });
  expect(
    await askRefused(platform, as.admin(), reject, { ...input(collection.id), rejectReason: 'x' }),
  ).toMatchObject({ code: 'notFound' });
  const rejected = await ask(platform, as.admin(), reject, { ...input(payout.id), rejectReason: 'Closed' });
  expect(rejected).toMatchObject({ orderStatusId: 6 });
  expect(await ask(platform, as.merchant(), callback, input(payout.id))).toMatchObject({ orderStatusId: 6 });
  expect(await ask(platform, as.admin(), reselect, input(collection.id))).toMatchObject({ orderStatusId: 5 });
  const other = await payOut(platform, shop.merchantId);
  expect(await ask(platform, as.merchant(), cancelPayout, input(other.id))).toMatchObject({
    orderStatusId: 4,
  });
});

test('a payout is marked by the desk, also while it is held, and found by both', async () => {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId);
  await platform.db.query(sql`update payout_orders set locked_by = 'batch/1' where id = ${id}`);
  await ask(platform, as.desk(), updateOrderMark, { id: String(id), orderMark: 1, reason: 'Name differs' });
  expect(await rowFor('desk', id, { orderMark: '1', processState: '1' })).toMatchObject({ orderMark: 1 });
  expect(await rowFor('desk', id, { processState: '0' })).toBeUndefined();
  const { events } = await ask(platform, as.desk(), getPayoutDetail, { orderCode: String(id) });
  expect(events.at(-1)).toMatchObject({ kind: 'marked', reason: 'Name differs', fromStatus: 0, toStatus: 0 });
});

test('unlock answers order by order', async () => {
  const { platform } = world;
  const [locked, free] = [await payOut(platform, shop.merchantId), await payOut(platform, shop.merchantId)];
  await platform.db.query(sql`update payout_orders set locked_by = 'batch/1' where id = ${locked.id}`);
  const { list } = await ask(platform, as.desk(), unlockOrder, {
    orderCodes: [locked.id, free.id, 1n].map(String),
  });
  expect(list.map(({ code }) => code)).toEqual([200, 1201, 404]);
  expect(await rowFor('desk', locked.id)).toMatchObject({ locked: false });
});

test('a claim that runs out waits to be confirmed: no other supplier may pay what may be paid already', async () => {
  const { id } = await payOut(world.platform, shop.merchantId);
  await claim(world.platform, as.first(), id);
  world.clock.advance(CLAIM_LEASE - MINUTE);
  await expireClaims(world.platform);
  expect(await rowFor('first', id)).toMatchObject({ claim: 'mine' });
  world.clock.advance(MINUTE);
  expect(await expireClaims(world.platform)).toBeGreaterThan(0);
  expect(await rowFor('desk', id)).toMatchObject({ orderStatusId: 7 });
  expect(await claim(world.platform, as.second(), id)).toMatchObject({ code: 'claimedByAnother' });
  expect(await confirmPaid(world.platform, as.first(), { orderId: id, utr: newReference() })).toMatchObject({
    status: 3,
  });
});

test('a supplier claims within its own terms: product, limits, KYC', async () => {
  const { platform } = world;
  const upi = await payOut(platform, shop.merchantId, {
    productId: 2060,
    payee: { phone: '0712345678' },
  }).catch(() => undefined);
  expect(upi).toBeUndefined();
  const { id } = await payOut(platform, shop.merchantId, { amount: 5_000_00n });
  const own = { ownerKind: 'supplier', ownerId: shop.otherSupplierId, productId: 2001 } as const;
  await setTerms(platform, { ...own, maxAmount: 1_000_00n });
  expect(await claim(platform, as.second(), id)).toMatchObject({ code: 'amountOutsideLimits' });
  await setTerms(platform, { ...own, enabled: false });
  expect(await claim(platform, as.second(), id)).toMatchObject({ code: 'notFound' });
  await setTerms(platform, own);
  await setKyc(platform, { subject: 'supplier', id: shop.otherSupplierId, verdict: 'rejected' });
  expect(await claim(platform, as.second(), id)).toMatchObject({ data: { reason: 'kycMissing' } });
  await setKyc(platform, { subject: 'supplier', id: shop.otherSupplierId });
  expect(await claim(platform, as.second(), id)).toMatchObject({ status: 1 });
});

/** The HDFC alert of a transfer out of the shop's account. */
function debitSms(from: Shop, amount: string, utr: string) {
  return {
    messageId: `debit-${utr}`,
    kind: 'sms' as const,
    sender: 'VM-HDFCBK-S',
    text: `Sent Rs.${amount}\nFrom HDFC Bank A/C *${from.accountNumber.slice(-4)}\nTo Asha Rao\nOn 16/11/26\nRef ${utr}`,
    receivedAt: world.clock.now(),
    accountHint: undefined,
  };
}

test('a debit message with the UTR proves a payout, whichever of the two comes first', async () => {
  const { platform } = world;
  const bank = await makeShop(platform);
  await setTerms(platform, { ownerKind: 'supplier', ownerId: bank.supplierId, productId: 2001 });
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: bank.supplierId });
  const claimed = async () => {
    const { id } = await payOut(platform, shop.merchantId);
    await claim(platform, supplier, id);
    return id;
  };
  const [before, after, other] = [await claimed(), await claimed(), await claimed()];
  const [utrA, utrB, utrC] = [newReference(), newReference(), newReference()];

  await receiveMessages(platform, bank.monitor, [debitSms(bank, '500.00', utrA)]);
  expect(await confirmPaid(platform, supplier, { orderId: before, utr: utrA })).toMatchObject({
    unproven: false,
  });

  expect(await confirmPaid(platform, supplier, { orderId: after, utr: utrB })).toMatchObject({
    unproven: true,
  });
  await confirmPaid(platform, supplier, { orderId: other, utr: utrC });
  await receiveMessages(platform, bank.monitor, [
    debitSms(bank, '500.00', utrB),
    debitSms(bank, '499.00', utrC),
  ]);
  expect(await proveConfirmed(platform)).toBe(1);
  expect(await rowFor('desk', after)).toMatchObject({ unproven: false });
  expect(await rowFor('desk', other)).toMatchObject({ unproven: true });
  const { messages } = await ask(platform, as.desk(), getPayoutDetail, { orderCode: String(after) });
  expect(messages).toMatchObject([{ utr: utrB, state: 'matched', amount: 500_00 }]);
});

test('the claim calls take the order from the query, as the family sends it', async () => {
  const { platform } = world;
  const app = await world.app();
  const { id: supplierId, user } = await createTestSupplier(platform);
  await setTerms(platform, { ownerKind: 'supplier', ownerId: supplierId, productId: 2001 });
  await setKyc(platform, { subject: 'supplier', id: supplierId });
  const headers = await signedIn(platform, user);
  const { id } = await payOut(platform, shop.merchantId);
  const claimed = await post(app, `/v1.0/payoutOrderClaim/claimOrder?orderId=${id}`, {}, headers);
  expect(claimed).toMatchObject({ code: 200, data: { orderCode: String(id), orderStatusId: 1 } });
  const given = await post(app, `/v1.0/payoutOrderClaim/cancelClaim`, { orderId: String(id) }, headers);
  expect(given).toMatchObject({ code: 200, data: { orderStatusId: 0 } });
  // Only these calls read the query of a POST, as their contract says.
  const reason = await post(app, `/v1.0/order/reject?orderCode=${id}&rejectReason=x`, {}, headers);
  expect(reason.code).toBe(400);
});

test("what became of its callback stands in a payout's history; its status stays", async () => {
  const { platform } = world;
  await platform.db.query(sql`
    with gone as (delete from callback_queue returning callback_id) delete from callbacks where id in (select * from gone)`);
  const { id } = await payOut(platform, shop.merchantId);
  await ask(platform, as.admin(), reject, { orderCode: String(id), rejectReason: 'Closed' });
  let acknowledged = false;
  const sender: Sender = {
    send: () =>
      Promise.resolve({
        httpMethod: 'POST',
        request: '{}',
        signed: 'sign=ABC',
        status: 200,
        answer: acknowledged ? 'success' : 'busy',
        error: null,
        durationMs: 1,
        acknowledged,
      }),
    close: () => Promise.resolve(),
  };
  const sendDue = async () => {
    const limits = { total: 8, perMerchant: 8, leaseMs: 1 };
    const due = await claimCallbacks(platform, limits);
    for (const one of due) await deliver(platform, sender, one, recordOutcome);
  };
  await sendDue();
  world.clock.advance(MINUTE);
  acknowledged = true;
  await sendDue();
  const { order, events, callbacks } = await ask(platform, as.admin(), getPayoutDetail, {
    orderCode: String(id),
  });
  expect(order.orderStatusId).toBe(6);
  expect(events.at(-1)).toMatchObject({ kind: 'callbackSucceeded', fromStatus: 6, toStatus: 6 });
  expect(callbacks).toMatchObject([{ kind: 'payout', state: 'succeeded', attempts: 2 }]);
});
