import { copyUserProducts, setUserProduct } from '@sangam/contract/endpoints/terms.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createTestUser } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeMerchant, setTerms, viewerOf } from '../../testing/world.ts';

/** A new merchant gets the terms of another one, all of them by one decision. */

let node: TestPlatform;
let boss: Viewer;
let admin: Viewer;
let fromId: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  const user = async (role: 'superAdmin' | 'admin') =>
    viewerOf(node.platform, { role, userId: (await createTestUser(node.platform, role)).id });
  boss = await user('superAdmin');
  admin = await user('admin');
  fromId = (await makeMerchant(node.platform, { products: [] })).merchantId;
  const terms = { ownerKind: 'merchant', ownerId: fromId } as const;
  await setTerms(node.platform, { ...terms, productId: 1010, ratePpm: 21_000, dailyAmountLimit: 5_000_00n });
  await setTerms(node.platform, { ...terms, productId: 1045, ratePpm: 9_000, maxAmount: 700_000_000n });
  await setTerms(node.platform, { ...terms, productId: 2001, fixedFee: 6_00n });
  await setTerms(node.platform, { ...terms, productId: 1012, enabled: false });
});
afterAll(() => node.close());

const newMerchant = async () => (await makeMerchant(node.platform, { products: [] })).merchantId;
const input = (ownerId: bigint) => ({ ownerId: String(ownerId), fromId: String(fromId) });
const termsOf = (ownerId: bigint) =>
  node.platform.db.query<{ readonly productId: number; readonly ratePpm: number }>(sql`
    select product_id as "productId", rate_ppm as "ratePpm", fixed_fee as "fixedFee", max_amount as "maxAmount",
      daily_amount_limit as "dailyAmountLimit"
    from user_products where owner_kind = 'merchant' and owner_id = ${ownerId} and enabled order by product_id`);
async function asked(ownerId: bigint, by = admin): Promise<string> {
  const { code, data } = await askRefused(node.platform, by, copyUserProducts, input(ownerId));
  expect(code).toBe('approvalNeeded');
  return (data as { todoId: string }).todoId;
}

test('a copy is one request with every open product and its limits; once approved, all are in force', async () => {
  const merchant = await newMerchant();
  const id = await asked(merchant);
  expect(await termsOf(merchant)).toEqual([]);
  const { result } = await ask(node.platform, boss, decide, { id, approve: true });
  expect(result).toEqual({ productIds: [1010, 1045, 2001] });
  const copied = await termsOf(merchant);
  expect(copied.map(({ productId }) => productId)).toEqual([1010, 1045, 2001]);
  expect(copied[0]).toMatchObject({ ratePpm: 21_000, dailyAmountLimit: 5_000_00n });
  expect(copied[1]).toMatchObject({ ratePpm: 9_000, maxAmount: 700_000_000n });
  expect(copied[2]).toMatchObject({ fixedFee: 6_00n });
});

test('a superAdmin copies nothing alone; a copy holds only products for which the merchant has no terms', async () => {
  const merchant = await newMerchant();
  await setTerms(node.platform, {
    ownerKind: 'merchant',
    ownerId: merchant,
    productId: 1010,
    ratePpm: 44_000,
  });
  const id = await asked(merchant, boss);
  expect(await termsOf(merchant)).toHaveLength(1);
  expect((await askRefused(node.platform, boss, decide, { id, approve: true })).code).toBe('forbidden');
  expect((await ask(node.platform, admin, decide, { id, approve: true })).result).toEqual({
    productIds: [1045, 2001],
  });
  expect((await termsOf(merchant))[0]).toMatchObject({ productId: 1010, ratePpm: 44_000 });
  const again = await askRefused(node.platform, boss, copyUserProducts, input(merchant));
  expect([again.code, again.data]).toEqual(['conflict', { reason: 'nothingToCopy' }]);
});

test('scheduled terms are the merchant’s own: nobody copies other terms before them', async () => {
  const merchant = await newMerchant();
  const own = {
    ownerKind: 'merchant',
    ownerId: String(merchant),
    productId: 1010,
    enabled: true,
    ratePpm: 44_000,
    fixedFee: 0,
    minAmount: 100,
    maxAmount: 5_000_00,
    effectiveTime: formatTime(new Date(node.clock.now().getTime() + HOUR)),
  };
  const { data } = await askRefused(node.platform, admin, setUserProduct, own);
  const approve = (id: string) => ask(node.platform, boss, decide, { id, approve: true });
  await approve((data as { todoId: string }).todoId);
  expect((await approve(await asked(merchant))).result).toEqual({ productIds: [1045, 2001] });
});

test('a copy requested before the merchant got its own terms changes none of them', async () => {
  const merchant = await newMerchant();
  const id = await asked(merchant);
  await setTerms(node.platform, { ownerKind: 'merchant', ownerId: merchant, productId: 2001, ratePpm: 1 });
  expect((await askRefused(node.platform, boss, decide, { id, approve: true })).code).toBe('conflict');
  expect((await termsOf(merchant)).map(({ productId }) => productId)).toEqual([2001]);
});

test('nobody but an admin copies, and only between merchants that exist', async () => {
  const merchant = await newMerchant();
  for (const role of ['customerService', 'merchant'] as const) {
    const viewer = viewerOf(node.platform, { role, merchantId: merchant });
    expect((await askRefused(node.platform, viewer, copyUserProducts, input(merchant))).code).toBe(
      'forbidden',
    );
  }
  for (const wrong of [
    { ownerId: '999999', fromId: String(fromId) },
    { ownerId: String(merchant), fromId: '999999' },
  ])
    expect((await askRefused(node.platform, boss, copyUserProducts, wrong)).code).toBe('notFound');
});
