import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { SETTINGS } from '@sangam/contract/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ask } from '../../testing/ask.ts';
import { type BatchShop, makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { brokenChecks } from '../../testing/books.ts';
import { newReference } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { confirmPaid } from '../confirm-paid.ts';
import { readPayout } from '../read.ts';
import { unlock } from '../unlock.ts';
import { cancelBatch } from './send.ts';

/** A payout that the desk has unlocked is still the batch's, until somebody ends it. */

const LIMIT = BigInt(SETTINGS.UnprovenDayLimit.fallback.INR);
let world: TestPlatform;
let shop: BatchShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform, 10n ** 10n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const supplier = () => viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never);
const rows = async (batchId: string) =>
  (await ask(world.platform, shop.admin, batch.getPayoutBatchDetail, { batchId })).orders;
const reason = 'the bank is closed';

/** A batch of two payouts. The desk has unlocked the first. */
async function batchOf(amount: bigint) {
  const first = await payOut(world.platform, shop.merchantId, { amount });
  const second = await payOut(world.platform, shop.merchantId, { amount: 200_00n });
  const { batchId } = await makeBatch(world.platform, shop);
  const unlockFirst = () => unlock(world.platform, shop.admin, first.id);
  const statuses = () =>
    Promise.all([first, second].map(async ({ id }) => (await readPayout(world.platform.db, id))!.status));
  return { batchId, first, unlockFirst, statuses };
}

test.each(['before', 'after', 'without'] as const)(
  'a cancelled batch gives back what was unlocked %s the export as well',
  async (when) => {
    const { batchId, first, unlockFirst, statuses } = await batchOf(300_00n);
    if (when === 'before') await unlockFirst();
    if (when !== 'without') await as(batch.exportPayoutBatch, { batchId });
    if (when !== 'before') await unlockFirst();
    expect(await cancelBatch(world.platform, supplier(), { batchId, reason })).toMatchObject({
      status: 'cancelled',
    });
    expect(await statuses()).toEqual([0, 0]);
    expect((await rows(batchId)).map(({ state }) => state)).toEqual(['returned', 'returned']);
    expect(await readPayout(world.platform.db, first.id)).toMatchObject({
      supplierId: null,
      accountId: null,
    });
    const again = await makeBatch(world.platform, shop);
    expect(again.count).toBe(2);
    await as(batch.exportPayoutBatch, { batchId: again.batchId });
    await as(batch.markPayoutBatchSent, { batchId: again.batchId });
  },
);

test('what was confirmed after it was unlocked stays paid when its batch is cancelled', async () => {
  const { batchId, first, unlockFirst, statuses } = await batchOf(300_00n);
  await as(batch.exportPayoutBatch, { batchId });
  await unlockFirst();
  const paid = await confirmPaid(world.platform, supplier(), { orderId: first.id, utr: newReference() });
  expect(isRefusal(paid)).toBe(false);
  await as(batch.cancelPayoutBatch, { batchId, reason });
  expect(await statuses()).toEqual([3, 0]);
});

test('a supplier could pay an unlocked payout by hand, so giving it back counts as own word of staff, also without a file', async () => {
  const { batchId, unlockFirst, statuses } = await batchOf(LIMIT + 1n);
  await unlockFirst();
  const asked = await cancelBatch(world.platform, shop.admin, { batchId, reason });
  if (!isRefusal(asked) || asked.code !== 'approvalNeeded') throw new Error('cancelled by one person');
  expect(await statuses()).toEqual([1, 1]);
  const id = BigInt((asked.data as { readonly todoId: string }).todoId);
  const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
  const second = viewerOf(world.platform, { role: 'superAdmin', userId });
  expect(await decide(world.platform, APPROVAL_HANDLERS, second, { id, approve: true })).toMatchObject({
    status: 'approved',
  });
  expect(await statuses()).toEqual([0, 0]);
});
