import { withoutListed } from '../listed-payees.ts';
import { createHash } from 'node:crypto';
import { MOST_BATCH_ORDERS } from '@sangam/contract/payout-batches.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import { MINUTE } from '../../platform/clock.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Sql, type Tx, sql } from '../../platform/db/database.ts';
import type { PayoutOrder } from '../order.ts';
import { mayGiveBack } from '../given-back.ts';
import { countWaiting, lockWaiting, takeIntoBatch } from '../in-batch.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { eventOf, lockName } from './act.ts';
import { dayLimits } from './limits.ts';
import { type Selection, type Selected, selectPayouts } from './select.ts';
import { type Batch, batchOfKey, insertBatch, insertBatchOrders, nextSerial } from './store.ts';
import { modeOf } from './templates/render.ts';

/** The time to pay may be past by this much: the clock of the requester may be behind. */
const A_MOMENT = MINUTE;

export interface BatchRequest extends Selection {
  /** The most payouts to take: the oldest that fit. */
  readonly orderCount: number;
  readonly payTime: string;
  /** Chosen by the requester. The same request with the same key answers the same batch. */
  readonly key: string;
}

export interface CreatedBatch {
  readonly batchId: string;
  readonly count: number;
  readonly sum: number;
  readonly currency: Currency;
}

/**
 * Makes a batch of the oldest waiting payouts that fit, in one transaction. 1301: more than 500 asked for. 409: none fits, the key was used
 * for another request, or the time to pay has passed. Batches of one account are made one after the other. Batches of different accounts
 * pass over payouts that another one is taking.
 */
export function createBatch(
  platform: Platform,
  viewer: Viewer,
  request: BatchRequest,
): Promise<CreatedBatch | Refusal> {
  if (request.orderCount > MOST_BATCH_ORDERS) return Promise.resolve(refuse('tooManyOrders'));
  const payAt = parseTime(request.payTime)!;
  const payDay = businessDay(payAt);
  return platform.db.tx(async (tx) => {
    const contentHash = hashOf(request);
    const known = await batchOfKey(tx, viewer.userId, request.key);
    if (known) return answer(known, contentHash);
    const now = platform.clock.now();
    if (payDay < businessDay(now)) return refuse('conflict', {}, { reason: 'payDayPassed' });
    if (payAt.getTime() < now.getTime() - A_MOMENT) return refuse('conflict', {}, { reason: 'past' });
    const selected = await selectPayouts(platform, tx, viewer, request);
    if (isRefusal(selected)) return selected;
    const serial = await nextSerial(tx, selected.account.id, payDay);
    // The same request may have been faster while this one waited for the account.
    const rival = await batchOfKey(tx, viewer.userId, request.key);
    if (rival) return answer(rival, contentHash);
    const { account, template } = selected;
    if ((await mayGiveBack(platform, tx, viewer)) <= 0)
      return refuse('conflict', {}, { reason: 'givenBack' });
    // The room is known before payouts are chosen: payouts without room must not use up the count.
    const { days, fits, take } = await dayLimits(platform, tx, account);
    const fitting = await lockFitting(platform, tx, selected, fits, request.orderCount);
    if (fitting.length === 0) {
      const { count } = await countWaiting(tx, selected.fits);
      return count > 0 ? refuse('dailyLimitReached') : refuse('conflict', {}, { reason: 'nothingFits' });
    }
    const orders = fitting.filter(({ order }) => take(order));
    if (orders.length === 0) return refuse('dailyLimitReached');
    const total = orders.reduce((sum, { order }) => sum + order.amount, 0n);
    const batchId = await insertBatch(tx, {
      supplierId: account.supplierId,
      accountId: account.id,
      templateId: template.id,
      templateVersion: template.version,
      currency: account.currency,
      minAmount: BigInt(request.minAmount),
      maxAmount: BigInt(request.maxAmount),
      orderCount: orders.length,
      total,
      payAt,
      payDay,
      serial,
      createdBy: viewer.userId,
      key: request.key,
      contentHash,
      at: platform.clock.now(),
    });
    if (batchId === undefined) return refuse('conflict');
    await insertBatchOrders(
      tx,
      batchId,
      orders.map(({ order, mode }, index) => ({
        row: index + 1,
        orderId: order.id,
        reference: referenceOf(batchId, index + 1),
        amount: order.amount,
        mode,
      })),
    );
    await takeIntoBatch(
      platform,
      tx,
      orders.map(({ order }) => order),
      { lock: lockName(batchId), supplierId: account.supplierId, accountId: account.id, days },
      eventOf(viewer, batchId),
    );
    const created = {
      batchId: String(batchId),
      count: orders.length,
      sum: Number(total),
      currency: account.currency,
    };
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'payoutBatch.create',
      subject: `payoutBatch:${batchId}`,
      after: { ...request, ...created },
      ip: viewer.ip,
    });
    return created;
  });
}

/** Short enough for every bank's field, and never used again: a retried payout is in another batch and gets a new reference. */
function referenceOf(batchId: bigint, row: number): string {
  return `B${batchId}R${String(row).padStart(3, '0')}`;
}

/** Locks payouts, oldest first, each with its payment mode. A payout that the template has no mode for stays waiting. */
async function lockFitting(
  platform: Platform,
  tx: Tx,
  { account, template, fits }: Selected,
  hasRoom: Sql,
  limit: number,
): Promise<{ order: PayoutOrder; mode: string }[]> {
  const orders = await withoutListed(platform, tx, await lockWaiting(tx, sql`${fits} and ${hasRoom}`, limit));
  return orders.flatMap((order) => {
    const mode = modeOf(template.format, account, order);
    return mode === undefined ? [] : [{ order, mode }];
  });
}

function hashOf(request: BatchRequest): Buffer {
  const { accountId, templateId, minAmount, maxAmount, orderCount, payTime } = request;
  const content = [accountId, templateId, minAmount, maxAmount, orderCount, payTime];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

function answer(batch: Batch, contentHash: Buffer): CreatedBatch | Refusal {
  if (!batch.contentHash.equals(contentHash)) return refuse('conflict');
  const { id, orderCount, total, currency } = batch;
  return { batchId: String(id), count: orderCount, sum: Number(total), currency };
}
