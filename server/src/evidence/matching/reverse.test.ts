import { reverse as reverseEndpoint } from '@sangam/contract/endpoints/order.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { readOrders } from '../../collection/store.ts';
import { deliver } from '../../callbacks/record.ts';
import { SCHEDULE } from '../../callbacks/schedule.ts';
import type { Sender } from '../../callbacks/send.ts';
import { claimCallbacks } from '../../callbacks/store.ts';
import { callBack } from '../../collection/call-back.ts';
import { recordCallbackOutcome } from '../../collection/callback-outcome.ts';
import { sql } from '../../platform/db/database.ts';
import { post } from '../../ledger/post.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { askRefused } from '../../testing/ask.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo, todoOf } from '../../testing/reversal.ts';
import {
  makeAccount,
  makeMerchant,
  makeMonitor,
  makeSupplier,
  makeUser,
  viewerOf,
} from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { receiveMessages } from './receive.ts';
import { reverse } from '../../orders/reverse.ts';
import { supplement } from './supplement.ts';

let node: TestPlatform;
let superAdmin: Viewer;
let admin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  [superAdmin, admin] = [await person('superAdmin'), await person('admin')];
});
afterAll(() => node.close());

const person = async (role: 'superAdmin' | 'admin') =>
  viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });

async function pay(
  shop: Shop,
  amount: bigint,
  reference = newReference(),
): Promise<CollectionOrder & { reference: string }> {
  const order = await createOne(node.platform, shop.merchantId, { amount });
  await receiveMessages(node.platform, shop.monitor, [
    creditSms(node.platform, shop, order.payable!, { reference }),
  ]);
  const [paid] = await readOrders(node.platform.db, [order.id]);
  expect(paid).toMatchObject({ status: 6, accountId: shop.accountId });
  return { ...paid!, reference };
}

/** The only shop with an enabled account: the others are closed, so that all orders go there. */
async function onlyShop(agentId?: bigint): Promise<Shop> {
  await node.platform.db.query(sql`update resources set state = 1`);
  if (agentId === undefined) return makeShop(node.platform);
  const { merchantId } = await makeMerchant(node.platform);
  const { supplierId } = await makeSupplier(node.platform, { agentId });
  const { monitorId, secret } = await makeMonitor(node.platform, { supplierId });
  const account = await makeAccount(node.platform, { supplierId, monitorId });
  return {
    merchantId,
    supplierId,
    ...account,
    monitor: { id: monitorId, supplierId },
    monitorSecret: secret,
  };
}

/** Delivers every callback that is due; the merchants' endpoints answer `answer`. */
async function deliverAll(answer = 'success'): Promise<void> {
  const { platform } = node;
  const sender: Sender = {
    send: async () => ({
      acknowledged: answer === 'success',
      httpMethod: 'POST',
      request: '',
      signed: 'sign=ABC',
      status: 200,
      answer,
      error: null,
      durationMs: 1,
    }),
    close: () => Promise.resolve(),
  };
  const limits = { total: 500, perMerchant: 100, leaseMs: 1 };
  for (;;) {
    const claimed = await claimCallbacks(platform, limits);
    if (claimed.length === 0) return;
    for (const callback of claimed) await deliver(platform, sender, callback, recordCallbackOutcome);
  }
}

async function drain(
  ownerKind: 'merchant' | 'supplier',
  ownerId: bigint,
  bucket: 'available' | 'commission',
) {
  const balance = (await balancesIn(node.platform, ownerKind, ownerId))[bucket] ?? 0n;
  const [outcome] = await node.platform.db.tx((tx) =>
    post(node.platform, tx, [
      {
        key: `drain/${ownerKind}/${ownerId}/${node.platform.ids.next()}`,
        kind: 'withdrawal',
        orderId: null,
        currency: 'INR',
        legs: [
          { ownerKind, ownerId, bucket, amount: -balance },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount: balance },
        ],
      },
    ]),
  );
  expect(outcome).toBe('posted');
}

