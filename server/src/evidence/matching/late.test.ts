import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../platform/clock.ts';
import { expireDue } from '../../collection/expire.ts';
import { freeResource } from '../../collection/free-resource.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { readOrder } from '../../collection/read.ts';
import { sql } from '../../platform/db/database.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import type { ReportedMessage } from './message.ts';
import { submitUtr } from './payer-utr.ts';
import { receiveMessages } from './receive.ts';
import { supplement } from './supplement.ts';

/** Money that comes late, short or in excess, and how an operator books it: on the account, or as an offset. */

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
});
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
  expect(await brokenChecks(node.platform)).toEqual([]);
});
afterAll(() => node.close());

const desk = () => viewerOf(node.platform, { role: 'customerService' });
const told = async (amount: bigint, reference = newReference()) => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const [message] = await receiveMessages(node.platform, shop.monitor, [
    creditSms(node.platform, shop, amount, { reference }),
  ]);
  return { state: message!.state, reference };
};
const book = (order: CollectionOrder, utr: string, offset = false) =>
  supplement(node.platform, desk(), { orderId: order.id, utr, offset });
const now = (order: CollectionOrder) => readOrder(node.platform.db, order.id);
const suspense = async () =>
  (
    await node.platform.db.query<{ balance: bigint }>(sql`
      select coalesce(sum(balance), 0)::bigint as balance from ledger_accounts where bucket = 'suspense'`)
  )[0]!.balance;
const pass = async (ms: number) => {
  node.clock.advance(ms);
  await expireDue(node.platform);
};

test('a payment within the grace completes the order by itself', async () => {
  const order = await createOne(node.platform, shop.merchantId);
  await pass(16 * MINUTE);
  expect(await now(order)).toMatchObject({ status: 2 });
  expect(await told(order.payable!)).toMatchObject({ state: 'matched' });
  expect(await now(order)).toMatchObject({ status: 6, supplementStatus: 0 });
});

test('a payment that one report states with two sums is left to a person', async () => {
  const order = await createOne(node.platform, shop.merchantId);
  const reference = newReference();
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const results = await receiveMessages(
    node.platform,
    shop.monitor,
    [order.payable! + 90_00n, order.payable!].map((amount) =>
      creditSms(node.platform, shop, amount, { reference }),
    ),
  );
  expect(results.map(({ state }) => state)).toEqual(['ambiguous', 'matched']);
});

