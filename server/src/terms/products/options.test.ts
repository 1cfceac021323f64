import { getOptions } from '@sangam/contract/endpoints/party.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { ask } from '../../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeMerchant, makeSupplier, viewerOf } from '../../testing/world.ts';
import { seedProducts } from './seed-products.ts';

let node: TestPlatform;
let merchantId: bigint;
let agentId: bigint;
let memberId: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  merchantId = (await makeMerchant(node.platform, { name: 'Shop' })).merchantId;
  agentId = (await makeSupplier(node.platform, { name: 'Agent' })).supplierId;
  memberId = (await makeSupplier(node.platform, { name: 'Member', agentId })).supplierId;
  await makeSupplier(node.platform, { name: 'Zed' });
});
afterAll(() => node.close());

async function names(viewer: Parameters<typeof viewerOf>[1]) {
  const options = await ask(node.platform, viewerOf(node.platform, viewer), getOptions);
  return {
    merchants: options.merchants.map((option) => option.name),
    suppliers: options.suppliers.map((option) => option.name),
    products: options.products.length,
  };
}

test('each viewer gets the options it may filter by', async () => {
  expect(await names({ role: 'customerService' })).toEqual({
    merchants: ['Shop'],
    suppliers: ['Agent', 'Member', 'Zed'],
    products: 15,
  });
  expect(await names({ role: 'supplier', supplierId: agentId })).toEqual({
    merchants: [],
    suppliers: ['Agent', 'Member'],
    products: 15,
  });
  expect(await names({ role: 'supplier', supplierId: memberId })).toEqual({
    merchants: [],
    suppliers: ['Member'],
    products: 15,
  });
  expect(await names({ role: 'merchant', merchantId })).toEqual({
    merchants: [],
    suppliers: [],
    products: 15,
  });
});

test('disabled products are not offered, and seeding again leaves them disabled', async () => {
  await node.platform.db.query(sql`update products set enabled = false, name = 'Old' where id = 1024`);
  await seedProducts(node.platform);
  expect((await names({ role: 'admin' })).products).toBe(14);
});
