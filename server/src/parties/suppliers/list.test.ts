import { getSupplierList } from '@sangam/contract/endpoints/party.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { ask } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeAccount, makeSupplier, topUpDeposit, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

async function rowOf(id: bigint) {
  const viewer = viewerOf(node.platform, { role: 'customerService' });
  return (await ask(node.platform, viewer, getSupplierList)).list.find((row) => row.id === String(id));
}

test('the list shows an agent’s team and a supplier’s agent', async () => {
  const agent = await makeSupplier(node.platform, { name: 'Agent' });
  const member = await makeSupplier(node.platform, { agentId: agent.supplierId });
  expect(await rowOf(agent.supplierId)).toMatchObject({ isAgent: true, agentName: null });
  expect(await rowOf(member.supplierId)).toMatchObject({
    isAgent: false,
    agentName: 'Agent',
    kyc: 'approved',
  });
});

test('a row has terms, deposits, accounts and the sums of today', async () => {
  const { platform } = node;
  const shop = await makeShop(platform, 5_000_00n);
  await makeAccount(platform, { supplierId: shop.supplierId, monitorId: null, state: 1 });
  await topUpDeposit(platform, shop.supplierId, 'USDT', 9_000_000n);
  await createOne(platform, shop.merchantId);
  const paid = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, paid.payable!)]);

  const row = await rowOf(shop.supplierId);
  expect(row).toMatchObject({ accountCount: 2, enabledAccountCount: 1, todayOrders: 2, todayPaid: 1 });
  expect(row?.products.map(({ productId, ratePpm }) => [productId, ratePpm])).toEqual([
    [1010, 10_000],
    [1012, 10_000],
  ]);
  expect(row?.balances).toContainEqual({
    currency: 'INR',
    bucket: 'deposit',
    balance: 5_000_00 - Number(paid.payable),
  });
  expect(row?.balances).toContainEqual({ currency: 'USDT', bucket: 'deposit', balance: 9_000_000 });
});

test('even without the access list a supplier sees only itself and a merchant nobody', async () => {
  const { supplierId } = await makeSupplier(node.platform);
  const as = async (viewer: Parameters<typeof viewerOf>[1]) =>
    (await ask(node.platform, viewerOf(node.platform, viewer), getSupplierList)).list.map((row) => row.id);
  expect(await as({ role: 'supplier', supplierId })).toEqual([String(supplierId)]);
  expect(await as({ role: 'merchant', merchantId: 10_001n })).toEqual([]);
});
