import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { lastAllocation } from '../../collection/allocation-runs.ts';
import { createOrders } from '../../collection/create.ts';
import { expireDue } from '../../collection/expire.ts';
import { completeOrders } from '../../collection/complete.ts';
import { sql } from '../../platform/db/database.ts';
import { SYSTEM } from '../../history/events.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { makeShop, newOrder, type Shop } from '../../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { SEED, runsOf } from '../../testing/seed.ts';
import { makeAccount, makeMonitor, makeSupplier, setTerms } from '../../testing/world.ts';

const UPI = 1010;
let node: TestPlatform;
let other: Platform;
beforeAll(async () => {
  node = await createTestPlatform();
  other = node.anotherNode();
});
afterAll(() => node.close());

/** Limits of the merchant's or the supplier's terms. */
const limit = (
  ownerKind: 'merchant' | 'supplier',
  ownerId: bigint,
  limits: { dailyCountLimit?: number | null; dailyAmountLimit?: bigint | null },
) => setTerms(node.platform, { ownerKind, ownerId, productId: UPI, ...limits });

/** The result of each of the orders: 'allocated', 'no account' or the reason of its refusal. */
async function create(shop: Shop, count: number, amount = 500_00n, platform = node.platform) {
  const orders = Array.from({ length: count }, () => ({ ...newOrder(shop.merchantId), amount }));
  const results = await createOrders(platform, orders);
  return results.map((result) => {
    if (isRefusal(result))
      return result.code === 'dailyLimitReached' ? (result.data as { reason: string }).reason : result.code;
    return result.status === 1 ? 'allocated' : 'no account';
  });
}
const allocatedOf = (results: readonly string[]) => results.filter((each) => each === 'allocated').length;

/** Closes every other account. */
const onlyOpen = ({ accountId }: Shop) =>
  node.platform.db.query(
    sql`update resources set state = case when account_id = ${accountId} then 0 else 1 end`,
  );

async function counted(ownerKind: 'merchant' | 'supplier', ownerId: bigint) {
  const [row] = await node.platform.db.query<{ orders: number; amount: bigint }>(sql`
    select orders, amount from user_product_days where owner_kind = ${ownerKind} and owner_id = ${ownerId}
    order by day desc limit 1`);
  return row;
}

test('a merchant’s orders of a day end at its limit; the next day starts at zero', async () => {
  const shop = await makeShop(node.platform);
  await limit('merchant', shop.merchantId, { dailyCountLimit: 3 });
  expect(await create(shop, 5)).toEqual(['allocated', 'allocated', 'allocated', 'count', 'count']);
  expect(await create(shop, 1)).toEqual(['count']);
  await limit('merchant', shop.merchantId, { dailyCountLimit: null, dailyAmountLimit: 1_600_00n });
  expect(await create(shop, 2, 100_00n)).toEqual(['allocated', 'amount']);
  await limit('merchant', shop.merchantId, { dailyCountLimit: 1 });
  node.clock.advance(DAY);
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  expect(await create(shop, 2)).toEqual(['allocated', 'count']);
});

test('a limit set during the day counts the earlier orders of the day, without those that timed out', async () => {
  const shop = await makeShop(node.platform);
  await create(shop, 2);
  expect(await counted('merchant', shop.merchantId)).toBeUndefined();
  await limit('merchant', shop.merchantId, { dailyCountLimit: 3 });
  expect(await create(shop, 2)).toEqual(['allocated', 'count']);
  expect(await counted('merchant', shop.merchantId)).toEqual({ orders: 3, amount: 1_500_00n });
  node.clock.advance(20 * MINUTE);
  while ((await expireDue(node.platform)) > 0);
  expect(await counted('merchant', shop.merchantId)).toEqual({ orders: 0, amount: 0n });
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  expect(allocatedOf(await create(shop, 5))).toBe(3);
});

test('a late payment makes its order count again, even past the limit', async () => {
  const shop = await makeShop(node.platform);
  await onlyOpen(shop);
  await limit('merchant', shop.merchantId, { dailyCountLimit: 1 });
  await limit('supplier', shop.supplierId, { dailyCountLimit: 1 });
  const [order] = await createOrders(node.platform, [newOrder(shop.merchantId)]);
  if (!order || isRefusal(order)) throw new Error('refused');
  node.clock.advance(20 * MINUTE);
  while ((await expireDue(node.platform)) > 0);
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  expect(await create(shop, 1)).toEqual(['allocated']);
  const completion = {
    orderId: order.id,
    received: order.payable!,
    utr: null,
    by: 'message' as const,
    offset: false,
    actor: SYSTEM,
    data: {},
  };
  const [paid] = await node.platform.db.tx((tx) => completeOrders(node.platform, tx, [completion]));
  expect(paid).toMatchObject({ status: 6 });
  expect(await counted('merchant', shop.merchantId)).toMatchObject({ orders: 2 });
  expect(await counted('supplier', shop.supplierId)).toMatchObject({ orders: 2 });
  await node.platform.db.query(sql`update resources set state = 0`);
});

test('a supplier at its limit is passed over, and the explanation names the rule', async () => {
  const shop = await makeShop(node.platform);
  const second = await makeSupplier(node.platform);
  const { monitorId } = await makeMonitor(node.platform, { supplierId: second.supplierId });
  const { accountId } = await makeAccount(node.platform, { supplierId: second.supplierId, monitorId });
  // These two suppliers are preferred to all others in the database, the shop's own first.
  await setTerms(node.platform, {
    ownerKind: 'supplier',
    ownerId: shop.supplierId,
    productId: UPI,
    weight: 9_000,
    dailyCountLimit: 1,
  });
  await setTerms(node.platform, {
    ownerKind: 'supplier',
    ownerId: second.supplierId,
    productId: UPI,
    weight: 8_000,
  });
  const orders = await createOrders(node.platform, [newOrder(shop.merchantId), newOrder(shop.merchantId)]);
  const [first, next] = orders.map((order) => (isRefusal(order) ? undefined : order));
  expect([first?.accountId, next?.accountId]).toEqual([shop.accountId, accountId]);
  const run = await lastAllocation(node.platform.db, next!.id);
  const verdict = run?.candidates.find((each) => each.accountId === String(shop.accountId))?.verdict;
  expect(verdict).toBe('supplierDailyCountReached');
  for (const ownerId of [shop.supplierId, second.supplierId])
    await setTerms(node.platform, { ownerKind: 'supplier', ownerId, productId: UPI });
});

test(`two nodes at once stop exactly at the limit (seed ${SEED})`, async () => {
  let state = SEED;
  const random = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return 1 + (state % most);
  };
  for (let run = 0; run < runsOf(6); run += 1) {
    const shop = await makeShop(node.platform);
    const most = 10 + random(30);
    const ofMerchant = run % 2 === 0;
    if (ofMerchant) await limit('merchant', shop.merchantId, { dailyCountLimit: most });
    else {
      await onlyOpen(shop);
      await limit('supplier', shop.supplierId, { dailyAmountLimit: BigInt(most) * 500_00n });
    }
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        create(shop, random(9), 500_00n, index % 2 === 0 ? node.platform : other),
      ),
    );
    const allocated = allocatedOf(results.flat());
    expect(allocated).toBe(Math.min(most, results.flat().length));
    const [kind, id] = ofMerchant
      ? (['merchant', shop.merchantId] as const)
      : (['supplier', shop.supplierId] as const);
    expect(await counted(kind, id)).toEqual({ orders: allocated, amount: BigInt(allocated) * 500_00n });
  }
});
