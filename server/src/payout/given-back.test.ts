import { updateSupplier } from '@sangam/contract/endpoints/merchant.ts';
import { getSupplierList } from '@sangam/contract/endpoints/party.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { isRefusal } from '../platform/refusal.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, batchRequest, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { cancelBatch } from './batch/send.ts';
import { createBatch } from './batch/create.ts';
import { handleExceptions } from './batch/handle.ts';
import { cancelClaim } from './cancel-claim.ts';
import { CLAIM_LEASE, claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { expireClaims } from './expire-claims.ts';
import { reject } from './reject.ts';

/** A supplier takes payouts only to see their payees, and gives them back. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
  const { platform } = world;
  supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId, userId: shop.adminId });
  await platform.settings.write('ClaimsGivenBackPerDay', 4, null);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const said = (result: object) =>
  isRefusal(result) ? (result.data as { reason?: string } | undefined)?.reason : 'done';
const waiting = async () => (await payOut(world.platform, shop.merchantId, { amount: 100_00n })).id;
const take = async (id: bigint) => said(await claim(world.platform, supplier, id));

test('payouts that a supplier gives back from claims and batches are counted until the day ends; it may always give back what it holds', async () => {
  const { platform } = world;
  const [one, two, third] = [await waiting(), await waiting(), await waiting()];
  expect([await take(one), await take(two), await take(third)]).toEqual(['done', 'done', 'done']);
  await cancelClaim(platform, supplier, one);
  expect(said(await reject(platform, supplier, { orderId: two, reason: 'bank closed' }))).toBe('done');
  // The supplier still holds one. The other two wait, and a batch takes them.
  const batch = await createBatch(platform, supplier, await batchRequest(platform, shop));
  if (isRefusal(batch)) throw new Error(batch.code);
  expect(batch.count).toBe(2);
  const cancel = (viewer: Viewer) => cancelBatch(platform, viewer, { batchId: batch.batchId, reason: 'no' });
  expect(said(await cancel(supplier))).toBe('done');
  // Four were given back.
  expect(await take(one)).toBe('givenBack');
  expect(said(await createBatch(platform, supplier, await batchRequest(platform, shop)))).toBe('givenBack');
  expect(said(await cancelClaim(platform, supplier, third))).toBe('done');

  world.clock.advance(DAY);
  expect(await take(one)).toBe('done');
  await cancelClaim(platform, supplier, one);
  for (let more = 0; more < 3; more += 1) await waiting();
  const large = await createBatch(platform, supplier, await batchRequest(platform, shop));
  if (isRefusal(large)) throw new Error(large.code);
  const end = (viewer: Viewer) => cancelBatch(platform, viewer, { batchId: large.batchId, reason: 'no' });
  expect(said(await end(supplier))).toBe('givenBackBatch');
  expect(said(await end(shop.admin))).toBe('done');
});

test('rows that leave a batch before its export count as given back, up to the limit of the day', async () => {
  const { platform, clock } = world;
  clock.advance(DAY);
  for (let more = 0; more < 5; more += 1) await waiting();
  const batch = await createBatch(platform, supplier, await batchRequest(platform, shop));
  if (isRefusal(batch)) throw new Error(batch.code);
  const leave = (rows: readonly number[]) =>
    handleExceptions(platform, supplier, { batchId: batch.batchId, rows, action: 'return', reason: 'no' });
  expect(said(await leave([1, 2, 3, 4, 5]))).toBe('givenBackBatch');
  expect(said(await leave([1, 2, 3]))).toBe('done');
  // A row that has left the batch does not count again.
  expect(said(await leave([1]))).toBe('done');
  expect(said(await leave([4, 5]))).toBe('givenBackBatch');
  expect(said(await leave([4]))).toBe('done');
  expect(await take(await waiting())).toBe('givenBack');
  await cancelBatch(platform, shop.admin, { batchId: batch.batchId, reason: 'no' });
});

test('a claim that ran out counts towards the open claims an admin allows until the supplier says what became of it', async () => {
  const { platform, clock } = world;
  clock.advance(DAY);
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  const admin = viewerOf(platform, { role: 'admin', userId });
  await ask(platform, admin, updateSupplier, { id: String(shop.supplierId), openClaimsMax: 2 });
  const [listed] = (await ask(platform, admin, getSupplierList, { id: String(shop.supplierId) })).list;
  expect(listed!.openClaimsMax).toBe(2);
  const [one, two, third] = [await waiting(), await waiting(), await waiting()];
  expect([await take(one), await take(two)]).toEqual(['done', 'done']);
  clock.advance(CLAIM_LEASE);
  expect(await expireClaims(platform)).toBe(2);
  expect(await take(third)).toBe('openClaims');
  expect(said(await confirmPaid(platform, supplier, { orderId: one, utr: newReference() }))).toBe('done');
  expect(await take(third)).toBe('done');
});
