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
/** Statuses of payouts that are still open for the bank's result. */
export const OPEN: ReadonlySet<number> = new Set([preparing, inProgress, toBeConfirmed, submitted]);

/**
 * Whether the viewer may be the second person beside the uploader (`author`): a role that decides result files, and independent of the
 * uploader.
 */
export async function isSecond(platform: Platform, tx: Tx, viewer: Viewer, author: bigint): Promise<boolean> {
  if (author === viewer.userId || !APPROVAL_RULES.resultFile.decide.includes(viewer.role)) return false;
  const people = { starter: author, decider: viewer.userId, at: platform.clock.now() };
  return (await notIndependent(tx, people)) === undefined;
}

/**
 * Whether the viewer may confirm these rows of one file without another person: the viewer is a second person beside the uploader, or the
 * rows' sum stays within UnprovenDayLimit of both uploader and viewer. In the second case the sum is counted for both.
 */
async function passes(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  batch: Batch,
  work: readonly Work[],
  namesFile: boolean,
): Promise<boolean> {
  const author = work[0]!.row.proposedBy!;
  // A person who does not name the file may not have seen it.
  if (namesFile && (await isSecond(platform, tx, viewer, author))) return true;
  const amount = work.reduce((sum, { order }) => sum + order.amount, 0n);
  return countOwnWord(platform, tx, [author, viewer.userId], { currency: batch.currency, amount });
}

/**
 * The rows that have to wait for a second person, each with its refusal (1205). They rest on the desk's file alone: it calls an open payout
 * paid without a corroborated debit, or failed. Either all such rows pass or all wait.
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
  const borne = await lockProofs(platform, tx, 'supplier', paid);
  const bare = said.filter(({ order }) => !borne.has(order.id));
  // All these rows are of one file: a file of the desk replaces every earlier one.
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
    // Requests for other rows may wait beside this one.
    sole: false,
  });
  const refusal = isRefusal(started) ? started : approvalNeeded(started);
  return new Map(bare.map(({ row }) => [row.row, refusal]));
}

/** Who uploaded the file that proposes the end of this payout in a batch. Undefined when another file proposes it by now. */
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
