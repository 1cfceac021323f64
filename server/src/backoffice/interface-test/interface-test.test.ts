import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import * as contract from '@sangam/contract/endpoints/interface-test.ts';
import { sign } from '@sangam/contract/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteControlChange } from '../../access/control-changes.ts';
import { DAY } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createOne, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';

let node: TestPlatform;
let shop: Shop;
let integrator: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  const { id: userId } = await makeUser(node.platform, { role: 'merchant' });
  integrator = viewerOf(node.platform, { role: 'merchant', userId, merchantId: shop.merchantId });
});
afterAll(() => node.close());

const secretOf = async () => {
  const [row] = await node.platform.db.query<{ secret: Buffer }>(
    sql`select secret from merchants where id = ${shop.merchantId}`,
  );
  return node.platform.vault.open(row!.secret, ['merchants.secret', shop.merchantId]);
};

test('the documentation has the merchant’s own id and products, never its secret', async () => {
  const answer = await ask(node.platform, integrator, contract.getInterface);
  expect(answer).toMatchObject({ mchId: String(shop.merchantId), signType: 'hmac-sha256' });
  expect(answer.products.map(({ productId, currency }) => `${productId} ${currency}`)).toEqual([
    '1010 INR',
    '1012 INR',
  ]);
  expect(JSON.stringify(answer)).not.toContain(await secretOf());
});

test('what is signed here is a real order when it is sent', async () => {
  const app = await node.app();
  const given = {
    mchId: '999',
    productId: '1010',
    mchOrderNo: 'IT-1',
    amount: '100000',
    notifyUrl: 'http://127.0.0.1:9/',
    subject: '',
  };
  const signed = await ask(node.platform, integrator, contract.signFields, { fields: given });
  // The merchant's own id, whatever was asked, and the further fields of the strong signature.
  expect(signed.fields).toMatchObject({ mchId: String(shop.merchantId), mchOrderNo: 'IT-1' });
  expect(signed.sign).toBe(sign(signed.fields, 'hmac-sha256', await secretOf()));
  expect(signed.stringToSign).not.toContain(await secretOf());
  expect(signed.url).toBe(createOrder.path);
  const response = await app.inject({
    method: 'POST',
    url: createOrder.path,
    payload: { ...signed.fields, sign: signed.sign },
  });
  expect(response.json()).toMatchObject({ code: 200 });
  expect(
    await node.platform.db.query(sql`
      select merchant_id as "merchantId" from collection_orders where mch_order_no = 'IT-1'`),
  ).toEqual([{ merchantId: shop.merchantId }]);
});

test('a callback is tried with a signature that holds, on an order that cannot exist', async () => {
  const heard: Record<string, string>[] = [];
  const sink = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      heard.push(JSON.parse(body) as Record<string, string>);
      response.end(' Success ');
    });
  });
  await new Promise<void>((listening) => sink.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/notify`;
  const tried = await ask(node.platform, integrator, contract.tryCallback, { url, paid: true });
  sink.close();
  expect(tried).toMatchObject({ httpMethod: 'POST', status: 200, acknowledged: true, error: null });
  const [{ sign: signature, ...fields }] = heard as [Record<string, string>];
  expect(fields['mchOrderNo']).toMatch(/^TEST/);
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  expect(signature).toBe(sign(texts, 'hmac-sha256', await secretOf()));
});

test('nothing is signed that could be sent as the notification of a real order', async () => {
  const order = await createOne(node.platform, shop.merchantId);
  const created = { mchOrderNo: order.mchOrderNo, productId: '1010', amount: '50000' };
  const names = async (fields: Record<string, string>) =>
    (await askRefused(node.platform, integrator, contract.signFields, { fields })).params;
  expect(
    await names({
      ...created,
      payOrderId: String(order.id),
      realAmount: '50000',
      income: '48500',
      status: '1',
      paySuccessTime: '2026-11-16 12:00:00',
    }),
  ).toEqual({ fields: 'income, payOrderId, paySuccessTime, realAmount, status' });
  expect(await names({ ...created, Status: '1' })).toEqual({ fields: 'Status' });
  // Other fields that make the same signed string.
  expect(await names({ ...created, productId: '1010&status=1' })).toEqual({ fields: 'status' });
  expect(await names({ ...created, 'productId=1010&status': '1' })).toEqual({ fields: 'status' });
});

test('a user reset within a day cannot sign with the merchant’s secret, because whoever reset it may be using it', async () => {
  const { platform, clock } = node;
  const { id: by } = await makeUser(platform, { role: 'admin' });
  const input = { fields: { productId: '2001', mchOrderNo: 'IT-2', amount: '50000' } };
  const { userId } = integrator;
  await platform.db.tx((tx) => noteControlChange(platform, tx, { userId, by, change: 'link' }));
  // Nobody has seen the merchant's first secret yet.
  await ask(platform, integrator, contract.signFields, input);
  await platform.db.query(
    sql`update merchants set secret_shown_at = ${clock.now()} where id = ${shop.merchantId}`,
  );
  expect(await askRefused(platform, integrator, contract.signFields, input)).toMatchObject({
    code: 'forbidden',
    data: { reason: 'freshUser' },
  });
  clock.advance(DAY);
  await ask(platform, integrator, contract.signFields, input);
});

test('nobody but a merchant’s user signs for it', async () => {
  const admin = viewerOf(node.platform, { role: 'admin' });
  for (const [endpoint, input] of [
    [contract.signFields, { fields: {} }],
    [contract.tryCallback, { url: 'http://127.0.0.1:9/', paid: true }],
  ] as const)
    expect((await askRefused(node.platform, admin, endpoint, input)).code).toBe('forbidden');
});
