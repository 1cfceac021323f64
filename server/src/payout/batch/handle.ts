import type { BatchExceptionAction } from '@sangam/contract/payout-batches.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { returnFromBatch, lockOfBatch } from '../in-batch.ts';
import { countGivenBack, mayGiveBack } from '../given-back.ts';
import { reject } from '../reject.ts';
import { payoutVersion } from '../actions.ts';
import { reselectPayout } from '../reselect.ts';
import { readPayouts } from '../store.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { act, eventOf, lockName } from './act.ts';
import { type RowResult, told } from './confirm.ts';
import { batchOrders, settleRows } from './store.ts';

export interface ExceptionRequest {
  readonly batchId: string;
  readonly rows: readonly number[];
  readonly action: BatchExceptionAction;
  readonly reason: string;
}

/**
 * Acts on rows that need a person, each alone. A failed payout is put back to waiting or refunded, by the rules of the payout's own
 * actions; a supplier may only put it back. Before the first export any row may leave the batch.
 */
export async function handleExceptions(
  platform: Platform,
  viewer: Viewer,
  request: ExceptionRequest,
): Promise<{ list: RowResult[] } | Refusal> {
  const { action, reason } = request;
  if (action === 'return') return returnRows(platform, viewer, request);
  const rows = await act(platform, viewer, request.batchId, 'handle', async (tx, batch) => {
    const wanted = new Set(request.rows);
    const chosen = (await batchOrders(tx, batch.id)).filter(({ row }) => wanted.has(row));
    // Each row is handled in a transaction of its own: by then somebody may have begun its payout anew.
    const orders = await readPayouts(
      tx,
      chosen.map(({ orderId }) => orderId),
    );
    const shown = new Map(orders.map((order) => [order.id, order]));
    return chosen.map((row) => ({ ...row, order: shown.get(row.orderId)! }));
  });
  if (isRefusal(rows)) return rows;
  const list: RowResult[] = [];
  for (const row of rows) {
    const isFailed = row.state === 'failed' && row.order.status === PAYOUT_STATUS.processingError;
    const subject = { orderId: row.orderId, version: payoutVersion(row.order) };
    const result = !isFailed
      ? refuse('actionNotAllowed')
      : action === 'retry' && viewer.role !== 'supplier'
        ? await reselectPayout(platform, viewer, subject)
        : await reject(platform, viewer, { ...subject, reason });
    list.push(told(row, isRefusal(result) ? result : undefined, viewer));
  }
  return { list };
}

/** Takes rows out of a batch before its first export. Once the file exists, the bank may pay them (1201). */
function returnRows(platform: Platform, viewer: Viewer, { batchId, rows, reason }: ExceptionRequest) {
  return act(platform, viewer, batchId, 'handle', async (tx, batch) => {
    if (batch.file !== null) return refuse('actionNotAllowed');
    const wanted = new Set(rows);
    const chosen = (await batchOrders(tx, batch.id)).filter(({ row }) => wanted.has(row));
    const orders = await lockOfBatch(
      tx,
      chosen.map(({ orderId }) => orderId),
    );
    const held = orders.filter(
      (order) => order.status === PAYOUT_STATUS.preparing && order.lockedBy === lockName(batch.id),
    );
    if (held.length > (await mayGiveBack(platform, tx, viewer)))
      return refuse('conflict', {}, { reason: 'givenBackBatch' });
    await countGivenBack(platform, tx, viewer, held.length);
    await returnFromBatch(platform, tx, held, { ...eventOf(viewer, batch.id), reason, kind: 'unbatched' });
    const returned = new Set(held.map((order) => order.id));
    await settleRows(
      tx,
      batch.id,
      chosen
        .filter(({ orderId }) => returned.has(orderId))
        .map(({ row }) => ({ row, state: 'returned', reason })),
    );
    return {
      list: chosen.map((row) =>
        told(
          row,
          returned.has(row.orderId) || row.state === 'returned' ? undefined : refuse('actionNotAllowed'),
          viewer,
        ),
      ),
    };
  });
}
