import { batchActions, type BatchAction } from '@sangam/contract/payout-batches.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { actorOf } from '../../history/events.ts';
import type { BatchEvent } from '../in-batch.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { type Batch, lockBatch } from './store.ts';

/**
 * Runs an action on a locked batch in one transaction and writes an audit row. A refusal rolls everything back: 404 when the viewer may not
 * see the batch, 1201 when its status does not allow the action. `repeat` answers a batch on which the action was done before.
 */
export function act<Result>(
  platform: Platform,
  viewer: Viewer,
  batchId: string,
  action: BatchAction,
  work: (tx: Tx, batch: Batch) => Promise<Result | Refusal>,
  repeat?: (batch: Batch) => Result | undefined,
): Promise<Result | Refusal> {
  return platform.db.tx((tx) =>
    actIn(platform, tx, viewer, BigInt(batchId), action, (batch) => work(tx, batch), repeat),
  );
}

/** The same in the caller's transaction. The caller rolls back after a refusal. */
export async function actIn<Result>(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batchId: bigint,
  action: BatchAction,
  work: (batch: Batch) => Promise<Result | Refusal>,
  repeat?: (batch: Batch) => Result | undefined,
): Promise<Result | Refusal> {
  const batch = await lockBatch(tx, viewer, batchId);
  if (!batch) return refuse('notFound');
  const before = repeat?.(batch);
  if (before !== undefined) return before;
  if (!batchActions(viewer, batch.status).includes(action)) return refuse('actionNotAllowed');
  const result = await work(batch);
  // A request for a second person has an audit row of its own.
  if (!isRefusal(result) && !isStarted(result)) {
    await audit(platform, tx, {
      userId: viewer.userId,
      action: `payoutBatch.${action}`,
      subject: `payoutBatch:${batch.id}`,
      ip: viewer.ip,
    });
  }
  return result;
}

const isStarted = (result: unknown) => typeof result === 'object' && result !== null && 'todoId' in result;

/** The name of the lock (`locked_by`) on a batch's payouts. */
export function lockName(batchId: bigint): string {
  return `batch:${batchId}`;
}

export function eventOf(
  viewer: Viewer,
  batchId: bigint,
  data: Readonly<Record<string, unknown>> = {},
): BatchEvent {
  return { actor: actorOf(viewer), data: { batchId: String(batchId), ...data } };
}
