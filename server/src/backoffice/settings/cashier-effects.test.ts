import { addListedName } from '@sangam/contract/endpoints/name-list.ts';
import { payPage, payPicture, payerName } from '@sangam/contract/endpoints/outside.ts';
import { updateProduct } from '@sangam/contract/endpoints/product.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import type { SettingName, SettingValues } from '@sangam/contract/settings.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { payUrlOf } from '../../collection/pay-params.ts';
import { readOrder } from '../../collection/read.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { call, post } from '../../testing/call.ts';
import { createOne, creditSms, makeShop } from '../../testing/payments.ts';
import { createTestUser } from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, viewerOf } from '../../testing/world.ts';

/** Settings that payers notice. Each is flipped, and the test checks the difference. */

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

const set = <Name extends SettingName>(name: Name, value: SettingValues[Name]) =>
  node.platform.settings.write(name, value, null);

test('IsNewPayUrl: off, payers are sent to the product’s own address, where it has one', async () => {
  const { platform } = node;
  await makeShop(platform);
  const { id: userId } = await createTestUser(platform, 'superAdmin');
  const boss = viewerOf(platform, { role: 'superAdmin', userId });
  const address = (productId: number) => payUrlOf(platform, { id: 77n, productId });
  const token = platform.vault.payToken(77n);
  const template = 'https://cashier.example.com/order/{orderCode}?t={token}';
  // Needs a second person: whoever set it alone could show payers a page of their own.
  const asked = await askRefused(platform, boss, updateProduct, { id: 1010, payUrlTemplate: template });
  expect(asked.code).toBe('approvalNeeded');
  await set('IsNewPayUrl', false);
  expect(await address(1010)).toMatch(new RegExp(`/pay/${token}$`));
  const second = viewerOf(platform, { role: 'admin', userId: (await createTestUser(platform, 'admin')).id });
  const { todoId } = asked.data as { readonly todoId: string };
  await ask(platform, second, decide, { id: todoId, approve: true });
  expect(await address(1010)).toBe(`https://cashier.example.com/order/77?t=${token}`);
  expect(await address(1012)).toMatch(new RegExp(`/pay/${token}$`));
  await ask(platform, boss, updateProduct, { id: 1010, payUrlTemplate: '' });
  expect(await address(1010)).toMatch(new RegExp(`/pay/${token}$`));
  for (const wrong of ['javascript:{token}', 'https://cashier.example.com/', 'https://{token}/x'])
    expect(updateProduct.input.safeParse({ id: 1010, payUrlTemplate: wrong }).success).toBe(false);
});

test('AlipayToAlipayByHandSubmitName: a wallet’s account is shown to a payer who has given a name, and matched by it', async () => {
  const { platform } = node;
  const wallet = 1021;
  const { merchantId } = await makeMerchant(platform, { products: [wallet, 1010] });
  const { supplierId } = await makeSupplier(platform, { products: [wallet, 1010] });
  const { monitorId } = await makeMonitor(platform, { supplierId });
  await makeAccount(platform, { supplierId, monitorId, products: [wallet, 1010], weight: 9_999 });
  const pageOf = async ({ id }: { id: bigint }) =>
    (await call(app, 'GET', payPage.path.replace(':token', platform.vault.payToken(id)))).data as {
      needsName: boolean;
      payParams: object | null;
    };
  const give = async ({ id }: { id: bigint }, name: string) =>
    (await post(app, payerName.path.replace(':token', platform.vault.payToken(id)), { name })).code;
  const order = await createOne(platform, merchantId, { productId: wallet });
  const named = await createOne(platform, merchantId, { productId: wallet, userName: 'Asha Rao' });
  const upi = await createOne(platform, merchantId, { productId: 1010 });
  expect(await pageOf(order)).toMatchObject({ needsName: false, payParams: expect.anything() });
  expect(await give(order, 'Ravi Kumar')).toBe(1201);

  await set('AlipayToAlipayByHandSubmitName', true);
  expect(await pageOf(order)).toMatchObject({ needsName: true, payParams: null });
  expect(
    (await call(app, 'GET', payPicture.path.replace(':token', platform.vault.payToken(order.id)))).code,
  ).toBe(404);
  for (const known of [named, upi])
    expect(await pageOf(known)).toMatchObject({ needsName: false, payParams: expect.anything() });

  expect(await give(order, '  ')).toBe(400);
  // A name that an order would be refused for, if its merchant gave it.
  const { id: userId } = await createTestUser(platform, 'superAdmin');
  const boss = viewerOf(platform, { role: 'superAdmin', userId });
  await ask(platform, boss, addListedName, { name: 'Vikram Batra', reason: 'court order' });
  expect(await give(order, 'BATRA, Vikram')).toBe(1108);
  expect(await pageOf(order)).toMatchObject({ needsName: true, payParams: null });
  expect(await give(order, 'Ravi Kumar')).toBe(200);
  expect(await pageOf(order)).toMatchObject({ needsName: false, payParams: expect.anything() });
  // A name once given cannot change, so that a person with the page's address cannot make the order somebody else's.
  expect(await give(order, 'Somebody Else')).toBe(1201);
  const rows = await platform.db.query(sql`
    select o.user_name as "order", w.user_name as waiting from collection_orders o join waiting_orders w on w.order_id = o.id
    where o.id = ${order.id}`);
  expect(rows).toEqual([{ order: 'Ravi Kumar', waiting: 'Ravi Kumar' }]);
});

