import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { MINUTE } from '../../platform/clock.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ask } from '../../testing/ask.ts';
import { type BatchShop, makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { brokenChecks } from '../../testing/books.ts';
import { handBack, payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { readPayout } from '../read.ts';
import { reject } from '../reject.ts';
import { unlock } from '../unlock.ts';
import { exportBatch } from './send.ts';

/** A bank's file is an order to pay. Once its payouts have changed it is not given out, and no old decision applies to a later file. */

let world: TestPlatform;
let shop: BatchShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const statusOf = async (id: bigint) => (await readPayout(world.platform.db, id))!.status;
const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never);

test('a refusal that was asked for while one file was out does nothing to the payout of the next', async () => {
  const { platform, clock } = world;
  await platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  const { id } = await payOut(platform, shop.merchantId, { amount: 501_00n });
  const atBankAndClosed = async () => {
    const { batchId } = await makeBatch(platform, shop);
    await as(batch.exportPayoutBatch, { batchId });
    await as(batch.markPayoutBatchSent, { batchId });
    await as(batch.closePayoutBatch, { batchId });
    clock.advance(MINUTE);
  };
  await atBankAndClosed();
  const { id: userId } = await makeUser(platform, { role: 'customerService' });
  const asked = await reject(platform, viewerOf(platform, { role: 'customerService', userId }), {
    orderId: id,
    reason: 'the first file was lost',
  });
  if (!isRefusal(asked) || asked.code !== 'approvalNeeded') throw new Error('refused by one person');
  await handBack(platform, shop, id);
  await atBankAndClosed();
  const todoId = BigInt((asked.data as { readonly todoId: string }).todoId);
  const decided = await decide(platform, APPROVAL_HANDLERS, shop.admin, { id: todoId, approve: true });
  expect(isRefusal(decided) && decided.code).toBe('conflict');
  expect(await statusOf(id)).toBe(7);
});

test('a file that is not marked as sent is not given out again once a payout of it was refunded', async () => {
  const { platform } = world;
  await platform.settings.write('UnprovenDayLimit', { INR: 10_000_00, KES: 0, USDT: 0 }, null);
  const { id } = await payOut(platform, shop.merchantId, { amount: 502_00n });
  await payOut(platform, shop.merchantId, { amount: 503_00n });
  const { batchId } = await makeBatch(platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  await unlock(platform, shop.admin, id);
  expect(await reject(platform, shop.admin, { orderId: id, reason: 'not wanted' })).toMatchObject({
    status: 6,
  });
  const again = await exportBatch(platform, shop.admin, batchId);
  expect(again).toMatchObject({ code: 'conflict', data: { reason: 'fileOutdated' } });
});
