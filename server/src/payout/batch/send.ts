import { createHash } from 'node:crypto';
import type { BatchStatus } from '@sangam/contract/payout-batches.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { countGivenBack, mayGiveBack } from '../given-back.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { countOwnWord } from '../../approvals/own-word.ts';
import { approvalNeeded, startApproval, type Started } from '../../approvals/start.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockOfBatch, releaseOfBatch, returnFromBatch, submitBatch } from '../in-batch.ts';
import type { PayoutOrder } from '../order.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { isStaff, type Viewer } from '../../platform/viewer.ts';
import { act, actIn, eventOf, lockName } from './act.ts';
import { type Batch, batchOrders, setEnded, setFile, setSent, settleRows } from './store.ts';
import { renderFile } from './templates/render.ts';
import { isPayerFrozen, payingAccount } from './account.ts';

export interface ExportedFile {
  readonly batchId: string;
  readonly fileName: string;
  readonly content: string;
  readonly sha256: string;
}

/**
 * The bank's file. The first export makes it of the payouts that the batch still holds; later exports answer the same bytes. Each export
 * has an audit row. 409: the supplier, its account or a payout of the file is frozen (`frozen`); the day of payment has passed before the
 * first export (`payDayPassed`); a payout of a file not marked sent was paid otherwise or taken back (`fileOutdated`); no payout is left.
 */
export function exportBatch(
  platform: Platform,
  viewer: Viewer,
  batchId: string,
): Promise<ExportedFile | Refusal> {
  return act(platform, viewer, batchId, 'export', async (tx, batch) => {
    const rows = await openRows(tx, batch);
    if (await isFrozen(tx, batch, rows)) return refuse('conflict', {}, { reason: 'frozen' });
    if (batch.file !== null)
      return batch.status === 'exported' && (await hasMovedOn(tx, batch.id))
        ? refuse('conflict', {}, { reason: 'fileOutdated' })
        : exported(batch, batch.fileName!, batch.file);
    // The bank would refuse such a file, or pay at another time than the file says.
    if (businessDay(batch.payAt) < businessDay(platform.clock.now()))
      return refuse('conflict', {}, { reason: 'payDayPassed' });
    // Payouts that were frozen since go back to waiting, and the freeze keeps them there.
    const frozen = rows.filter(({ isHeld, order }) => isHeld && order.held);
    await returnFromBatch(
      platform,
      tx,
      frozen.map(({ order }) => order),
      { ...eventOf(viewer, batch.id), kind: 'unbatched' },
    );
    // A payout that the desk has unlocked is not in the file. It stays with the batch until the desk ends it, or the batch is cancelled.
    const gone = rows.filter(({ isInBatch, isHeld, order }) => !isInBatch || (isHeld && order.held));
    await settleRows(
      tx,
      batch.id,
      gone.map(({ row }) => ({ row, state: 'returned' })),
    );
    const held = rows.filter(({ isHeld, order }) => isHeld && !order.held);
    if (held.length === 0) return refuse('conflict', {}, { reason: 'nothingHeld' });
    const account = await payingAccount(tx, batch.accountId);
    const facts = {
      account,
      payAt: batch.payAt,
      serial: batch.serial,
      rows: held.map((each) => ({ ...each.order, ...each })),
    };
    const { fileName, content } = renderFile(batch.format, facts);
    const total = held.reduce((sum, { order }) => sum + order.amount, 0n);
    const at = platform.clock.now();
    await setFile(
      tx,
      batch.id,
      { fileName, content, total, at },
      held.map(({ row }) => row),
    );
    return exported(batch, fileName, content);
  });
}

/**
 * Whether the paying account or its supplier is frozen, or the file holds an open payout that is frozen. The batch then waits until the
 * freeze is lifted, or is cancelled. A file that is at the bank is not given out either: the bank could pay it again.
 */
async function isFrozen(
  tx: Tx,
  batch: Batch,
  rows: readonly { readonly order: PayoutOrder; readonly inFile: boolean }[],
): Promise<boolean> {
  const { preparing, inProgress, submitted } = PAYOUT_STATUS;
  const isOpen = ({ status }: PayoutOrder) =>
    status === preparing || status === inProgress || status === submitted;
  return (
    rows.some(({ order, inFile }) => inFile && order.held && isOpen(order)) ||
    (await isPayerFrozen(tx, batch.accountId))
  );
}

/** Whether a payout of the file was paid, refunded or given to others since the file was made: the file would pay it again. */
async function hasMovedOn(tx: Tx, batchId: bigint): Promise<boolean> {
  return (await batchOrders(tx, batchId)).some(({ inFile, state }) => inFile && state !== 'pending');
}

function exported(batch: Batch, fileName: string, content: string): ExportedFile {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { batchId: String(batch.id), fileName, content, sha256 };
}

/**
 * Open rows of the batch with their locked payouts. `isInBatch`: the payout is still 'preparing' for this batch; a claim, a gateway or
 * another batch would have closed its row. `isHeld`: the batch's lock is still on it, too. The desk may have unlocked it.
 */
async function openRows(tx: Tx, batch: Batch) {
  const rows = (await batchOrders(tx, batch.id)).filter((row) => row.state === 'pending');
  const orders = new Map(
    (
      await lockOfBatch(
        tx,
        rows.map((row) => row.orderId),
      )
    ).map((order) => [order.id, order]),
  );
  return rows.map(({ row, reference, mode, inFile, orderId }) => {
    const order = orders.get(orderId)!;
    const isInBatch = order.status === PAYOUT_STATUS.preparing && order.accountId === batch.accountId;
    return {
      row,
      reference,
      mode,
      inFile,
      order,
      isInBatch,
      isHeld: isInBatch && isLockedBy(order, batch.id),
    };
  });
}

