import { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../platform/clock.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { sql } from '../../platform/db/database.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { ask } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeMerchant, setKyc, setTerms, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
});
afterAll(() => node.close());

const list = (query: Record<string, unknown> = {}) =>
  ask(node.platform, viewerOf(node.platform, { role: 'admin' }), getMerchantList, query);
const rowOf = async (id: bigint) => (await list({ pageSize: 500 })).list.find((row) => row.id === String(id));

test('a row has terms, balances and the sums of today', async () => {
  const { platform } = node;
  await createOne(platform, shop.merchantId);
  node.clock.advance(DAY);
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  await createOne(platform, shop.merchantId);
  const paid = await createOne(platform, shop.merchantId, { amount: 1_000_00n });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, paid.payable!)]);
  const tried = await createOne(platform, shop.merchantId, { amount: 2_000_00n });
  await platform.db.query(sql`update collection_orders set mark = ${ORDER_MARK.test} where id = ${tried.id}`);

  const row = await rowOf(shop.merchantId);
  expect(row).toMatchObject({
    enabled: true,
    signType: 'hmac-sha256',
    callbackTransport: null,
    kyc: 'approved',
  });
  expect(row).toMatchObject({ todayOrders: 2, todayPaid: 1 });
  expect(
    row?.products.map(({ productId, productName, ratePpm }) => ({ productId, productName, ratePpm })),
  ).toEqual([
    { productId: 1010, productName: 'UPI', ratePpm: 30_000 },
    { productId: 1012, productName: 'Bank transfer', ratePpm: 30_000 },
  ]);
  expect(row?.balances).toContainEqual({ currency: 'INR', bucket: 'available', balance: 970_00 });
});

test('a merchant without terms, balances and orders is listed', async () => {
  const { merchantId } = await makeMerchant(node.platform, { products: [] });
  expect(await rowOf(merchantId)).toMatchObject({ products: [], balances: [], todayOrders: 0, todayPaid: 0 });
});

test('KYC shows pending, rejected and expired', async () => {
  const { platform, clock } = node;
  const { merchantId } = await makeMerchant(platform);
  const kyc = async () => (await rowOf(merchantId))?.kyc;
  await setKyc(platform, { subject: 'merchant', id: merchantId, verdict: 'pending' });
  expect(await kyc()).toBe('pending');
  await setKyc(platform, { subject: 'merchant', id: merchantId, verdict: 'rejected' });
  expect(await kyc()).toBe('rejected');
  await setKyc(platform, { subject: 'merchant', id: merchantId, expiresAt: clock.now() });
  expect(await kyc()).toBe('expired');
});

test('a product switched off for the merchant shows as off', async () => {
  const { merchantId } = await makeMerchant(node.platform, { products: [1010] });
  await setTerms(node.platform, {
    ownerKind: 'merchant',
    ownerId: merchantId,
    productId: 1010,
    enabled: false,
  });
  expect((await rowOf(merchantId))?.products).toMatchObject([{ productId: 1010, enabled: false }]);
});

test('filters by part of the name or account, taken literally, and by enabled', async () => {
  const { merchantId } = await makeMerchant(node.platform, { name: '100% Tea_House' });
  const names = async (query: object) => (await list({ ...query })).list.map((row) => row.name);
  expect(await names({ name: 'tea_h' })).toEqual(['100% Tea_House']);
  expect(await names({ name: 'tea%h' })).toEqual([]);
  const account = (await rowOf(merchantId))!.account;
  expect(await names({ name: account.toUpperCase() })).toEqual(['100% Tea_House']);
  expect(await names({ name: 'tea', enabled: 0 })).toEqual([]);
});

test('even without the access list a merchant sees only itself and a supplier nobody', async () => {
  const as = async (viewer: Parameters<typeof viewerOf>[1]) =>
    (await ask(node.platform, viewerOf(node.platform, viewer), getMerchantList)).list.map((row) => row.id);
  expect(await as({ role: 'merchant', merchantId: shop.merchantId })).toEqual([String(shop.merchantId)]);
  expect(await as({ role: 'supplier', supplierId: shop.supplierId })).toEqual([]);
});
