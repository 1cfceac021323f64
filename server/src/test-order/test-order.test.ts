import { reverse as reverseOrder } from '@sangam/contract/endpoints/order.ts';
import { updateLimits } from '@sangam/contract/endpoints/merchant.ts';
import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import * as contract from '@sangam/contract/endpoints/test-order.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign as signature } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { post } from '../testing/call.ts';
import { createOne, creditSms, makeShop, newReference, type Shop, statedSms } from '../testing/payments.ts';
import { createTestUser } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, viewerOf } from '../testing/world.ts';

let node: TestPlatform;
let app: FastifyInstance;
let shop: Shop;
let boss: Viewer;
beforeAll(async () => {
  node = await createTestPlatform({ demo: true });
  app = await node.app();
  shop = await makeShop(node.platform);
  const { id } = await createTestUser(node.platform, 'superAdmin');
  boss = viewerOf(node.platform, { role: 'superAdmin', userId: id });
});
afterAll(() => node.close());

const sign = () =>
  ask(node.platform, boss, contract.signTestOrder, {
    merchantId: String(shop.merchantId),
    productId: 1010,
    amount: 500_00,
  });
const read = (mchOrderNo: string) => ask(node.platform, boss, contract.getTestOrder, { mchOrderNo });

test('a test order runs the real code and moves no money: marked, paid, notified and reversed at once', async () => {
  const { platform } = node;
  const owners = async () => ({
    merchant: (await balancesIn(platform, 'merchant', shop.merchantId))['available'] ?? 0n,
    deposit: (await balancesIn(platform, 'supplier', shop.supplierId))['deposit'],
    commission: (await balancesIn(platform, 'supplier', shop.supplierId))['commission'] ?? 0n,
  });
  const before = await owners();
  const { mchOrderNo, fields } = await sign();
  expect(await read(mchOrderNo)).toMatchObject({ orderCode: null, steps: [], canPay: false });
  expect((await post(app, createOrder.path, { ...fields, amount: '60000' })).code).not.toBe(200);
  expect((await post(app, createOrder.path, fields)).code).toBe(200);
  const created = await read(mchOrderNo);
  expect(created).toMatchObject({ status: 1, payable: 500_00, canPay: true, payUrl: expect.any(String) });
  expect(await ask(platform, boss, contract.payTestOrder, { mchOrderNo })).toEqual({ state: 'matched' });
  const paid = await read(mchOrderNo);
  expect(paid.steps.map(({ kind }) => kind)).toEqual(['created', 'allocated', 'paid', 'reversed']);
  expect(paid).toMatchObject({ status: 6, canPay: false });
  expect(await owners()).toEqual(before);
  const again = await askRefused(platform, boss, reverseOrder, { orderCode: paid.orderCode });
  expect(again.code).toBe('approvalNeeded');
  const [row] = await platform.db.query(sql`
    select o.mark, c.kind, c.url
    from collection_orders o join callbacks c on c.order_id = o.id where o.id = ${BigInt(paid.orderCode!)}`);
  expect(row).toMatchObject({ mark: 2, kind: 'paid', url: fields['notifyUrl'] });
  expect(await brokenChecks(platform)).toEqual([]);
});

test('a test order passes its merchant’s list of addresses for some minutes; a payout, and an order of any other number, do not', async () => {
  const { platform } = node;
  const { merchantId, secret } = await makeMerchant(platform);
  const admin = viewerOf(platform, {
    role: 'admin',
    userId: (await createTestUser(platform, 'admin')).id,
  });
  const id = String(merchantId);
  await ask(platform, admin, updateLimits, { id, payInIps: ['203.0.113.7'], payoutIps: ['203.0.113.7'] });
  const asked = { merchantId: id, productId: 1010, amount: 500_00 };
  const { mchOrderNo, fields } = await ask(platform, boss, contract.signTestOrder, asked);
  const late = await ask(platform, boss, contract.signTestOrder, asked);
  const signed = ({ sign: _, ...call }: Record<string, string>) => ({
    ...call,
    sign: signature(call, 'hmac-sha256', secret, callLine(createOrder)),
  });
  const code = async (call: Record<string, string>) => (await post(app, createOrder.path, call)).code;
  expect(await code(signed({ ...fields, nonce: 'n-payout-0001', productId: '2012' }))).toBe(1107);
  expect(await code(signed({ ...fields, nonce: 'n-other-00001', mchOrderNo: `${mchOrderNo}1` }))).toBe(1107);
  expect(await code(fields)).toBe(200);
  expect(await read(mchOrderNo)).toMatchObject({ status: 1 });
  const [made] = await platform.db.query(
    sql`select mark from collection_orders where mch_order_no = ${mchOrderNo}`,
  );
  expect(made).toEqual({ mark: ORDER_MARK.test });
  node.clock.advance(5 * MINUTE + 1);
  const again = { ...late.fields, nonce: 'n-late-000001', timestamp: String(node.clock.now().getTime()) };
  expect(await code(signed(again))).toBe(1107);
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
});

