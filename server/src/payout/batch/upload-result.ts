import { createHash } from 'node:crypto';
import { ADMINS } from '@sangam/contract/roles.ts';
import { notify } from '../../inbox/notify.ts';
import type { Tx } from '../../platform/db/database.ts';
import { RESULT_OUTCOMES, type ResultOutcome } from '@sangam/contract/payout-templates.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { isProblem, type Problem, problem, refuseFile } from '../../platform/files/problems.ts';
import { hasType, textOf, type UploadedFile } from '../../platform/files/upload.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { notifyContradiction } from '../contradicted.ts';
import { lockOfBatch } from '../in-batch.ts';
import { act } from './act.ts';
import {
  type Batch,
  type BatchOrder,
  batchOrders,
  insertResult,
  lastResultHash,
  type Proposal,
  propose,
} from './store.ts';
import { isProblems, readResult, type ResultRow } from './templates/read-result.ts';

export interface ResultSummary {
  readonly batchId: string;
  /** SHA-256 of the file, in hex. A confirmation that names it does only what this file says. */
  readonly fileHash: string;
  /** The proposals of this file, by outcome. Sums in minor units. */
  outcomes: { readonly outcome: ResultOutcome; readonly count: number; readonly sum: number }[];
}

/**
 * Reads the bank's result file of a batch and proposes an end for each row that does not have it already. A file that does not fit the
 * batch is refused whole and changes nothing: 1304 the template reads no results, 1302 wrong file type, 1303 with the problems of all rows.
 * The same file again proposes the same.
 */
export function uploadResult(
  platform: Platform,
  viewer: Viewer,
  batchId: string,
  file: UploadedFile,
): Promise<ResultSummary | Refusal> {
  return act(platform, viewer, batchId, 'uploadResult', async (tx, batch) => {
    const format = batch.format.result;
    if (!format) return refuse('resultNotReadable');
    const text = textOf(file.bytes);
    if (text === undefined || !hasType(file.name, format.fileTypes)) return refuse('wrongFileType');
    const read = readResult(format, text);
    if (isProblems(read)) return refuseFile(read, viewer.locale);
    const orders = (await batchOrders(tx, batch.id)).filter((order) => order.inFile);
    const joined = joinRows(batch, orders, read);
    if (isJoinProblems(joined)) return refuseFile(joined, viewer.locale);

    const proposals = joined.flatMap(({ order, said }) =>
      isSettled(order, said) ? [] : [proposalOf(order, said)],
    );
    const sha256 = createHash('sha256').update(file.bytes).digest();
    await propose(tx, batch.id, proposals, {
      sha256,
      by: viewer.userId,
      isSupplierWord: viewer.role === 'supplier',
    });
    if (!(await lastResultHash(tx, batch.id))?.equals(sha256)) {
      await insertResult(tx, {
        id: platform.ids.next(),
        batchId: batch.id,
        fileName: file.name,
        sha256,
        content: text,
        rows: read.length,
        by: viewer.userId,
        at: platform.clock.now(),
      });
    }
    const proposed = new Set(proposals.map((each) => each.row));
    if (viewer.role !== 'supplier') {
      const news = joined.filter(({ order }) => proposed.has(order.row));
      await notifyUnpaid(platform, tx, news);
      await notifyPaidAfterAll(platform, tx, news);
    }
    return {
      batchId,
      fileHash: sha256.toString('hex'),
      outcomes: summary(joined.filter(({ order }) => proposed.has(order.row))),
    };
  });
}

interface Joined {
  readonly order: BatchOrder;
  readonly said: ResultRow;
}

const isJoinProblems = (joined: readonly Joined[] | readonly Problem[]): joined is readonly Problem[] =>
  joined.some(isProblem);