test('a reversal undoes every leg, agent included, and the books hold', async () => {
  const agent = await makeSupplier(node.platform, { deposit: 0n });
  const shop = await onlyShop(agent.supplierId);
  const before = await balancesIn(node.platform, 'supplier', shop.supplierId);
  const order = await pay(shop, 1_000_00n);
  expect(await balancesIn(node.platform, 'supplier', agent.supplierId)).toMatchObject({ commission: 2_00n });
  await reverseByTwo(node.platform, { orderId: order.id, reason: 'charged back' });
  const [reversed] = await readOrders(node.platform.db, [order.id]);
  expect(reversed).toMatchObject({ status: 6, reversedAt: node.clock.now() });
  expect(await balancesIn(node.platform, 'merchant', shop.merchantId)).toEqual({ available: 0n, debt: 0n });
  expect(await balancesIn(node.platform, 'supplier', shop.supplierId)).toEqual({
    ...before,
    commission: 0n,
    debt: 0n,
  });
  expect(await balancesIn(node.platform, 'supplier', agent.supplierId)).toMatchObject({ commission: 0n });
  const [event] = await node.platform.db.query<{ kind: string; reason: string; data: unknown }>(sql`
    select kind, reason, data from order_events where order_id = ${order.id} order by id desc limit 1`);
  expect(event).toMatchObject({
    kind: 'reversed',
    reason: 'charged back',
    data: { freed: [order.reference] },
  });
  expect(await brokenChecks(node.platform)).toEqual([]);
});

test('what was spent meanwhile becomes debt, and the next credits repay it first', async () => {
  const agent = await makeSupplier(node.platform, { deposit: 0n });
  const shop = await onlyShop(agent.supplierId);
  const order = await pay(shop, 1_000_00n);
  await drain('merchant', shop.merchantId, 'available');
  await drain('supplier', shop.supplierId, 'commission');
  await drain('supplier', agent.supplierId, 'commission');
  await reverseByTwo(node.platform, { orderId: order.id });
  expect(await balancesIn(node.platform, 'merchant', shop.merchantId)).toEqual({
    available: 0n,
    debt: -970_00n,
  });
  // The deposit that comes back pays for the commission that is missing.
  expect(await balancesIn(node.platform, 'supplier', shop.supplierId)).toMatchObject({
    commission: 0n,
    deposit: 10_000_000_00n - 10_00n,
    debt: 0n,
  });
  expect(await balancesIn(node.platform, 'supplier', agent.supplierId)).toMatchObject({ debt: -2_00n });
  await pay(shop, 1_500_00n);
  expect(await balancesIn(node.platform, 'merchant', shop.merchantId)).toEqual({
    available: 485_00n,
    debt: 0n,
  });
  expect(await brokenChecks(node.platform)).toEqual([]);
});

test('the UTR and its message complete another order once two people agree', async () => {
  const shop = await onlyShop();
  const first = await pay(shop, 640_00n);
  const second = await createOne(node.platform, shop.merchantId, { amount: 640_00n });
  const again = () =>
    supplement(node.platform, superAdmin, { orderId: second.id, utr: first.reference, offset: false });
  expect(await again()).toMatchObject({ code: 'utrUsed' });
  await reverseByTwo(node.platform, { orderId: first.id });
  expect(
    await node.platform.db.query(
      sql`select state, reason, order_id from messages where utr = ${first.reference}`,
    ),
  ).toEqual([{ state: 'unmatched', reason: 'reversed', order_id: null }]);
  // The money may be gone again: nobody joins it alone.
  const asked = await again();
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  const { todoId } = (asked as { data: { todoId: string } }).data;
  expect(
    await decide(node.platform, APPROVAL_HANDLERS, admin, { id: BigInt(todoId), approve: true }),
  ).toMatchObject({ status: 'approved' });
  const [paid] = await readOrders(node.platform.db, [second.id]);
  expect(paid).toMatchObject({ status: 6, received: first.received, utr: first.reference });
  expect(
    await node.platform.db.query(
      sql`select order_id as id from message_matches where order_id = any(${[first.id, second.id]})`,
    ),
  ).toEqual([{ id: second.id }]);
  expect(await brokenChecks(node.platform)).toEqual([]);
});

test.each(['customerService', 'supplier'] as const)(
  'nor does a user of role %s join it alone',
  async (role) => {
    const shop = await onlyShop();
    const first = await pay(shop, 645_00n);
    const second = await createOne(node.platform, shop.merchantId, { amount: 645_00n });
    await reverseByTwo(node.platform, { orderId: first.id });
    const { id: userId } = await makeUser(node.platform, { role });
    const viewer = viewerOf(node.platform, { role, userId, supplierId: shop.supplierId });
    const asked = { orderId: second.id, utr: first.reference, offset: false };
    expect(await supplement(node.platform, viewer, asked)).toMatchObject({ code: 'approvalNeeded' });
  },
);

