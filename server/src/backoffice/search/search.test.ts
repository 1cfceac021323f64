import { search } from '@sangam/contract/endpoints/search.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CollectionOrder } from '../../collection/order.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { ask } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeSupplier, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';

let node: TestPlatform;
let shop: Shop;
let order: CollectionOrder;
const utr = newReference();

beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  order = await createOne(node.platform, shop.merchantId, { mchOrderNo: 'SHOP-4711' });
  const sms = creditSms(node.platform, shop, order.payable!, { reference: utr });
  await receiveMessages(node.platform, shop.monitor, [sms]);
});
afterAll(() => node.close());

const as = (role: Role, ids: { merchantId?: bigint; supplierId?: bigint } = {}) =>
  viewerOf(node.platform, { role, ...ids });
const find = async (viewer: Viewer, text: string) =>
  (await ask(node.platform, viewer, search, { text })).list.map(({ kind, id }) => `${kind} ${id}`);

test('an order is found by its code, its UTR and the number of its merchant', async () => {
  for (const text of [String(order.id), utr, 'SHOP-4711', ` ${utr} `]) {
    expect(await find(as('customerService'), text)).toEqual([`collectionOrder ${order.id}`]);
  }
});

test('only those who may see an order find it', async () => {
  const { supplierId } = await makeSupplier(node.platform);
  const hit = [`collectionOrder ${order.id}`];
  expect(await find(as('merchant', { merchantId: shop.merchantId }), utr)).toEqual(hit);
  expect(await find(as('supplier', { supplierId: shop.supplierId }), utr)).toEqual(hit);
  expect(await find(as('merchant', { merchantId: 1n }), utr)).toEqual([]);
  expect(await find(as('supplier', { supplierId }), utr)).toEqual([]);
  expect(await find(as('technicalSupport'), utr)).toEqual([]);
});

test('an account is found by its whole number, once, and shown masked to those who do not own it', async () => {
  const { list } = await ask(node.platform, as('admin'), search, { text: shop.accountNumber });
  expect(list).toHaveLength(1);
  expect(list[0]).toMatchObject({ kind: 'receivingAccount', id: String(shop.accountId) });
  expect(list[0]!.name).toContain(`**** ${shop.accountNumber.slice(-4)}`);
  expect(await find(as('merchant', { merchantId: shop.merchantId }), shop.accountNumber)).toEqual([]);
});

test('merchants and suppliers are found by id', async () => {
  expect(await find(as('admin'), String(shop.merchantId))).toContain(`merchant ${shop.merchantId}`);
  expect(await find(as('admin'), String(shop.supplierId))).toContain(`supplier ${shop.supplierId}`);
  expect(await find(as('supplier', { supplierId: shop.supplierId }), String(shop.merchantId))).toEqual([]);
});
