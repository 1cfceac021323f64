import { APPROVAL_RULES } from '@sangam/contract/approvals.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { notIndependent } from '../../approvals/independence.ts';
import { countOwnWord } from '../../approvals/own-word.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { type Queryable, sql, type Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { isStaff, type Viewer } from '../../platform/viewer.ts';
import { lockProofs } from '../debits.ts';
import type { PayoutOrder } from '../order.ts';
import type { Batch, BatchOrder } from './store.ts';

/** A row that is to be confirmed, with its locked payout. */
export interface Work {
  readonly row: BatchOrder;
  readonly order: PayoutOrder;
}

const { inProgress, preparing, submitted, toBeConfirmed } = PAYOUT_STATUS;
/** Statuses in which the bank's word is news. */
export const OPEN: ReadonlySet<number> = new Set([preparing, inProgress, toBeConfirmed, submitted]);

/** Whether the viewer is the second person beside whoever brought the file: one who decides about unproven payouts, and acts as nobody but itself. */
export async function isSecond(platform: Platform, tx: Tx, viewer: Viewer, author: bigint): Promise<boolean> {
  if (author === viewer.userId || !APPROVAL_RULES.resultFile.decide.includes(viewer.role)) return false;
  const people = { starter: author, decider: viewer.userId, at: platform.clock.now() };
  return (await notIndependent(tx, people)) === undefined;
}

/**
 * Whether rows of one file may be confirmed without another person: a second one confirms them, or their sum passes as the own
 * word of who brought the file and of who confirms it; then it is counted for both.
 */
export async function passes(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  work: readonly Work[],
  namesFile: boolean,
): Promise<boolean> {
  const author = work[0]!.row.proposedBy!;
  // Who does not name the file may not have seen it.
  if (namesFile && (await isSecond(platform, tx, viewer, author))) return true;
  const amount = work.reduce((sum, { order }) => sum + order.amount, 0n);
  return countOwnWord(platform, tx, [author, viewer.userId], { currency: batch.currency, amount });
}

/**
 * The rows that only the word of one of the staff speaks for, and that wait for a second person now, each with its refusal (1205): a
 * file of the desk's says that an open payout was paid, without a debit that its chain bears out, or that it was not. They pass
 * together or not at all.
 */
export async function rowsThatWait(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  work: readonly Work[],
  namesFile: boolean,
): Promise<ReadonlyMap<number, Refusal>> {
  if (!isStaff(viewer)) return new Map();
  const said = work.filter(
    ({ row, order }) => OPEN.has(order.status) && !row.isSupplierWord && row.proposed !== 'inProgress',
  );
  const paid = said.flatMap(({ row, order }) =>
    row.proposed === 'completed' ? [{ order, utr: row.proposedUtr }] : [],
  );
  const borne = await lockProofs(platform, tx, 'supplier', paid, { isDesk: true });
  const bare = said.filter(({ order }) => !borne.has(order.id));
  // A file of the desk's takes the place of every other: these are of one.
  if (bare.length === 0 || (await passes(platform, tx, viewer, batch, bare, namesFile))) return new Map();
  const started = await startApproval(platform, tx, viewer, {
    kind: 'resultFile',
    subjectKind: 'payoutBatch',
    subjectId: batch.id,
    payload: {
      fileHash: bare[0]!.row.proposedFile!.toString('hex'),
      rows: bare.map(({ row }) => row.row),
      amount: Number(bare.reduce((sum, { order }) => sum + order.amount, 0n)),
      currency: batch.currency,
    },
    reason: null,
    // Another choice of rows is another request.
    sole: false,
  });
  const refusal = isRefusal(started) ? started : approvalNeeded(started);
  return new Map(bare.map(({ row }) => [row.row, refusal]));
}

/** Who brought the file that proposes an end of a payout in a batch; undefined where another file does by now. */
export async function bringerOf(
  db: Queryable,
  {
    batchId,
    orderId,
    fileHash,
  }: { readonly batchId: bigint; readonly orderId: bigint; readonly fileHash: string },
): Promise<bigint | undefined> {
  const [row] = await db.query<{ by: bigint }>(sql`
    select proposed_by as by from payout_batch_orders
    where batch_id = ${batchId} and order_id = ${orderId} and proposed_file = ${Buffer.from(fileHash, 'hex')}`);
  return row?.by;
}