test.each([
  ['supplemented', (order: CollectionOrder) => book(order, newReference())],
  [
    'freed',
    (order: CollectionOrder) => freeResource(node.platform, desk(), { orderId: order.id, offset: false }),
  ],
])('the message of an order that was %s meanwhile pays no other of its amount', async (how, end) => {
  const order = await createOne(node.platform, shop.merchantId);
  node.clock.advance(10 * SECOND);
  const told = creditSms(node.platform, shop, order.payable!);
  const late = { ...told, text: told.text.replace(/ \(UPI.*/, '') };
  await end(order);
  node.clock.advance(10 * SECOND);
  const next = await createOne(node.platform, shop.merchantId);
  expect(next.payable).not.toBe(order.payable);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const [message] = await receiveMessages(node.platform, shop.monitor, [late]);
  // It may be the payment of the supplemented order, so an operator looks.
  expect(message!.state).toBe(how === 'supplemented' ? 'ambiguous' : 'unmatched');
  expect(await now(next)).toMatchObject({ status: 1 });
  // An amount that was paid with a reference rests for longer.
  await pass((how === 'supplemented' ? 15 : 3) * MINUTE);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  expect((await createOne(node.platform, shop.merchantId)).payable).toBe(order.payable);
});

test.each([true, false])(
  'after the grace an operator books it, if the setting allows (%s)',
  async (allowed) => {
    await node.platform.settings.write('CanTimeoutSupplement', allowed, null);
    const order = await createOne(node.platform, shop.merchantId);
    await pass(16 * MINUTE);
    await pass(HOUR);
    const { state, reference } = await told(order.payable!);
    expect(state).toBe('unmatched');
    const booked = await book(order, reference);
    expect(booked).toMatchObject(
      allowed ? { status: 6, supplementStatus: 1, utr: reference } : { code: 'actionNotAllowed' },
    );
    expect(await now(order)).toMatchObject({ status: allowed ? 6 : 2 });
  },
);

test.each([
  ['over', 650_00n],
  ['under', 320_00n],
])(
  'an %spayment completes nothing by itself; booked by its UTR, what arrived is credited',
  async (_, arrived) => {
    const order = await createOne(node.platform, shop.merchantId, { amount: 500_00n });
    const { state, reference } = await told(arrived);
    expect(state).toBe('unmatched');
    expect(await now(order)).toMatchObject({ status: 1 });
    expect(await book(order, reference)).toMatchObject({ status: 6, received: arrived });
    const fee = (arrived * 3n) / 100n;
    expect(await balancesIn(node.platform, 'merchant', shop.merchantId)).toMatchObject({
      available: arrived - fee,
    });
    const messages = await node.platform.db.query(
      sql`select state, order_id as "orderId" from messages where utr = ${reference}`,
    );
    expect(messages).toEqual([{ state: 'matched', orderId: order.id }]);
  },
);

test('an offset leaves the deposit as it is and is posted against suspense', async () => {
  const before = {
    deposit: (await balancesIn(node.platform, 'supplier', shop.supplierId))['deposit'],
    suspense: await suspense(),
  };
  const order = await createOne(node.platform, shop.merchantId, { amount: 500_00n });
  expect(await book(order, newReference(), true)).toMatchObject({ status: 6, received: order.payable });
  expect(await balancesIn(node.platform, 'supplier', shop.supplierId)).toMatchObject({
    deposit: before.deposit,
  });
  expect(await suspense()).toBe(before.suspense - order.payable!);
});

test('an offset does not take a message of the account: that money is another order’s', async () => {
  const order = await createOne(node.platform, shop.merchantId, { amount: 500_00n });
  const { reference } = await told(777_00n);
  expect(await book(order, reference, true)).toMatchObject({ status: 6, received: order.payable });
  const messages = await node.platform.db.query(sql`select state from messages where utr = ${reference}`);
  expect(messages).toEqual([{ state: 'ambiguous' }]);
});

test.each([
  ['was booked beside its account', true, 'nothing'],
  ['follows another payment of its sum', false, 'paid'],
  ['was booked before another credit of its sum came', false, 'unmatched'],
  ['was booked before another credit of its sum, in the same report', false, 'together'],
] as const)(
  'a message without a reference is not taken for that of an order that %s',
  async (_, offset, other) => {
    const first = await createOne(node.platform, shop.merchantId, { amount: 800_00n });
    if (other === 'paid') {
      const order = await createOne(node.platform, shop.merchantId, { amount: 800_00n });
      // The other order's payer rounds and pays the same sum as this order's. This order's payer typed another UTR.
      const reference = newReference();
      await submitUtr(node.platform, node.platform.vault.payToken(first.id), newReference(), '10.0.0.9');
      await submitUtr(node.platform, node.platform.vault.payToken(order.id), reference, '10.0.0.9');
      expect(await told(first.payable!, reference)).toMatchObject({ state: 'matched' });
      expect(await now(order)).toMatchObject({ status: 6 });
    }
    await pass(16 * MINUTE);
    expect(await book(first, newReference(), offset)).toMatchObject({ status: 6 });
    await pass(20 * MINUTE);
    if (other === 'unmatched') expect(await told(first.payable!)).toMatchObject({ state: 'unmatched' });
    const [named, again] = [1, 2].map(() => creditSms(node.platform, shop, first.payable!));
    const bare = { ...again!, text: again!.text.replace(/ \(UPI.*/, '') };
    await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
    const reported = other === 'together' ? [named!, bare] : [bare];
    const message = (await receiveMessages(node.platform, shop.monitor, reported)).at(-1);
    expect(message).toMatchObject({ state: 'ambiguous', orderId: null });
  },
);

test.each([
  ['whose day is over when the order comes', 3 * DAY],
  ['that may be another credit of its day', 2 * HOUR],
] as const)('a message is not taken for that of a supplemented order: one %s', async (_, before) => {
  const send = async (message: ReportedMessage) => {
    await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
    return (await receiveMessages(node.platform, shop.monitor, [message]))[0];
  };
  // It is morning in India.
  await pass(DAY - (node.clock.now().getTime() % DAY));
  const sms = creditSms(node.platform, shop, 900_00n);
  expect(await send(sms)).toMatchObject({ state: 'unmatched' });
  await pass(before);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(node.platform, shop.merchantId, { amount: 900_00n });
  await pass(20 * HOUR);
  expect(await book(order, newReference())).toMatchObject({ status: 6, received: 900_00n });
  await pass(5 * HOUR);
  const { messageId, receivedAt } = creditSms(node.platform, shop, 900_00n);
  const bare = { ...sms, messageId, receivedAt, text: sms.text.replace(/ \(UPI.*/, '') };
  expect(await send(bare)).toMatchObject({ orderId: null });
});

test('an order whose allocation failed is booked only as an offset', async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  const order = await createOne(node.platform, shop.merchantId);
  expect(order.status).toBe(5);
  expect(await book(order, newReference())).toMatchObject({ code: 'actionNotAllowed' });
  expect(await book(order, newReference(), true)).toMatchObject({ status: 6, received: order.amount });
});

test.each([false, true])('after a release (offset %s) an order is booked only by hand', async (offset) => {
  const order = await createOne(node.platform, shop.merchantId);
  await freeResource(node.platform, desk(), { orderId: order.id, offset });
  const { state, reference } = await told(order.payable!);
  expect(state).toBe('unmatched');
  expect(await book(order, reference)).toMatchObject({ status: 6 });
});

test('a credit whose reference is used does not keep another credit of its report from the order of their amount', async () => {
  const [paid, order] = [
    await createOne(node.platform, shop.merchantId, { amount: 700_00n }),
    await createOne(node.platform, shop.merchantId, { amount: 800_00n }),
  ];
  const used = newReference();
  await book(paid, used);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const told = await receiveMessages(node.platform, shop.monitor, [
    creditSms(node.platform, shop, order.payable!, { reference: used }),
    creditSms(node.platform, shop, order.payable!),
  ]);
  expect(told.map(({ state }) => state)).toEqual(['ambiguous', 'matched']);
  expect(await now(order)).toMatchObject({ status: 6 });
});
