import { CODES } from '@sangam/contract/codes.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import type { Tx } from '../../platform/db/database.ts';
import { messageOf, refusalText } from '../../http/messages.ts';
import { completePayouts } from '../complete.ts';
import { lockProofs } from '../debits.ts';
import { staterOf, type StatedMovement } from '../../evidence/trusted-chain/statements.ts';
import { acceptOfBatch, failOfBatch, joinDebits, lockOfBatch, releaseOfBatch } from '../in-batch.ts';
import type { PayoutOrder } from '../order.ts';
import { reversePayout } from '../reverse.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { act, eventOf } from './act.ts';
import { isSecond, OPEN, rowsThatWait, type Work } from './own-word.ts';
import {
  type Batch,
  type BatchOrder,
  batchOrders,
  type RowChange,
  rowsElsewhere,
  settleRows,
} from './store.ts';

/** The outcome of one row. */
export interface RowResult {
  readonly row: number;
  readonly orderCode: string;
  readonly code: number;
  readonly msg: string;
}

interface Confirmation {
  readonly rows?: readonly number[] | undefined;
  /** The result file that is confirmed. A row that another file proposes by now is refused (409). */
  readonly fileHash?: string | undefined;
  /** A second person has agreed to what this file says of these rows. */
  readonly isAgreed?: boolean;
}

/**
 * Confirms what result files propose (docs/domain.md#batches): paid, failed, reversed or in progress. Each row is done or refused alone,
 * all in one transaction. Rows that rest on the word of the staff alone may wait for a second person (1205). A row without a proposal was
 * confirmed before and answers as done. A row whose payout has gone to another account or a later batch is refused (1201).
 */
export function confirmRows(
  platform: Platform,
  viewer: Viewer,
  { batchId, rows, fileHash }: Omit<Confirmation, 'isAgreed'> & { readonly batchId: string },
): Promise<{ list: RowResult[] } | Refusal> {
  return act(platform, viewer, batchId, 'confirm', (tx, batch) =>
    confirmIn(platform, tx, viewer, batch, { rows, fileHash }),
  );
}

/** The same in the caller's transaction, on a locked batch that allows it. */
export async function confirmIn(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  input: Confirmation,
): Promise<{ list: RowResult[] }> {
  const all = await batchOrders(tx, batch.id);
  const wanted = input.rows && new Set(input.rows);
  const rows = all.filter((row) => (wanted ? wanted.has(row.row) : row.proposed !== null));
  const open = rows.filter((row) => row.proposed !== null);
  const orders = new Map(
    (
      await lockOfBatch(
        tx,
        open.map((row) => row.orderId),
      )
    ).map((order) => [order.id, order]),
  );
  const elsewhere = await rowsElsewhere(tx, batch.id);
  const refused = new Map<number, Refusal>();
  const work = open.flatMap((row) => {
    const order = orders.get(row.orderId)!;
    if (input.fileHash !== undefined && row.proposedFile?.toString('hex') !== input.fileHash) {
      refused.set(row.row, refuse('conflict', {}, { reason: 'otherFile' }));
      return [];
    }
    // They agreed about a payout that was open. Its debit has come since, or a person was faster: to take it back is another request.
    if (input.isAgreed && row.proposed !== 'completed' && !OPEN.has(order.status)) {
      refused.set(row.row, refuse('conflict', {}, { reason: 'orderChanged' }));
      return [];
    }
    if (!isHeldBack(order, row, viewer) && !elsewhere.has(row.row)) return [{ row, order }];
    refused.set(row.row, refuse('actionNotAllowed'));
    return [];
  });
  const namesFile = input.fileHash !== undefined;
  const waiting = input.isAgreed
    ? undefined
    : await rowsThatWait(platform, tx, viewer, batch, work, namesFile);
  waiting?.forEach((refusal, row) => refused.set(row, refusal));
  const mine = work.filter(({ row }) => !refused.has(row.row));
  const changes: RowChange[] = [];
  await completeRows(platform, tx, viewer, batch, mine, changes, refused);
  for (const { row, order } of mine) {
    const outcome = row.proposed;
    if (outcome === 'completed') continue;
    const problem = await followRow(platform, tx, viewer, batch, { row, order, namesFile }, changes);
    if (problem) refused.set(row.row, problem);
  }
  await settleRows(tx, batch.id, changes);
  return { list: rows.map((row) => told(row, refused.get(row.row), viewer)) };
}

/**
 * Whether a row has to stay proposed for now: it would move money of a frozen payout or a frozen merchant, it is a supplier's statement
 * while the supplier or its account is frozen, or it would reverse a payout and so take from such a supplier's deposit.
 */
function isHeldBack(order: PayoutOrder, { proposed, isSupplierWord }: BatchOrder, viewer: Viewer): boolean {
  const isOwn = isSupplierWord || viewer.role === 'supplier';
  const takesBack = order.status === PAYOUT_STATUS.completed && proposed !== 'completed';
  const movesMoney = takesBack || proposed === 'completed' || proposed === 'reversed';
  return movesMoney && (order.held || ((isOwn || takesBack) && order.payerHeld));
}

