import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide, lockForDecision } from '../approvals/decide.ts';
import { readOrder } from '../collection/read.ts';
import { receiveCredits, type RailCredit } from '../evidence/matching/receive-credits.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { proveConfirmed } from '../payout/prove.ts';
import { readPayout } from '../payout/read.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit } from '../testing/debits.ts';
import { createOne, creditSms, makeShop, newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo, todoOf } from '../testing/reversal.ts';
import { waitsForLock } from '../testing/waits-for-lock.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { reverse } from './reverse.ts';

let node: TestPlatform;
let asker: Viewer;
let second: Viewer;
let admin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const person = async (role: 'superAdmin' | 'admin') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  [asker, second, admin] = [await person('superAdmin'), await person('superAdmin'), await person('admin')];
});
afterAll(() => node.close());

async function paidOrder(): Promise<bigint> {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { amount: 300_00n });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  return order.id;
}

async function provenPayout(): Promise<bigint> {
  const { platform } = node;
  const shop = await makeBatchShop(platform);
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  const utr = newReference();
  const { id } = await payOut(platform, shop.merchantId, { amount: 310_00n });
  await claim(platform, supplier, id);
  await confirmPaid(platform, supplier, { orderId: id, utr });
  await reportDebit(platform, shop, { amount: 310_00n, utr });
  await proveConfirmed(platform);
  expect(await readPayout(platform.db, id)).toMatchObject({ status: 3, unproven: false });
  return id;
}

const orderOf = (id: bigint) => readOrder(node.platform.db, id);
const payoutOf = (id: bigint) => readPayout(node.platform.db, id);

test.each([
  ['a paid order', paidOrder, orderOf],
  ['a proven payout', provenPayout, payoutOf],
] as const)(
  'a superAdmin’s reversal of %s waits for a second person, and the asker cannot decide it',
  async (_name, make, read) => {
    const { platform } = node;
    const orderId = await make();
    const before = await read(orderId);
    const asked = await reverse(platform, asker, { orderId, reason: 'sent back' });
    expect(asked).toMatchObject({ code: 'approvalNeeded' });
    const id = todoOf(asked);
    expect(await read(orderId)).toEqual(before);
    const approve = (viewer: Viewer) => decide(platform, APPROVAL_HANDLERS, viewer, { id, approve: true });
    expect(await approve(asker)).toMatchObject({ code: 'forbidden' });
    expect(await approve(admin)).toMatchObject({ code: 'forbidden' });
    expect(await read(orderId)).toMatchObject({ reversedAt: null });
    expect(await approve(second)).toMatchObject({ status: 'approved' });
    expect(await read(orderId)).toMatchObject({ status: 6, reversedAt: node.clock.now() });
    expect(await brokenChecks(platform)).toEqual([]);
  },
);

/** An order that the desk called paid by a UTR, the request to reverse it, and the report of its message. */
async function doubted() {
  const { platform } = node;
  await platform.db.query(sql`update resources set state = 1`);
  const shop = await makeShop(platform);
  const { id: orderId, payable } = await createOne(platform, shop.merchantId, { amount: 320_00n });
  const utr = newReference();
  expect(await supplement(platform, asker, { orderId, utr, offset: false })).toMatchObject({ status: 6 });
  const id = todoOf(await reverse(platform, asker, { orderId, reason: 'no money came' }));
  const told = creditSms(platform, shop, payable!, { reference: utr });
  const { accountId, supplierId, accountNumber } = shop;
  /** A rail's own report of the same payment, without a balance. */
  const ofRail: RailCredit = {
    key: `rail/${utr}`,
    kind: 'web',
    account: {
      id: accountId,
      supplierId,
      bank: 'A gateway',
      currency: 'INR',
      accountNumber,
      monitorId: shop.monitor.id,
    },
    sender: 'GATEWAY',
    text: utr,
    amount: payable!,
    balance: null,
    reference: utr,
    payer: null,
    at: node.clock.now(),
    isExact: false,
  };
  return {
    orderId,
    id,
    report: () => receiveMessages(platform, shop.monitor, [told]),
    reportOfRail: () => receiveCredits(platform, [ofRail]),
  };
}

test('two people who agreed to reverse an order that nothing proved do not reverse it once its message has come', async () => {
  const { platform } = node;
  const { orderId, id, report } = await doubted();
  expect(await report()).toMatchObject([{ state: 'matched', orderId }]);
  const decided = (approve: boolean) => decide(platform, APPROVAL_HANDLERS, second, { id, approve });
  expect(await decided(true)).toMatchObject({ code: 'conflict', data: { reason: 'orderChanged' } });
  expect(await orderOf(orderId)).toMatchObject({ reversedAt: null });
  await decided(false);
  expect(await reverseByTwo(platform, { orderId })).toMatchObject({ status: 6 });
});

test.each(['report', 'reportOfRail'] as const)(
  'the %s of an order that is being reversed is not joined to it',
  async (how) => {
    const { platform } = node;
    const { orderId, id, [how]: report } = await doubted();
    const { told } = await node.holding(async (tx) => {
      const approval = await lockForDecision(platform, tx, second, { id, approve: true });
      if (isRefusal(approval)) throw new Error(approval.code);
      await APPROVAL_HANDLERS.reversal.execute(platform, tx, approval, second);
      const reporting = { told: report() };
      await Promise.race([reporting.told, waitsForLock(platform)]);
      return reporting;
    });
    expect(await orderOf(orderId)).toMatchObject({ reversedAt: node.clock.now() });
    expect(await told).toMatchObject([{ state: 'unmatched', orderId: null }]);
  },
);