test('EnableIpChangedCheck: on, a payer from another address than the merchant named marks the order suspicious', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { clientIp: '198.51.100.4' });
  const open = async (ip: string) => {
    const path = payPage.path.replace(':token', platform.vault.payToken(order.id));
    await call(app, 'GET', path, {}, { 'x-forwarded-for': ip });
    const rows = await platform.db.query<{ mark: number }>(
      sql`select mark from collection_orders where id = ${order.id}`,
    );
    return rows[0]!.mark;
  };
  expect(await open('203.0.113.7')).toBe(0);
  await set('EnableIpChangedCheck', true);
  expect(await open('198.51.100.4')).toBe(0);
  expect(await open('203.0.113.7')).toBe(1);
  expect(await open('203.0.113.8')).toBe(1);
  const events = await platform.db.query(
    sql`select ip from order_events where order_id = ${order.id} and kind = 'marked'`,
  );
  expect(events).toEqual([{ ip: '203.0.113.7' }]);
});

test.each([
  ['a text that is no address', 'the shop’s app', '203.0.113.7'],
  ['another spelling of the address', '2001:db8::7', '2001:DB8:0::7'],
  ['an IPv4 address that came as IPv6', '203.0.113.7', '::ffff:203.0.113.7'],
])('EnableIpChangedCheck: %s marks no order', async (_what, clientIp, ip) => {
  const { platform } = node;
  await set('EnableIpChangedCheck', true);
  const shop = await makeShop(platform);
  const { id } = await createOne(platform, shop.merchantId, { clientIp });
  const path = payPage.path.replace(':token', platform.vault.payToken(id));
  expect(await call(app, 'GET', path, {}, { 'x-forwarded-for': ip })).toMatchObject({ code: 200 });
  expect(await readOrder(platform.db, id)).toMatchObject({ mark: 0 });
});

test('AllowOneMonitorAccountMoreUser: a message of another supplier’s account is that supplier’s', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const { supplierId } = await makeSupplier(platform);
  const { accountId, accountNumber } = await makeAccount(platform, {
    supplierId,
    monitorId: shop.monitor.id,
    weight: 9_999,
  });
  const order = await createOne(platform, shop.merchantId);
  expect(order.accountId).toBe(accountId);
  await receiveMessages(platform, shop.monitor, [
    creditSms(platform, { ...shop, accountNumber }, order.payable!),
  ]);
  const rows = await platform.db.query(sql`
    select state, supplier_id as "supplierId", account_id as "accountId" from messages where order_id = ${order.id}`);
  expect(rows).toEqual([{ state: 'matched', supplierId, accountId }]);
});
