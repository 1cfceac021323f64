import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../platform/clock.ts';
import { expireDue } from '../../collection/expire.ts';
import { readOrder } from '../../collection/read.ts';
import { sql } from '../../platform/db/database.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { brokenChecks } from '../../testing/books.ts';
import { call, post } from '../../testing/call.ts';
import {
  createOne,
  creditSms,
  makeShop,
  newReference,
  type Shop,
  withoutReference,
} from '../../testing/payments.ts';
import { createTestUser, signedIn } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { submitUtr } from '../matching/payer-utr.ts';
import { receiveMessages } from '../matching/receive.ts';

/** The two lists of lost orders and money, the pairs proposed between them, and the join. */

let node: TestPlatform;
let app: FastifyInstance;
let shop: Shop;
let headers: Record<string, string>;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
beforeEach(async () => {
  // Each test has an account of its own, by which it filters the lists.
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
  await signIn();
});
const signIn = async () => {
  const user = await createTestUser(node.platform, 'customerService');
  headers = { ...(await signedIn(node.platform, user)) };
};
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

interface Listed {
  readonly id: string;
  readonly orderCode: string;
  readonly amount: number;
  readonly verdict: string;
  readonly confidence: string;
  readonly money: Listed;
  readonly order: Listed;
}
const ask = async (what: 'Money' | 'Orders' | 'Pairs', input: object = {}) =>
  (
    await call(
      app,
      'GET',
      `/v1.0/orderAnalysis/getLost${what}`,
      { resourceId: String(shop.accountId), ...input },
      headers,
    )
  ).data['list'] as Listed[];
const join = (input: object) => post(app, '/v1.0/orderAnalysis/joinLost', input, headers);
const tell = async (amount: bigint, reference = newReference()) => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, amount, { reference })]);
  return reference;
};
const claim = (orderId: bigint, utr: string) =>
  node.platform.db.query(sql`
    with w as (update waiting_orders set payer_utr = ${utr} where order_id = ${orderId})
    update collection_orders set payer_utr = ${utr} where id = ${orderId}`);
/** Moves past the order's time and its grace, so that nothing matches it by itself any more. */
const pass = async () => {
  node.clock.advance(30 * HOUR);
  await expireDue(node.platform);
  // The cooling time of their amounts is over.
  node.clock.advance(3 * MINUTE);
  await expireDue(node.platform);
  // Sessions last a day.
  await signIn();
};
const open = async (amount = 500_00n) => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  return createOne(node.platform, shop.merchantId, { amount });
};

test('money too late for its order and the order stand side by side, paired by the sum, and are joined', async () => {
  const order = await open();
  await pass();
  const utr = await tell(order.payable!);
  expect(await ask('Money')).toMatchObject([
    { amount: Number(order.payable), verdict: 'noOrder', confidence: 'medium' },
  ]);
  expect(await ask('Orders')).toEqual([]);
  expect(await ask('Orders', { of: 'timedOut' })).toMatchObject([{ orderCode: String(order.id) }]);
  const [pair] = await ask('Pairs');
  expect(pair).toMatchObject({
    verdict: 'exactAmount',
    confidence: 'medium',
    order: { orderCode: String(order.id) },
  });
  const input = { orderCode: String(order.id), messageId: pair!.money.id };
  expect(await join(input)).toMatchObject({ code: 200, data: { orderStatusId: 6 } });
  // A user who lost the answer asks again and gets the same answer.
  expect(await join(input)).toMatchObject({ code: 200, data: { orderStatusId: 6 } });
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ utr, received: order.payable });
  expect(await ask('Money')).toEqual([]);
  expect(await ask('Orders', { of: 'timedOut' })).toEqual([]);
  expect(await ask('Pairs')).toEqual([]);
  const [message] = (
    await call(app, 'GET', '/v1.0/order/getDetail', { orderCode: String(order.id) }, headers)
  ).data['messages'] as Listed[];
  expect(message).toMatchObject({ verdict: 'supplement', confidence: 'certain' });
});

test('money that contradicts what was booked by its UTR is shown with that order', async () => {
  const order = await open();
  const utr = await tell(order.payable!);
  await tell(order.payable! + 100n, utr);
  expect(await ask('Money')).toMatchObject([
    { utr, verdict: 'contradictsBooked', bookedOrderCode: String(order.id) },
  ]);
});

test("the payer's own UTR is the surest pair, another sum makes it weaker", async () => {
  const [right, short] = [await open(), await open(700_00n)];
  await pass();
  await claim(right.id, await tell(right.payable!));
  await claim(short.id, await tell(short.payable! - 5_00n));
  expect((await ask('Orders')).map(({ orderCode }) => orderCode)).toEqual([
    String(short.id),
    String(right.id),
  ]);
  expect(
    (await ask('Pairs')).map(({ order, verdict, confidence }) => [order.orderCode, verdict, confidence]),
  ).toEqual([
    [String(right.id), 'payerUtr', 'certain'],
    [String(short.id), 'amountDiffers', 'medium'],
  ]);
});

test('of several orders of one sum none is put before the others', async () => {
  const first = await open();
  await pass();
  const second = await open();
  await pass();
  expect(second.payable).toBe(first.payable);
  await tell(first.payable!);
  expect((await ask('Pairs')).map(({ verdict, confidence }) => [verdict, confidence])).toEqual([
    ['severalOrders', 'low'],
    ['severalOrders', 'low'],
  ]);
});

