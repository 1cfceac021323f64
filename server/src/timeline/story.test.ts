import { getDetail, getList, getOrderMarkList } from '@sangam/contract/endpoints/order.ts';
import { getBankStatementList } from '@sangam/contract/endpoints/party.ts';
import { getPayoutDetail, getPayoutList } from '@sangam/contract/endpoints/payout.ts';
import { ORDER_MARK, type OrderMark } from '@sangam/contract/orders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { freeResource } from '../collection/free-resource.ts';
import { updateMark } from '../collection/mark.ts';
import { claim } from '../payout/claim.ts';
import { reject } from '../payout/reject.ts';
import { ask } from '../testing/ask.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeSupplier, makeUser, viewerOf } from '../testing/world.ts';

let node: TestPlatform;
let payIn: bigint;
let payout: bigint;
let supplierId: bigint;
let agentId: bigint;

const SENDER = '+919876543210';
const TEXT = 'Rs.500.00 to a/c XX1234 by payer.person@oksbi, call 9876543210';
const MASKED = { sender: '*******210', text: 'Rs.500.00 to a/c XX1234 by p***@oksbi, call *******210' };

beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  supplierId = order.supplierId!;
  payIn = order.id;
  ({ supplierId: agentId } = await makeSupplier(platform, { products: [] }));
  await platform.db.query(sql`update suppliers set agent_id = ${agentId} where id = ${supplierId}`);
  const paying = await makePayoutShop(platform);
  payout = (await payOut(platform, paying.merchantId)).id;
  await claim(platform, viewerOf(platform, { role: 'supplier', supplierId: paying.supplierId }), payout);
  await platform.db.query(sql`update payout_orders set supplier_id = ${supplierId} where id = ${payout}`);
  for (const [orderId, direction] of [
    [payIn, 'credit'],
    [payout, 'debit'],
  ] as const) {
    await platform.db.query(sql`
      insert into messages (id, monitor_id, external_id, kind, sender, text, account_id, supplier_id, direction, currency,
        amount, state, order_id, received_at, reported_at)
      values (${platform.ids.next()}, (select id from monitors limit 1), ${direction}, 'sms', ${SENDER}, ${TEXT},
        ${order.accountId}, ${supplierId}, ${direction}, 'INR', 50000, 'matched', ${orderId}, ${node.clock.now()},
        ${node.clock.now()})`);
  }
});
afterAll(() => node.close());

test('a supplier sees its own users by name, and staff only as the operator without their reasons', async () => {
  const { platform } = node;
  const { merchantId } = await makeShop(platform);
  const { id: orderId, supplierId: id } = await createOne(platform, merchantId);
  const [owner] = await platform.db.query<{ userId: bigint; nickname: string }>(sql`
    select u.id as "userId", u.nickname from suppliers s join users u on u.id = s.user_id where s.id = ${id}`);
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: id!, userId: owner!.userId });
  await freeResource(platform, supplier, { orderId, offset: false });
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  const admin = viewerOf(platform, { role: 'admin', userId });
  await updateMark(platform, admin, { orderId, mark: ORDER_MARK.suspicious, reason: 'looked odd' });
  const { events } = await ask(platform, supplier, getDetail, { orderCode: String(orderId) });
  expect(events.find(({ kind }) => kind === 'timedOut')).toMatchObject({ actor: owner!.nickname });
});

test('the merchant of a refused payout reads why; its supplier does not', async () => {
  const { platform } = node;
  const shop = await makePayoutShop(platform);
  const { id } = await payOut(platform, shop.merchantId);
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  await claim(platform, supplier, id);
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  const reason = 'The supplier is under suspicion';
  await reject(platform, viewerOf(platform, { role: 'admin', userId }), { orderId: id, reason });
  const read = async (viewer: Viewer) => {
    const orderCode = String(id);
    const { order, events } = await ask(platform, viewer, getPayoutDetail, { orderCode });
    const { list } = await ask(platform, viewer, getPayoutList, { orderCode });
    const told = events.find(({ kind }) => kind === 'rejecting')?.reason;
    return [order.rejectReason, list[0]!.rejectReason, told];
  };
  expect(await read(viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId }))).toEqual(
    Array(3).fill(reason),
  );
  expect(await read(supplier)).toEqual([null, null, null]);
});

test.each(['merchant', 'supplier'] as const)('a %s learns nothing of a suspicion', async (role) => {
  const { platform } = node;
  const { merchantId } = await makeShop(platform);
  const { id: orderId, supplierId: id } = await createOne(platform, merchantId);
  const viewer = viewerOf(platform, role === 'merchant' ? { role, merchantId } : { role, supplierId: id! });
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  const admin = viewerOf(platform, { role: 'admin', userId });
  const orderCode = String(orderId);
  const found = async (who: Viewer, orderMark?: OrderMark) =>
    (await ask(platform, who, getList, { orderCode, orderMark })).list.map((order) => order.orderMark);
  for (const mark of [ORDER_MARK.suspicious, ORDER_MARK.malicious]) {
    await updateMark(platform, admin, { orderId, mark, reason: 'looked odd' });
    expect(await found(admin, mark)).toEqual([mark]);
    expect(await found(viewer)).toEqual([ORDER_MARK.ordinary]);
    expect(await found(viewer, mark)).toEqual([]);
    expect(await found(viewer, ORDER_MARK.ordinary)).toEqual([ORDER_MARK.ordinary]);
    const { events } = await ask(platform, viewer, getDetail, { orderCode });
    expect(events.map(({ kind }) => kind)).not.toContain('marked');
  }
  const { list } = await ask(platform, viewer, getOrderMarkList, {});
  expect(list.map((mark) => mark.id)).toEqual([ORDER_MARK.ordinary, ORDER_MARK.test, ORDER_MARK.fillIn]);
});

test.each([
  ['superAdmin', { sender: SENDER, text: TEXT }],
  ['admin', MASKED],
  ['customerService', MASKED],
  ['technicalMaintenance', MASKED],
  ['supplier', MASKED],
  ['agent', MASKED],
] as const)('%s: the drawers show a message as the list of messages does', async (who, shown) => {
  const { platform } = node;
  const viewer =
    who === 'supplier' || who === 'agent'
      ? viewerOf(platform, { role: 'supplier', supplierId: who === 'agent' ? agentId : supplierId })
      : viewerOf(platform, { role: who });
  const [ofPayIn, ofPayout] = [{ orderCode: String(payIn) }, { orderCode: String(payout) }];
  expect((await ask(platform, viewer, getDetail, ofPayIn)).messages).toMatchObject([shown]);
  expect((await ask(platform, viewer, getPayoutDetail, ofPayout)).messages).toMatchObject([shown]);
  // An agent has no list of its team's messages.
  if (who === 'agent') return;
  for (const orderCode of [ofPayIn, ofPayout])
    expect((await ask(platform, viewer, getBankStatementList, orderCode)).list).toMatchObject([shown]);
});