/** Joins each row of the file to its row of the batch. Returns all problems when the file's rows are not exactly those of the batch. */
function joinRows(
  batch: Batch,
  orders: readonly BatchOrder[],
  rows: readonly ResultRow[],
): readonly Joined[] | readonly Problem[] {
  const byReference = batch.format.result!.join === 'reference';
  const keyOf = (reference: string | null, account: string | null, amount: bigint | null) =>
    byReference ? (reference ?? '') : `${account}/${amount}`;
  const byKey = Map.groupBy(orders, (order) => keyOf(order.reference, order.payeeAccount, order.amount));
  const seen = new Map<string, number>();
  const problems: Problem[] = [];
  const joined: Joined[] = [];
  for (const said of rows) {
    const key = keyOf(said.reference, said.account, said.amount);
    const found = byKey.get(key) ?? [];
    const order = found[0];
    const before = seen.get(key);
    if (!order) problems.push(problem(said.row, 'rowUnknown', key));
    else if (before !== undefined) problems.push(problem(said.row, 'rowTwice', String(before)));
    else if (found.length > 1) problems.push(problem(said.row, 'rowAmbiguous', key));
    else if (said.amount !== null && said.amount !== order.amount)
      problems.push(problem(said.row, 'amountDiffers', formatMinor(order.amount, batch.currency)));
    else joined.push({ order, said });
    seen.set(key, before ?? said.row);
  }
  if (rows.length !== orders.length)
    problems.push(problem(0, 'countDiffers', `${rows.length} ≠ ${orders.length}`));
  const sum = rows.reduce((total, said) => total + (said.amount ?? 0n), 0n);
  const wanted = orders.reduce((total, order) => total + order.amount, 0n);
  if (rows.every((said) => said.amount !== null) && sum !== wanted) {
    const amounts = [sum, wanted].map((amount) => formatMinor(amount, batch.currency));
    problems.push(problem(0, 'sumDiffers', amounts.join(' ≠ ')));
  }
  return problems.length > 0 ? problems.toSorted((a, b) => a.row - b.row) : joined;
}

/** Whether the row has this end already. A payout that failed may have been refunded or begun anew since. */
function isSettled({ state }: BatchOrder, { outcome }: ResultRow): boolean {
  if (state === 'pending') return false;
  // 'Failed' is news of a completed payout: its debit may have come before the bank returned the money.
  if (outcome === 'failed') return state !== 'completed';
  return outcome === 'inProgress' || outcome === state || state === 'reversed';
}

function proposalOf(order: BatchOrder, said: ResultRow): Proposal {
  return { row: order.row, outcome: said.outcome, utr: said.utr, reason: said.reason };
}

/** Notifies the admins of completed payouts that the bank calls failed or reversed: their merchants were notified of a success. */
async function notifyUnpaid(platform: Platform, tx: Tx, joined: readonly Joined[]): Promise<void> {
  for (const { order, said } of joined) {
    if (order.state !== 'completed' || (said.outcome !== 'failed' && said.outcome !== 'reversed')) continue;
    const data = { order: String(order.orderId), reason: said.reason ?? '–' };
    await notify(platform, tx, { roles: ADMINS }, 'bankSaysUnpaid', data);
  }
}

/** Payouts that had failed, were refunded or have gone elsewhere, and that the bank calls paid: see `notifyContradiction`. */
async function notifyPaidAfterAll(platform: Platform, tx: Tx, joined: readonly Joined[]): Promise<void> {
  const saidPaid = joined.filter(
    ({ order, said }) => said.outcome === 'completed' && order.state !== 'pending',
  );
  const utrs = new Map(saidPaid.map(({ order, said }) => [order.orderId, said.utr]));
  for (const order of await lockOfBatch(tx, [...utrs.keys()])) {
    const utr = utrs.get(order.id) ?? null;
    // The claimer has named the very payment of the file.
    if (order.status === PAYOUT_STATUS.completed && order.utr !== null && order.utr === utr) continue;
    await notifyContradiction(platform, tx, order, { said: 'debited', attempt: order.attempt, utr });
  }
}

function summary(joined: readonly Joined[]): ResultSummary['outcomes'] {
  return RESULT_OUTCOMES.flatMap((outcome) => {
    const of = joined.filter(({ said }) => said.outcome === outcome);
    if (of.length === 0) return [];
    const sum = of.reduce((total, { order }) => total + order.amount, 0n);
    return [{ outcome, count: of.length, sum: Number(sum) }];
  });
}