test('filters: amount give or take, and time', async () => {
  await tell(101_00n);
  await tell(104_00n);
  const amounts = async (input: object) => (await ask('Money', input)).map(({ amount }) => amount);
  expect(await amounts({ amount: 100.0001, within: 2 })).toEqual([10_100]);
  expect(await amounts({ amount: 100.0001, within: 4 })).toEqual([10_400, 10_100]);
  expect(await amounts({ amount: 1e15 })).toEqual([]);
  expect(await amounts({ startTime: '2020-01-01 00:00:00', endTime: '2020-01-02 00:00:00' })).toEqual([]);
});

test('no join across accounts, on another UTR, on money that is used, or by who may only look', async () => {
  const order = await open();
  const paid = await open(800_00n);
  await tell(paid.payable!);
  await pass();
  const utr = await tell(order.payable!);
  const [{ id: messageId } = { id: '' }] = await ask('Money');
  const input = { orderCode: String(order.id), messageId };
  expect(await join({ ...input, utr: newReference() })).toMatchObject({ code: 409 });
  const [used] = await node.platform.db.query<{ id: bigint }>(sql`
    select id from messages where order_id = ${paid.id}`);
  expect(await join({ ...input, messageId: String(used!.id) })).toMatchObject({ code: 409 });
  expect(await join({ ...input, messageId: '1' })).toMatchObject({ code: 404 });
  const other = await createOne(node.platform, (await freshShop()).merchantId);
  expect(await join({ ...input, orderCode: String(other.id) })).toMatchObject({ code: 409 });
  for (const role of ['technicalMaintenance', 'supplier', 'merchant'] as const) {
    const session = { ...(await signedIn(node.platform, await createTestUser(node.platform, role))) };
    expect(await post(app, '/v1.0/orderAnalysis/joinLost', input, session)).toMatchObject({ code: 403 });
  }
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ status: 2 });
  expect(await join({ ...input, utr })).toMatchObject({ code: 200 });
});

test('a message without a UTR is joined on the one the operator gives', async () => {
  const order = await open();
  await pass();
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const message = creditSms(node.platform, shop, order.payable!);
  await receiveMessages(node.platform, shop.monitor, [withoutReference(message)]);
  const [pair] = await ask('Pairs');
  const input = { orderCode: String(order.id), messageId: pair!.money.id };
  expect(await join(input)).toMatchObject({ code: 400 });
  const utr = newReference();
  expect(await join({ ...input, utr })).toMatchObject({ code: 200 });
  expect(await readOrder(node.platform.db, order.id)).toMatchObject({ utr });
});

async function freshShop(): Promise<Shop> {
  await node.platform.db.query(sql`update resources set state = 1`);
  const other = await makeShop(node.platform);
  node.clock.advance(MINUTE);
  await heartbeat(node.platform, other.monitor, { scriptVersion: '1' });
  return other;
}

test('money settled outside the platform, as two people say, pays nothing any more: not by its message, UTR or another wording', async () => {
  const { platform } = node;
  const utr = await tell(880_00n);
  const [listed] = await ask('Money');
  const settle = (input: object) => post(app, '/v1.0/orderAnalysis/settleOutside', input, headers);
  const asked = await settle({ messageId: listed!.id, reason: 'refunded by hand' });
  expect(asked).toMatchObject({ status: 202, code: 1205 });
  const decide = (session: Record<string, string>) =>
    post(app, '/v1.0/todo/decide', { id: asked.data['todoId'], approve: true }, session);
  expect(await decide(headers)).toMatchObject({ code: 403 });
  const admin = { ...(await signedIn(platform, await createTestUser(platform, 'admin'))) };
  expect(await decide(admin)).toMatchObject({ code: 200 });
  expect(await ask('Money')).toEqual([]);
  expect(await settle({ messageId: listed!.id, reason: 'again' })).toMatchObject({ code: 409 });

  const order = await createOne(platform, shop.merchantId, { amount: 880_00n });
  const token = platform.vault.payToken(order.id);
  expect(await submitUtr(platform, token, utr, '10.0.0.9')).toMatchObject({ state: 'waiting' });
  expect(await join({ orderCode: String(order.id), messageId: listed!.id })).toMatchObject({ code: 409 });
  const supplement = { orderCode: String(order.id), utr };
  expect(await post(app, '/v1.0/order/replenishmentOrder', supplement, headers)).toMatchObject({
    code: 1204,
  });
  const reworded = creditSms(platform, shop, order.payable!, { reference: utr });
  const again = { ...reworded, text: `${reworded.text}. Not you? Call 18002586161` };
  expect(await receiveMessages(platform, shop.monitor, [again])).toMatchObject([{ state: 'duplicate' }]);
  expect((await readOrder(platform.db, order.id))!.status).toBe(1);
});

test('the dialog of a supplement shows the UTR of the payer and open credits that fit the order', async () => {
  const paid = await open(700_00n);
  const used = await tell(paid.payable!);
  const order = await open();
  await pass();
  await tell(order.payable! + 300_00n);
  const utr = await tell(order.payable!);
  await claim(order.id, '632500000001');
  const evidence = await call(
    app,
    'GET',
    '/v1.0/orderAnalysis/getOrderMoney',
    { orderCode: String(order.id) },
    headers,
  );
  expect(evidence.data).toMatchObject({
    payerUtr: '632500000001',
    list: [{ amount: Number(order.payable), utr, verdict: 'exactAmount', confidence: 'low' }],
  });
  const supplement = { orderCode: String(order.id), utr: used };
  const refused = await post(app, '/v1.0/order/replenishmentOrder', supplement, headers);
  expect(refused).toMatchObject({
    code: 1204,
    data: { holders: [{ orderCode: String(paid.id), area: 'collectionOrders' }] },
  });
});
