import { reverse as reverseEndpoint } from '@sangam/contract/endpoints/order.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckAnswer, PayoutChannel } from '../channels/payout-channel.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { post } from '../ledger/post.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { makeUser, setTerms, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { askAboutEnded, askGateways } from './ask-gateways.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { takenBackByGateway } from './reverse.ts';
import { readPayouts } from './store.ts';

let node: TestPlatform;
let shop: PayoutShop;
let superAdmin: Viewer;
let admin: Viewer;
let supplier: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  shop = await makePayoutShop(node.platform);
  await setTerms(node.platform, { ownerKind: 'agent', ownerId: shop.agentId, productId: 2001 });
  const staff = async (role: 'superAdmin' | 'admin') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  [superAdmin, admin] = [await staff('superAdmin'), await staff('admin')];
  supplier = viewerOf(node.platform, { role: 'supplier', supplierId: shop.supplierId });
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

async function paidOut(utr = newReference()) {
  const { id } = await payOut(node.platform, shop.merchantId);
  await claim(node.platform, supplier, id);
  await confirmPaid(node.platform, supplier, { orderId: id, utr });
  return id;
}
const read = async (id: bigint) => (await readPayouts(node.platform.db, [id]))[0]!;
const money = async () => ({
  merchant: await balancesIn(node.platform, 'merchant', shop.merchantId),
  supplier: await balancesIn(node.platform, 'supplier', shop.supplierId),
  agent: await balancesIn(node.platform, 'supplier', shop.agentId),
});
const nonZero = (buckets: Record<string, bigint>) =>
  Object.fromEntries(Object.entries(buckets).filter(([, balance]) => balance !== 0n));

test('a reversal gives the merchant all back, takes from supplier and agent, frees the UTR and tells the merchant', async () => {
  const before = await money();
  const utr = newReference();
  const id = await paidOut(utr);
  await reverseByTwo(node.platform, { orderId: id, reason: 'sent back by the bank' });
  expect(await read(id)).toMatchObject({
    status: 6,
    reversedAt: node.clock.now(),
    utr,
    unproven: false,
    rejectReason: 'sent back by the bank',
  });
  const after = await money();
  expect(nonZero(after.merchant)).toEqual(nonZero(before.merchant));
  expect(nonZero(after.supplier)).toEqual(nonZero(before.supplier));
  expect(nonZero(after.agent)).toEqual(nonZero(before.agent));
  const told = await node.platform.db.query<{ fields: object }>(sql`
    select fields from callbacks where order_id = ${id} order by id desc limit 1`);
  expect(told[0]!.fields).toMatchObject({ status: '2', rejectReason: 'sent back by the bank' });
  const [mirror] = await node.platform.db.query(sql`
    select p.kind, o.key as undone from postings p join postings o on o.id = p.reverses where p.order_id = ${id}`);
  expect(mirror).toEqual({ kind: 'reversal', undone: `payout/${id}/payoutCompleted` });
  // Another payout may use the UTR.
  expect(await read(await paidOut(utr))).toMatchObject({ status: 3, utr });
});

test('the part that the supplier has spent meanwhile becomes its debt', async () => {
  const other = await makePayoutShop(node.platform);
  const viewer = viewerOf(node.platform, { role: 'supplier', supplierId: other.supplierId });
  const { id } = await payOut(node.platform, other.merchantId, { amount: 500_00n });
  await claim(node.platform, viewer, id);
  await confirmPaid(node.platform, viewer, { orderId: id, utr: newReference() });
  await node.platform.db.tx((tx) =>
    post(node.platform, tx, [
      {
        key: `spent/${id}`,
        kind: 'withdrawal',
        orderId: null,
        currency: 'INR',
        legs: [
          { ownerKind: 'supplier', ownerId: other.supplierId, bucket: 'deposit', amount: -500_00n },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount: 500_00n },
        ],
      },
    ]),
  );
  await reverseByTwo(node.platform, { orderId: id });
  expect(await balancesIn(node.platform, 'supplier', other.supplierId)).toMatchObject({
    deposit: 0n,
    debt: -500_00n,
  });
});

test('an admin asks, superAdmins decide, and on three nodes at once it is done once', async () => {
  const id = await paidOut();
  const refusal = await askRefused(node.platform, admin, reverseEndpoint, {
    orderCode: String(id),
    reason: 'wrong payee',
  });
  expect(refusal.code).toBe('approvalNeeded');
  expect(await read(id)).toMatchObject({ status: 3 });
  const { todoId } = refusal.data as { todoId: string };
  const others = [node.platform, node.anotherNode(), node.anotherNode()];
  const results = await Promise.all([
    ...others.map((each) => reverseByTwo(each, { orderId: id, reason: 'wrong payee' })),
    ask(node.platform, superAdmin, decide, { id: todoId, approve: true }).catch(() => undefined),
  ]);
  expect(results.filter((result) => result && 'status' in result)).toHaveLength(1);
  expect(await read(id)).toMatchObject({ status: 6 });
  const [{ count }] = (await node.platform.db.query<{ count: bigint }>(sql`
    select count(*) from postings where order_id = ${id} and kind = 'reversal'`)) as [{ count: bigint }];
  expect(count).toBe(1n);
});

test('a payout of months ago is reversed all the same', async () => {
  const id = await paidOut();
  await reverseByTwo(node.anotherNode(70 * DAY), { orderId: id });
  expect(await read(id)).toMatchObject({ status: 6 });
});

test('a gateway takes a completed payout back days later: reversed by the system, once', async () => {
  let word: CheckAnswer = { state: 'processed', utr: null };
  const channel: PayoutChannel = {
    send: () => Promise.resolve({ outcome: 'accepted', reference: 'pout_1' }),
    check: () => Promise.resolve(word),
  };
  const channels = new Map([[GATEWAY_PAYOUT, channel]]);
  const { id } = await payOut(node.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await dispatchWaiting(node.platform, channels);
  node.clock.advance(HOUR);
  await askGateways(node.platform, channels);
  expect(await read(id)).toMatchObject({ status: 3 });
  node.clock.advance(2 * DAY);
  await askAboutEnded(node.platform, channels);
  expect(await read(id)).toMatchObject({ status: 3 });
  word = { state: 'failed', reason: 'beneficiary account closed' };
  node.clock.advance(DAY);
  await askAboutEnded(node.platform, channels);
  expect(await read(id)).toMatchObject({ status: 6, rejectReason: 'beneficiary account closed' });
  expect(await takenBackByGateway(node.platform, { id, attempt: 1 }, 'again')).toBe('noEffect');
  const [event] = await node.platform.db.query(sql`
    select kind, actor_kind as actor, from_status as "from", to_status as "to" from order_events
    where order_id = ${id} order by id desc limit 1`);
  expect(event).toEqual({ kind: 'reversed', actor: 'system', from: 3, to: 6 });
});