const isLockedBy = (order: PayoutOrder, batchId: bigint) => order.lockedBy === lockName(batchId);

interface BatchState {
  readonly batchId: string;
  readonly status: BatchStatus;
}

/** The file is at the bank: its payouts are 'submitted', and stay locked by the batch until the result is known. */
export function markSent(platform: Platform, viewer: Viewer, batchId: string): Promise<BatchState | Refusal> {
  return act<BatchState>(
    platform,
    viewer,
    batchId,
    'markSent',
    async (tx, batch) => {
      const all = await openRows(tx, batch);
      if (await isFrozen(tx, batch, all)) return refuse('conflict', {}, { reason: 'frozen' });
      // A payout that an operator unlocked but did not end is in the file and at the bank all the same.
      const rows = all.filter(({ inFile, isInBatch }) => inFile && isInBatch);
      await submitBatch(
        platform,
        tx,
        rows.map(({ order }) => order),
        lockName(batch.id),
        eventOf(viewer, batch.id),
      );
      await setSent(tx, batch.id, platform.clock.now());
      return { batchId, status: 'sent' };
    },
    ({ status }) => (status === 'sent' || status === 'closed' ? { batchId, status } : undefined),
  );
}

/**
 * Calls a batch off, because its file never went to the bank: its payouts wait again, unlocked ones too. When staff give back what may have
 * been paid (`sumOfOwnWord`), the sum counts as their own word, and past UnprovenDayLimit a second person has to agree (1205).
 */
export async function cancelBatch(
  platform: Platform,
  viewer: Viewer,
  { batchId, reason }: { readonly batchId: string; readonly reason: string },
): Promise<BatchState | Refusal> {
  const outcome = await act<BatchState | Started>(
    platform,
    viewer,
    batchId,
    'cancel',
    async (tx, batch) => {
      const rows = await rowsInBatch(tx, batch);
      if (rows.length > (await mayGiveBack(platform, tx, viewer)))
        return refuse('conflict', {}, { reason: 'givenBackBatch' });
      const { currency } = batch;
      const amount = sumOfOwnWord(batch, rows);
      const mayAlone =
        !isStaff(viewer) ||
        amount === 0n ||
        (await countOwnWord(platform, tx, [viewer.userId], { currency, amount }));
      if (mayAlone) return takeApart(platform, tx, viewer, batch, rows, reason);
      return startApproval(platform, tx, viewer, {
        kind: 'batchCancel',
        subjectKind: 'payoutBatch',
        subjectId: batch.id,
        payload: { amount: Number(amount), currency },
        reason,
        sole: true,
      });
    },
    ({ status }) => (status === 'cancelled' ? { batchId, status } : undefined),
  );
  return isRefusal(outcome) || !('todoId' in outcome) ? outcome : approvalNeeded(outcome);
}

/** A second person agrees that the file of a batch never went to the bank; the batch is called off. */
export const batchCancelApproval = approvalHandler({
  kind: 'batchCancel',
  payload: z.object({ amount: z.int(), currency: z.enum(['INR', 'KES', 'USDT']) }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, { subjectId, reason }, decider) {
    const done = await actIn(platform, tx, decider, subjectId, 'cancel', async (batch) =>
      takeApart(platform, tx, decider, batch, await rowsInBatch(tx, batch), reason ?? ''),
    );
    return isRefusal(done) ? done : { ...done };
  },
});

type Rows = Awaited<ReturnType<typeof openRows>>;

const rowsInBatch = async (tx: Tx, batch: Batch): Promise<Rows> =>
  (await openRows(tx, batch)).filter(({ isInBatch }) => isInBatch);

/** What somebody may have paid: all that a file holds, and without a file what was unlocked, because its supplier can pay that by hand. */
function sumOfOwnWord({ file }: Batch, rows: Rows): bigint {
  const maybePaid = rows.filter(({ isHeld }) => file !== null || !isHeld);
  return maybePaid.reduce((sum, { order }) => sum + order.amount, 0n);
}

async function takeApart(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  rows: Rows,
  reason: string,
): Promise<BatchState> {
  await countGivenBack(platform, tx, viewer, rows.length);
  await returnFromBatch(
    platform,
    tx,
    rows.map(({ order }) => order),
    { ...eventOf(viewer, batch.id), reason, kind: 'unbatched' },
  );
  await settleRows(
    tx,
    batch.id,
    rows.map(({ row }) => ({ row, state: 'returned', reason })),
  );
  await setEnded(tx, batch.id, 'cancelled', platform.clock.now());
  return { batchId: String(batch.id), status: 'cancelled' };
}

/** No answer of the bank is expected any more: payouts that are still open go to 'to be confirmed', unlocked. */
export function closeBatch(
  platform: Platform,
  viewer: Viewer,
  batchId: string,
): Promise<BatchState | Refusal> {
  return act<BatchState>(
    platform,
    viewer,
    batchId,
    'close',
    async (tx, batch) => {
      const { inProgress, submitted } = PAYOUT_STATUS;
      const open = (await openRows(tx, batch)).filter(
        ({ order }) =>
          isLockedBy(order, batch.id) && (order.status === inProgress || order.status === submitted),
      );
      await releaseOfBatch(
        platform,
        tx,
        open.map(({ order }) => order),
        eventOf(viewer, batch.id),
      );
      await setEnded(tx, batch.id, 'closed', platform.clock.now());
      return { batchId, status: 'closed' };
    },
    ({ status }) => (status === 'closed' ? { batchId, status } : undefined),
  );
}
