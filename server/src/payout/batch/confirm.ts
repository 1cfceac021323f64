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
import { OPEN, passes, rowsThatWait, type Work } from './own-word.ts';
import {
  type Batch,
  type BatchOrder,
  batchOrders,
  type RowChange,
  rowsElsewhere,
  settleRows,
} from './store.ts';

/** What came of one row. */
export interface RowResult {
  readonly row: number;
  readonly orderCode: string;
  readonly code: number;
  readonly msg: string;
}

interface Confirmation {
  readonly rows?: readonly number[] | undefined;
  /** Only what this file says; a row that another file proposes by now is refused (409). */
  readonly fileHash?: string | undefined;
  /** A second person has agreed to what this file says of these rows. */
  readonly isAgreed?: boolean;
}

/**
 * Does what the last result file says: completes payouts with their UTR (unproven until a debit comes), sets failed ones to
 * processing error with the bank's reason (by a supplier's file: to be confirmed), takes completed ones back that were reversed (where the desk confirms), leaves the others
 * in progress. Each row is done or refused alone, all in one transaction. Rows that only the word of one of the staff speaks for may
 * wait for a second person (1205). A row without a proposal (confirmed before) answers as done, one whose payout another account or
 * a later batch has by now is refused.
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

/** The same in the caller's transaction, of a locked batch that allows it. */
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
 * Nothing moves the money of a frozen payout or of a frozen merchant's: the row stays proposed and is confirmed later. A frozen
 * supplier's own statement waits as well.
 */
function isHeldBack(order: PayoutOrder, { proposed, isSupplierWord }: BatchOrder, viewer: Viewer): boolean {
  const isOwn = isSupplierWord || viewer.role === 'supplier';
  const movesMoney =
    proposed === 'completed' || proposed === 'reversed' || order.status === PAYOUT_STATUS.completed;
  return movesMoney && (order.held || (isOwn && order.payerHeld));
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
    // Its debit message, or a person, was faster.
    if (order.status === PAYOUT_STATUS.completed && order.reversedAt === null)
      changes.push({ row: row.row, state: 'completed' });
    else refused.set(row.row, refuse('actionNotAllowed'));
  }
  const { actor, data } = eventOf(viewer, batch.id, { by: 'batchResult' });
  const said = possible.map(({ row, order }) => ({ order, utr: row.proposedUtr }));
  // A file in a supplier's hands is the supplier's statement, whoever confirms it.
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
  /** Whoever confirms it has named the file. */
  readonly namesFile: boolean;
}

/**
 * What the bank says other than 'paid'. A payout that was open when it came back has not been paid: it failed. By a supplier's file it
 * waits to be confirmed instead.
 */
async function followRow(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  { row, order, namesFile }: Followed,
  changes: RowChange[],
): Promise<Refusal | undefined> {
  // 'Failed', of a payout that its debit or a person has completed, is the bank's word that nobody was paid.
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
    // Its bank has not said so: the money may have left.
    if (order.status !== PAYOUT_STATUS.toBeConfirmed) await releaseOfBatch(platform, tx, [order], event);
    changes.push({ row: row.row, state: 'pending', reason: row.proposedReason });
    return undefined;
  }
  await failOfBatch(platform, tx, order, event);
  changes.push({ row: row.row, state: 'failed', reason: row.proposedReason });
  return undefined;
}

/**
 * A completed payout that the bank's file says came back: a reversal, by the rules for reversals. A superAdmin does it; an admin's
 * waits for approval with the file as its evidence, and so does a superAdmin's own file past the own word of a day. Never by a
 * supplier's word: the refund would be the platform's loss where the supplier has spent its deposit.
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
  const mayAlone =
    viewer.role === 'superAdmin' && (await passes(platform, tx, viewer, batch, [{ row, order }], namesFile));
  if (mayAlone) {
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
