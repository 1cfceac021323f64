import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { createBatch } from './batch/create.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { batchRequest, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { makePayoutShop, newPayout, payOut } from '../testing/payouts.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { setTerms, viewerOf } from '../testing/world.ts';
import { cancelClaim } from './cancel-claim.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { createPayouts } from './create.ts';
import { reject } from './reject.ts';

const BANK = 2001;
let node: TestPlatform;
let other: Platform;
beforeAll(async () => {
  node = await createTestPlatform();
  other = node.anotherNode();
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

const limit = (ownerId: bigint, limits: { dailyCountLimit?: number; dailyAmountLimit?: bigint }) =>
  setTerms(node.platform, { ownerKind: 'supplier', ownerId, productId: BANK, ...limits });
const supplier = (supplierId: bigint) => viewerOf(node.platform, { role: 'supplier', supplierId });

/** The result of each claim: 'claimed', or the reason or code of its refusal. */
async function claimed(supplierId: bigint, orderIds: readonly bigint[], nodes = [node.platform]) {
  const results = await Promise.all(
    orderIds.map((id, index) => claim(nodes[index % nodes.length]!, supplier(supplierId), id)),
  );
  return results.map((result) =>
    isRefusal(result) ? ((result.data as { reason?: string })?.reason ?? result.code) : 'claimed',
  );
}

async function payouts(merchantId: bigint, count: number, amount = 500_00n) {
  const made = await createPayouts(
    node.platform,
    Array.from({ length: count }, () => newPayout(merchantId, { amount })),
  );
  return made.map((order) => {
    if (isRefusal(order)) throw new Error(order.code);
    return order.id;
  });
}

async function counted(supplierId: bigint) {
  const [row] = await node.platform.db.query<{ orders: number; amount: bigint }>(sql`
    select orders, amount from user_product_days where owner_kind = 'supplier' and owner_id = ${supplierId}
    order by day desc limit 1`);
  return row;
}

test('a supplier claims up to its daily count; what it gives back frees a place, the next day begins anew', async () => {
  const { merchantId, supplierId } = await makePayoutShop(node.platform);
  const [first, second, third] = await payouts(merchantId, 3);
  await limit(supplierId, { dailyCountLimit: 1 });
  expect(await claimed(supplierId, [first!])).toEqual(['claimed']);
  expect(await claimed(supplierId, [second!])).toEqual(['count']);
  await cancelClaim(node.platform, supplier(supplierId), first!);
  expect(await counted(supplierId)).toEqual({ orders: 0, amount: 0n });
  expect(await claimed(supplierId, [second!])).toEqual(['claimed']);
  // The desk ends it unpaid: it no longer counts as turnover of the supplier.
  await reject(node.platform, viewerOf(node.platform, { role: 'admin' }), { orderId: second!, reason: 'no' });
  expect(await claimed(supplierId, [first!])).toEqual(['claimed']);
  await confirmPaid(node.platform, supplier(supplierId), { orderId: first!, utr: '632500000001' });
  expect(await claimed(supplierId, [third!])).toEqual(['count']);
  node.clock.advance(DAY);
  expect(await claimed(supplierId, [third!])).toEqual(['claimed']);
});

test('a limit of amount set during the day counts what was claimed before, whenever it was created', async () => {
  const { merchantId, supplierId } = await makePayoutShop(node.platform);
  const ids = await payouts(merchantId, 3);
  node.clock.advance(DAY);
  expect(await claimed(supplierId, [ids[0]!])).toEqual(['claimed']);
  expect(await counted(supplierId)).toBeUndefined();
  await limit(supplierId, { dailyAmountLimit: 1_000_00n });
  expect(await claimed(supplierId, [ids[1]!])).toEqual(['claimed']);
  expect(await claimed(supplierId, [ids[2]!])).toEqual(['amount']);
  expect(await counted(supplierId)).toEqual({ orders: 2, amount: 1_000_00n });
});

test('claims on two nodes at once end exactly at the limit', async () => {
  const { merchantId, supplierId } = await makePayoutShop(node.platform);
  const ids = await payouts(merchantId, 14);
  await limit(supplierId, { dailyCountLimit: 5 });
  const results = await claimed(supplierId, ids, [node.platform, other]);
  expect(results.filter((each) => each === 'claimed')).toHaveLength(5);
  expect(results.filter((each) => each === 'count')).toHaveLength(9);
  expect(await counted(supplierId)).toEqual({ orders: 5, amount: 2_500_00n });
});

test('a batch takes only what its supplier’s limit leaves, and counts', async () => {
  const { platform } = node;
  // No payout of an earlier test fits.
  const shop = await makeBatchShop(platform);
  const wanted = { minAmount: 7_000_00, maxAmount: 7_000_00 };
  for (let made = 0; made < 3; made += 1) await payOut(platform, shop.merchantId, { amount: 7_000_00n });
  await limit(shop.supplierId, { dailyAmountLimit: 15_000_00n });
  expect(await makeBatch(platform, shop, wanted)).toMatchObject({ count: 2, sum: 14_000_00 });
  expect(await createBatch(platform, shop.admin, await batchRequest(platform, shop, wanted))).toMatchObject({
    code: 'dailyLimitReached',
  });
  expect(await counted(shop.supplierId)).toEqual({ orders: 2, amount: 14_000_00n });
});