test('the merchant is notified, and gets the same notification when it is sent again', async () => {
  const shop = await onlyShop();
  const order = await pay(shop, 300_00n);
  await deliverAll();
  await reverseByTwo(node.platform, { orderId: order.id });
  await deliverAll();
  await callBack(node.platform, superAdmin, order.id);
  const notices = await node.platform.db.query(sql`
    select c.kind, c.fields ->> 'status' as status, q.callback_id is not null as waits
    from callbacks c left join callback_queue q on q.callback_id = c.id where c.order_id = ${order.id} order by c.id`);
  expect(notices).toEqual([
    { kind: 'paid', status: '1', waits: false },
    { kind: 'reversed', status: '2', waits: false },
    { kind: 'reversed', status: '2', waits: true },
  ]);
  expect((await readOrders(node.platform.db, [order.id]))[0]).toMatchObject({ status: 3 });
  expect(await brokenChecks(node.platform)).toEqual([]);
});

test('a reversal nobody acknowledges leaves the status of the payment', async () => {
  const shop = await onlyShop();
  const order = await pay(shop, 310_00n);
  await deliverAll();
  await reverseByTwo(node.platform, { orderId: order.id });
  for (const wait of SCHEDULE) {
    node.clock.advance(wait);
    await deliverAll('no');
  }
  expect((await readOrders(node.platform.db, [order.id]))[0]).toMatchObject({ status: 3 });
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  expect(await brokenChecks(node.platform)).toEqual([]);
});

test('twenty reversals at once post one mirror', async () => {
  const shop = await onlyShop();
  const order = await pay(shop, 410_00n);
  const other = node.anotherNode();
  const nodeOf = (n: number) => (n % 2 ? node.platform : other);
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      reverse(nodeOf(n), n % 3 ? superAdmin : admin, { orderId: order.id }),
    ),
  );
  const [id, ...further] = new Set(asked.map(todoOf));
  expect(further).toEqual([]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) =>
      decide(nodeOf(n), APPROVAL_HANDLERS, await person('superAdmin'), { id: id!, approve: true }),
    ),
  );
  expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(1);
  expect(answers.filter(isRefusal).map((answer) => answer.code)).toEqual(
    Array.from({ length: 19 }, () => 'conflict'),
  );
  expect(
    await node.platform.db.query(
      sql`select 1 from postings where order_id = ${order.id} and reverses is not null`,
    ),
  ).toHaveLength(1);
});

test('an admin’s request moves nothing until a superAdmin approves it', async () => {
  const shop = await onlyShop();
  const order = await pay(shop, 520_00n);
  const first = await askRefused(node.platform, admin, reverseEndpoint, { orderCode: String(order.id) });
  const second = await askRefused(node.platform, admin, reverseEndpoint, { orderCode: String(order.id) });
  expect(first.code).toBe('approvalNeeded');
  expect(second.data).toEqual(first.data);
  expect((await readOrders(node.platform.db, [order.id]))[0]!.reversedAt).toBeNull();
  const { todoId } = first.data as { todoId: string };
  const approve = (viewer: Viewer) =>
    decide(node.platform, APPROVAL_HANDLERS, viewer, { id: BigInt(todoId), approve: true });
  const otherAdmin = viewerOf(node.platform, { role: 'admin' });
  expect(await approve(otherAdmin)).toMatchObject({ code: 'forbidden' });
  expect(await approve(superAdmin)).toMatchObject({ status: 'approved' });
  expect((await readOrders(node.platform.db, [order.id]))[0]!.reversedAt).toEqual(node.clock.now());
});

test('what was not paid, or was reversed already, is not reversed', async () => {
  const shop = await onlyShop();
  const unpaid = await createOne(node.platform, shop.merchantId);
  expect(await reverse(node.platform, superAdmin, { orderId: unpaid.id })).toMatchObject({
    code: 'actionNotAllowed',
  });
  const desk = viewerOf(node.platform, { role: 'customerService' });
  const paid = await pay(shop, 777_00n);
  expect(await reverse(node.platform, desk, { orderId: paid.id })).toMatchObject({
    code: 'actionNotAllowed',
  });
  expect(await brokenChecks(node.platform)).toEqual([]);
});
