import { getPayoutBatchOptions } from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../testing/ask.ts';
import { makeBatchShop } from '../../testing/batches.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeAccount } from '../../testing/world.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

test('only accounts that a template fits are offered', async () => {
  const { platform } = world;
  const shop = await makeBatchShop(platform);
  const account = { supplierId: shop.supplierId, monitorId: null, direction: 'out', bank: 'ICIC' } as const;
  const byGateway = await makeAccount(platform, { ...account, products: [2010] });
  const byFile = await makeAccount(platform, { ...account, products: [2001] });
  const { accounts } = await ask(platform, shop.admin, getPayoutBatchOptions, {});
  const offered = accounts.map(({ id }) => id);
  expect(offered).toContain(String(byFile.accountId));
  expect(offered).not.toContain(String(byGateway.accountId));
});
