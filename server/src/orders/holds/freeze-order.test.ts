import { getDetail, getLastOrder, getList, updateOrderMark } from '@sangam/contract/endpoints/order.ts';
import { setFrozen, setLegalHold } from '@sangam/contract/endpoints/merchant.ts';
import { getPayoutDetail } from '@sangam/contract/endpoints/payout.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PayoutChannel } from '../../channels/payout-channel.ts';
import { HOUR, MINUTE } from '../../platform/clock.ts';
import { expireDue } from '../../collection/expire.ts';
import { readOrder } from '../../collection/read.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { submitUtr } from '../../evidence/matching/payer-utr.ts';
import { supplement } from '../../evidence/matching/supplement.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { askGateways } from '../../payout/ask-gateways.ts';
import { cancelByMerchant } from '../../payout/cancel.ts';
import { claim } from '../../payout/claim.ts';
import { confirmPaid } from '../../payout/confirm-paid.ts';
import { readPayout } from '../../payout/read.ts';
import { takenBackByGateway } from '../../payout/reverse.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { brokenChecks } from '../../testing/books.ts';
import { dispatchWaiting } from '../../testing/gateway.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../../testing/payments.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let shop: Shop;
let payouts: PayoutShop;
beforeAll(async () => {
  node = await createTestPlatform();
  payouts = await makePayoutShop(node.platform);
});
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

const as = (role: 'admin' | 'superAdmin') => viewerOf(node.platform, { role });
const freeze = (id: bigint, frozen: boolean) =>
  ask(node.platform, as('admin'), setFrozen, {
    subjectKind: 'order',
    subjectId: String(id),
    reason: 'police letter 3',
    frozen,
  });
const told = (amount: bigint, reference = newReference()) =>
  receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, amount, { reference })]);
const stateOf = async (utr: string) =>
  (
    await node.platform.db.query<{ state: string; reason: string | null; orderId: bigint | null }>(sql`
      select state, reason, order_id as "orderId" from messages where utr = ${utr} order by id`)
  ).map(({ state, reason }) => [state, reason]);

test('money for a frozen order is held, and completes it when it is unfrozen', async () => {
  const order = await createOne(node.platform, shop.merchantId);
  await freeze(order.id, true);
  const [first, second] = [newReference(), newReference()];
  expect(await told(order.payable!, first)).toMatchObject([{ state: 'held' }]);
  expect(await told(order.payable!, second)).toMatchObject([{ state: 'held' }]);
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ status: 1, received: null });
  const attempt = { orderId: order.id, utr: newReference(), offset: true };
  expect(await supplement(node.platform, as('superAdmin'), attempt)).toMatchObject({
    code: 'actionNotAllowed',
  });
  await freeze(order.id, false);
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ status: 6, utr: first });
  expect([await stateOf(first), await stateOf(second)]).toEqual([
    [['matched', null]],
    [['unmatched', 'orderClosed']],
  ]);
});

test('a frozen order expires as ever; held evidence completes it even after its grace', async () => {
  const order = await createOne(node.platform, shop.merchantId);
  await freeze(order.id, true);
  const utr = newReference();
  await told(order.payable!, utr);
  node.clock.advance(16 * MINUTE);
  await expireDue(node.platform);
  node.clock.advance(HOUR);
  await expireDue(node.platform);
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ status: 2 });
  await freeze(order.id, false);
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ status: 6, utr });
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
});

test('a payer’s UTR does not complete a frozen order either', async () => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(node.platform, shop.merchantId);
  const utr = newReference();
  // By the bank's clock it is too late for the order: the credit belongs to no order until the payer names its UTR.
  await receiveMessages(node.platform, shop.monitor, [
    creditSms(node.platform, shop, order.payable!, {
      reference: utr,
      receivedAt: new Date(node.clock.now().getTime() - 2 * HOUR),
    }),
  ]);
  await freeze(order.id, true);
  await submitUtr(node.platform, node.platform.vault.payToken(order.id), utr, '10.0.0.1');
  expect(await stateOf(utr)).toEqual([['held', 'orderFrozen']]);
  await freeze(order.id, false);
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ status: 6, utr });
});

test('a message and a freeze at once on two nodes: the order is paid or its money is held, never neither', async () => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const other = node.anotherNode();
  for (let i = 0; i < 10; i += 1) {
    const order = await createOne(node.platform, shop.merchantId);
    const utr = newReference();
    await Promise.all([
      receiveMessages(other, shop.monitor, [
        creditSms(node.platform, shop, order.payable!, { reference: utr }),
      ]),
      freeze(order.id, true),
    ]);
    const { status } = (await readOrder(node.platform.db, order.id))!;
    expect([status, (await stateOf(utr))[0]![0]]).toEqual(status === 6 ? [6, 'matched'] : [1, 'held']);
    await freeze(order.id, false);
    expect(await readOrder(node.platform.db, order.id)).toMatchObject({ status: 6 });
  }
});

test('a frozen paid order is not reversed', async () => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(node.platform, shop.merchantId);
  await told(order.payable!);
  await freeze(order.id, true);
  const refused = await reverseByTwo(node.platform, { orderId: order.id });
  expect(refused).toMatchObject({ code: 'actionNotAllowed' });
  await freeze(order.id, false);
});