test('the catcher shows what arrives, and acknowledges it', async () => {
  const { mchOrderNo, fields } = await sign();
  const path = new URL(fields['notifyUrl']!).pathname;
  const answer = await app.inject({ method: 'POST', url: path, payload: { status: '1' } });
  expect([answer.statusCode, answer.body]).toEqual([200, 'success']);
  await app.inject({ method: 'GET', url: `${path}?status=1&sign=x` });
  const { caught } = await read(mchOrderNo);
  expect(caught.map(({ body }) => body)).toEqual(['{"status":"1"}', 'status=1&sign=x']);
  const stranger = await app.inject({ method: 'POST', url: `${path}x`, payload: {} });
  expect(stranger.statusCode).toBe(404);
});

test('a number that only looks like a test order’s is an ordinary order; a test’s reference pays no other', async () => {
  const { platform } = node;
  const ordinary = await createOne(platform, shop.merchantId, { mchOrderNo: 'TEST-ORDER-1' });
  const before = (await balancesIn(platform, 'merchant', shop.merchantId))['available'] ?? 0n;
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, ordinary.payable!)]);
  expect((await balancesIn(platform, 'merchant', shop.merchantId))['available']).toBeGreaterThan(before);

  const { mchOrderNo, fields } = await sign();
  await post(app, createOrder.path, fields);
  const { payable } = await read(mchOrderNo);
  const reference = newReference();
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, BigInt(payable!), { reference })]);
  const used = await platform.db.query(sql`select 1 from utr_uses where utr = ${reference}`);
  expect(used).toHaveLength(1);
  expect(await brokenChecks(platform)).toEqual([]);
  const list = (await ask(platform, boss, contract.getTestOrders)).list.map((each) => each.mchOrderNo);
  expect(list).toContain(mchOrderNo);
  expect(list).not.toContain('TEST-ORDER-1');
});

test('nobody alone joins a payer’s credit to a test order, which charges nobody', async () => {
  const { platform, clock } = node;
  await platform.db.query(sql`update resources set state = 1`);
  const own = await makeShop(platform);
  const sum = 5_000_00n;
  const reference = newReference();
  let balance = 0n;
  for (const amount of [100_00n, 150_00n, sum]) {
    clock.advance(MINUTE);
    balance += amount;
    const movement = { amount, balance, ...(amount === sum && { reference }) };
    await receiveMessages(platform, own.monitor, [statedSms(platform, own, movement)]);
  }
  await platform.db.query(sql`update monitors set last_seen_at = ${clock.now()}`);
  const asked = { merchantId: String(own.merchantId), productId: 1010, amount: Number(sum) };
  const { mchOrderNo, fields } = await ask(platform, boss, contract.signTestOrder, asked);
  await post(app, createOrder.path, fields);
  const orderId = BigInt((await read(mchOrderNo)).orderCode!);
  const joined = { orderId, utr: reference, offset: false };
  expect(await supplement(platform, boss, joined)).toMatchObject({ code: 'approvalNeeded' });

  const other = await sign();
  await post(app, createOrder.path, other.fields);
  const typed = {
    ...joined,
    orderId: BigInt((await read(other.mchOrderNo)).orderCode!),
    utr: newReference(),
  };
  expect(await supplement(platform, boss, typed)).toMatchObject({ status: 6 });
});

test('outside the demo no button pays, and unknown merchants and numbers are not found', async () => {
  const elsewhere = await createTestPlatform();
  const refused = await askRefused(elsewhere.platform, boss, contract.payTestOrder, { mchOrderNo: 'x' });
  expect(refused.code).toBe('actionNotAllowed');
  await elsewhere.close();
  const unknown = { merchantId: '1', productId: 1010, amount: 100 };
  expect((await askRefused(node.platform, boss, contract.signTestOrder, unknown)).code).toBe('notFound');
  expect((await askRefused(node.platform, boss, contract.getTestOrder, { mchOrderNo: 'x' })).code).toBe(
    'notFound',
  );
});

test('a payout is not signed as a test order, nor a field whose `&` would make other fields', async () => {
  const asked = { merchantId: String(shop.merchantId), productId: 1010, amount: 500_00 };
  const problem = async (input: object) => {
    const { code, params } = await askRefused(node.platform, boss, contract.signTestOrder, {
      ...asked,
      ...input,
    });
    return { code, ...params };
  };
  expect(await problem({ productId: 2012 })).toEqual({ code: 'productNotEnabled' });
  // The same signature would be valid for a payout to this address.
  expect(await problem({ userName: 'Me&vpa=mine@upi' })).toEqual({
    code: 'invalidInput',
    fields: 'userName',
  });
  expect(await problem({ notifyUrl: 'https://me.example/?a=1&productId=2012&vpa=mine@upi&z=' })).toEqual({
    code: 'invalidInput',
    fields: 'notifyUrl',
  });
});