async function completeRows(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  work: readonly Work[],
  changes: RowChange[],
  refused: Map<number, Refusal>,
): Promise<void> {
  const paid = work.filter(({ row }) => row.proposed === 'completed');
  const possible = paid.filter(({ order }) => OPEN.has(order.status));
  for (const { row, order } of paid) {
    if (OPEN.has(order.status)) continue;
    // A debit message or a person has completed it before.
    if (order.status === PAYOUT_STATUS.completed && order.reversedAt === null)
      changes.push({ row: row.row, state: 'completed' });
    else refused.set(row.row, refuse('actionNotAllowed'));
  }
  const { actor, data } = eventOf(viewer, batch.id, { by: 'batchResult' });
  const said = possible.map(({ row, order }) => ({ order, utr: row.proposedUtr }));
  // A file that a supplier uploaded stays the supplier's statement, whoever confirms it.
  const statedBy = new Map(
    possible.map(({ row, order }) => [order.id, row.isSupplierWord ? 'supplier' : staterOf(viewer)] as const),
  );
  const debits = new Map<bigint, StatedMovement>();
  for (const stater of ['supplier', 'staff'] as const) {
    const own = said.filter(({ order }) => statedBy.get(order.id) === stater);
    for (const [id, debit] of await lockProofs(platform, tx, stater, own)) debits.set(id, debit);
  }
  const results = await completePayouts(
    platform,
    tx,
    said.map(({ order, utr }) => ({
      order,
      utr,
      unproven: !debits.has(order.id),
      actor,
      data,
    })),
  );
  const done = results.flatMap((result) => (isRefusal(result) ? [] : [result]));
  await joinDebits(platform, tx, done, debits);
  possible.forEach(({ row }, index) => {
    const result = results[index]!;
    if (isRefusal(result)) refused.set(row.row, result);
    else changes.push({ row: row.row, state: 'completed' });
  });
}

interface Followed extends Work {
  /** Whether the person who confirms has named the file. */
  readonly namesFile: boolean;
}

/**
 * Does what a row proposes other than 'paid'. An open payout that is called failed or reversed has not been paid: it becomes a processing
 * error. If a supplier uploaded the file or confirms it, the payout goes to 'to be confirmed' instead.
 */
async function followRow(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  { row, order, namesFile }: Followed,
  changes: RowChange[],
): Promise<Refusal | undefined> {
  // The bank calls a payout failed that a debit or a person has completed: by the bank's word the payee was not paid.
  if (
    (row.proposed === 'reversed' || row.proposed === 'failed') &&
    order.status === PAYOUT_STATUS.completed
  ) {
    return reverseRow(platform, tx, viewer, batch, { row, order, namesFile }, changes);
  }
  if (!OPEN.has(order.status)) return refuse('actionNotAllowed');
  const event = { ...eventOf(viewer, batch.id), reason: row.proposedReason ?? undefined };
  if (row.proposed === 'inProgress') {
    await acceptOfBatch(platform, tx, order, row.proposedUtr, event);
    changes.push({ row: row.row, state: 'pending' });
    return undefined;
  }
  if (row.isSupplierWord || viewer.role === 'supplier') {
    // The bank itself has not said so: the money may have left.
    if (order.status !== PAYOUT_STATUS.toBeConfirmed) await releaseOfBatch(platform, tx, [order], event);
    changes.push({ row: row.row, state: 'pending', reason: row.proposedReason });
    return undefined;
  }
  await failOfBatch(platform, tx, order, event);
  changes.push({ row: row.row, state: 'failed', reason: row.proposedReason });
  return undefined;
}

/**
 * Reverses a completed payout that the bank's file calls reversed or failed. A superAdmin who is a second person beside the uploader
 * does it by naming the file. Any other confirmation of an admin or superAdmin asks for approval, with the file as evidence. A supplier's
 * word reverses nothing: the refund would be the platform's loss if the supplier has spent its deposit.
 */
async function reverseRow(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  { row, order, namesFile }: Followed,
  changes: RowChange[],
): Promise<Refusal | undefined> {
  if (row.isSupplierWord || !ADMINS.includes(viewer.role)) return refuse('actionNotAllowed');
  // A person who does not name the file may not have seen it.
  const areTwo =
    namesFile && viewer.role === 'superAdmin' && (await isSecond(platform, tx, viewer, row.proposedBy!));
  if (areTwo) {
    const { actor, data } = eventOf(viewer, batch.id, { by: 'batchResult' });
    await reversePayout(platform, tx, order, { actor, reason: row.proposedReason, data });
    changes.push({ row: row.row, state: 'reversed', reason: row.proposedReason });
    return undefined;
  }
  const started = await startApproval(platform, tx, viewer, {
    kind: 'reversal',
    subjectKind: 'order',
    subjectId: order.id,
    payload: {
      amount: Number(order.amount),
      currency: order.currency,
      batchId: String(batch.id),
      fileHash: row.proposedFile?.toString('hex') ?? null,
    },
    reason: row.proposedReason,
    sole: true,
  });
  return isRefusal(started) ? started : approvalNeeded(started);
}

export function told(
  row: Pick<BatchOrder, 'row' | 'orderId'>,
  problem: Refusal | undefined,
  viewer: Viewer,
): RowResult {
  return {
    row: row.row,
    orderCode: String(row.orderId),
    code: CODES[problem?.code ?? 'ok'].code,
    msg: problem ? refusalText(problem, viewer.locale) : messageOf('ok', {}, viewer.locale),
  };
}