test('staff see that an order is frozen and why; its merchant does not', async () => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(node.platform, shop.merchantId);
  await freeze(order.id, true);
  const orderCode = String(order.id);
  const merchant = viewerOf(node.platform, { role: 'merchant', merchantId: shop.merchantId });
  const seen = await ask(node.platform, as('admin'), getDetail, { orderCode });
  expect(seen.order.frozen).toBe(true);
  expect(seen.events.at(-1)).toMatchObject({ kind: 'frozen', reason: 'police letter 3' });
  const { order: theirs, events } = await ask(node.platform, merchant, getDetail, { orderCode });
  expect(theirs.frozen).toBeUndefined();
  expect(events.map(({ kind }) => kind)).not.toContain('frozen');
});

test('a legal hold on an order is a superAdmin’s, and no unfreezing lifts it', async () => {
  const { id } = await payOut(node.platform, payouts.merchantId);
  const subject = { subjectKind: 'order', subjectId: String(id), reason: 'court order' };
  await ask(node.platform, as('superAdmin'), setLegalHold, { ...subject, legalHold: true });
  const unfreeze = { ...subject, frozen: false };
  expect((await askRefused(node.platform, as('superAdmin'), setFrozen, unfreeze)).code).toBe('conflict');
  await ask(node.platform, as('superAdmin'), setLegalHold, { ...subject, legalHold: false });
  expect(await readPayout(node.platform.db, id)).toMatchObject({ frozen: true });
  await freeze(id, false);
  const missing = { ...subject, subjectId: '12345', frozen: true };
  expect((await askRefused(node.platform, as('admin'), setFrozen, missing)).code).toBe('notFound');
});

test('a frozen payout is seen by no supplier, taken back by no merchant and sent to no gateway', async () => {
  const supplier = viewerOf(node.platform, { role: 'supplier', supplierId: payouts.supplierId });
  const { id } = await payOut(node.platform, payouts.merchantId);
  await freeze(id, true);
  expect(await claim(node.platform, supplier, id)).toMatchObject({ code: 'notFound' });
  const merchant = { id: payouts.merchantId, ip: '127.0.0.1' };
  expect(await cancelByMerchant(node.platform, merchant, id)).toMatchObject({ code: 'actionNotAllowed' });
  await freeze(id, false);
  await claim(node.platform, supplier, id);
  await freeze(id, true);
  const paid = { orderId: id, utr: newReference() };
  expect(await confirmPaid(node.platform, as('admin'), paid)).toMatchObject({ code: 'actionNotAllowed' });
  await freeze(id, false);
  expect(await confirmPaid(node.platform, supplier, paid)).toMatchObject({ status: 3 });

  let sent = 0;
  const channel: PayoutChannel = {
    send: () => Promise.resolve({ outcome: 'accepted', reference: `pout_${(sent += 1)}` }),
    check: () => Promise.resolve({ state: 'processed', utr: null }),
  };
  const channels = new Map([[GATEWAY_PAYOUT, channel]]);
  const { id: atGateway } = await payOut(node.platform, payouts.merchantId, { productId: GATEWAY_PAYOUT });
  await freeze(atGateway, true);
  await dispatchWaiting(node.platform, channels);
  expect(sent).toBe(0);
  await freeze(atGateway, false);
  await dispatchWaiting(node.platform, channels);
  expect(sent).toBe(1);
  await freeze(atGateway, true);
  node.clock.advance(MINUTE);
  await askGateways(node.platform, channels);
  expect(await readPayout(node.platform.db, atGateway)).toMatchObject({ status: 8 });
  await freeze(atGateway, false);
  node.clock.advance(MINUTE);
  await askGateways(node.platform, channels);
  expect(await readPayout(node.platform.db, atGateway)).toMatchObject({ status: 3 });
  await freeze(atGateway, true);
  expect(await takenBackByGateway(node.platform, { id: atGateway, attempt: 1 }, 'returned')).toBe('held');
  expect(await takenBackByGateway(node.platform, { id: atGateway, attempt: 1 }, 'again')).toBe('held');
  expect(await readPayout(node.platform.db, atGateway)).toMatchObject({ status: 3 });
  await freeze(atGateway, false);
  expect(await readPayout(node.platform.db, atGateway)).toMatchObject({
    status: 6,
    rejectReason: 'returned',
  });
  const { events } = await ask(node.platform, as('admin'), getPayoutDetail, { orderCode: String(id) });
  expect(events.filter(({ kind }) => kind === 'frozen' || kind === 'unfrozen')).toHaveLength(4);
});

test('payouts can be marked, and the newest one is announced, as with collection orders', async () => {
  const { id } = await payOut(node.platform, payouts.merchantId);
  const mark = { id: String(id), orderMark: 2, reason: 'trial' };
  await ask(node.platform, as('admin'), updateOrderMark, mark);
  const marked = await ask(node.platform, as('admin'), getList, { orderType: 1, orderMark: 2 });
  expect(marked.list.map((row) => row.id)).toEqual([String(id)]);
  expect(await ask(node.platform, as('admin'), getLastOrder, { orderType: 1 })).toMatchObject({
    orderCode: String(id),
  });
  const order = await createOne(node.platform, shop.merchantId);
  expect(await ask(node.platform, as('admin'), getLastOrder)).toMatchObject({ orderCode: String(order.id) });
  await ask(node.platform, as('admin'), updateOrderMark, { id: String(order.id), orderMark: 1 });
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ mark: 1 });
  const merchant = viewerOf(node.platform, { role: 'merchant', merchantId: payouts.merchantId });
  expect((await askRefused(node.platform, merchant, updateOrderMark, mark)).code).toBe('actionNotAllowed');
});
