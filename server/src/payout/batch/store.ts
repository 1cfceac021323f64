import type { BatchRowState, BatchStatus } from '@sangam/contract/payout-batches.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { PayoutStatus } from '@sangam/contract/payouts.ts';
import type { ResultOutcome, TemplateFormat } from '@sangam/contract/payout-templates.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { BUSINESS_TIME_ZONE } from '@sangam/contract/time.ts';
import { type Queryable, type Sql, type Tx, sql, empty } from '../../platform/db/database.ts';
import { PAYOUT } from '../../platform/db/statuses.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { columnNames, unnestRows } from '../../platform/db/unnest-rows.ts';

/*
 * Lock order: the account of a batch that is being made, batches, then payouts in id order and on as in payout/store.ts.
 */

export interface Batch {
  readonly id: bigint;
  readonly supplierId: bigint;
  readonly accountId: bigint;
  readonly currency: Currency;
  readonly orderCount: number;
  readonly total: bigint;
  readonly status: BatchStatus;
  readonly payAt: Date;
  readonly serial: number;
  readonly fileName: string | null;
  readonly file: string | null;
  readonly contentHash: Buffer;
  readonly format: TemplateFormat;
}

const BATCH: Sql = sql`
  select b.id, b.supplier_id as "supplierId", b.account_id as "accountId", b.currency, b.order_count as "orderCount", b.total,
    b.status, b.pay_at as "payAt", b.serial, b.file_name as "fileName", b.file, b.content_hash as "contentHash", v.format
  from payout_batches b
  join payout_template_versions v on v.template_id = b.template_id and v.version = b.template_version`;

/** Locks a batch that the viewer may see. */
export async function lockBatch(tx: Tx, viewer: Viewer, batchId: bigint): Promise<Batch | undefined> {
  const [batch] = await tx.query<Batch>(sql`
    ${BATCH} where b.id = ${batchId} ${scopeOf(viewer, { supplier: sql`b.supplier_id` })} for update of b`);
  return batch;
}

/** The batch that a user made with this key. */
export async function batchOfKey(db: Queryable, userId: bigint, key: string): Promise<Batch | undefined> {
  const [batch] = await db.query<Batch>(
    sql`${BATCH} where b.created_by = ${userId} and b.request_key = ${key}`,
  );
  return batch;
}

export interface NewBatch {
  readonly supplierId: bigint;
  readonly accountId: bigint;
  readonly templateId: bigint;
  readonly templateVersion: number;
  readonly currency: Currency;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly orderCount: number;
  readonly total: bigint;
  readonly payAt: Date;
  readonly payDay: string;
  readonly serial: number;
  readonly createdBy: bigint;
  readonly key: string;
  readonly contentHash: Buffer;
  readonly at: Date;
}

/** More files than anybody made for one account and day. Banks' file names have three digits for the number. */
const FILES = 100;

/**
 * The number of the day's next file. Locks the paying account, so that its batches are made one after the other. After a restore of the
 * database it leaves out numbers that may have been given before it, for the days up to a month ahead.
 */
export async function nextSerial(tx: Tx, accountId: bigint, payDay: string): Promise<number> {
  await tx.query(sql`select 1 from accounts where id = ${accountId} for no key update`);
  const [row] = await tx.query<{ serial: number }>(sql`
    select greatest(
      (select max(serial) from payout_batches where account_id = ${accountId} and pay_day = ${payDay}),
      (select ${FILES} * count(*) from restorations
        where (restored_to at time zone ${BUSINESS_TIME_ZONE})::date <= ${payDay}::date
          and (done_at at time zone ${BUSINESS_TIME_ZONE})::date >= ${payDay}::date - 31)
    )::int + 1 as serial`);
  return row!.serial;
}

/** The id of the new batch; undefined when another request uses its key. */
export async function insertBatch(tx: Tx, batch: NewBatch): Promise<bigint | undefined> {
  const [row] = await tx.query<{ id: bigint }>(sql`
    insert into payout_batches (supplier_id, account_id, template_id, template_version, currency, min_amount, max_amount,
      order_count, total, pay_at, pay_day, serial, created_by, request_key, content_hash, created_at)
    values (${batch.supplierId}, ${batch.accountId}, ${batch.templateId}, ${batch.templateVersion}, ${batch.currency},
      ${batch.minAmount}, ${batch.maxAmount}, ${batch.orderCount}, ${batch.total}, ${batch.payAt}, ${batch.payDay},
      ${batch.serial}, ${batch.createdBy}, ${batch.key}, ${batch.contentHash}, ${batch.at})
    on conflict (created_by, request_key) do nothing returning id`);
  return row?.id;
}

export interface NewBatchOrder {
  readonly row: number;
  readonly orderId: bigint;
  readonly reference: string;
  readonly amount: bigint;
  readonly mode: string;
}

const BATCH_ORDER = {
  rowNumber: 'smallint',
  orderId: 'bigint',
  reference: 'text',
  amount: 'bigint',
  mode: 'text',
} as const;

/** Writes the rows of a new batch. Closes open rows of earlier batches first: a waiting payout is in no batch. */
export async function insertBatchOrders(
  tx: Tx,
  batchId: bigint,
  orders: readonly NewBatchOrder[],
): Promise<void> {
  const ids = orders.map((order) => order.orderId);
  await tx.query(sql`
    update payout_batch_orders set state = 'returned' where state = 'pending' and order_id = any(${ids})`);
  await tx.query(sql`
    insert into payout_batch_orders (batch_id, ${columnNames(BATCH_ORDER)})
    select ${batchId}, v.* from ${unnestRows(
      BATCH_ORDER,
      orders.map((order) => ({ ...order, rowNumber: order.row })),
    )}`);
}

/** Keeps the file that the first export made, and notes which rows it holds. */
export async function setFile(
  tx: Tx,
  batchId: bigint,
  file: { readonly fileName: string; readonly content: string; readonly total: bigint; readonly at: Date },
  rows: readonly number[],
): Promise<void> {
  await tx.query(sql`
    update payout_batches set status = 'exported', exported_at = ${file.at}, file_name = ${file.fileName},
      file = ${file.content}, order_count = ${rows.length}, total = ${file.total}
    where id = ${batchId}`);
  await tx.query(sql`
    update payout_batch_orders set in_file = true where batch_id = ${batchId} and row_number = any(${rows}::smallint[])`);
}

export async function setSent(tx: Tx, batchId: bigint, at: Date): Promise<void> {
  await tx.query(sql`update payout_batches set status = 'sent', sent_at = ${at} where id = ${batchId}`);
}

export async function setEnded(
  tx: Tx,
  batchId: bigint,
  status: 'closed' | 'cancelled',
  at: Date,
): Promise<void> {
  await tx.query(sql`update payout_batches set status = ${status}, ended_at = ${at} where id = ${batchId}`);
}

/** A row of a batch, with the payee's account and its present state (`ROW_STATE`). */
export interface BatchOrder {
  readonly row: number;
  readonly orderId: bigint;
  readonly reference: string;
  readonly amount: bigint;
  readonly mode: string;
  readonly inFile: boolean;
  readonly payeeAccount: string | null;
  readonly state: BatchRowState;
  readonly proposed: ResultOutcome | null;
  readonly proposedUtr: string | null;
  readonly proposedReason: string | null;
  /** SHA-256 of the file that proposes the outcome. */
  readonly proposedFile: Buffer | null;
  /** Who uploaded that file. `isSupplierWord`: a supplier did. */
  readonly proposedBy: bigint | null;
  readonly isSupplierWord: boolean;
}

/** SQL columns of a row's (alias `i`) proposal. */
const PROPOSAL = sql`i.proposed, i.proposed_utr as "proposedUtr", i.proposed_reason as "proposedReason",
  i.proposed_file as "proposedFile", i.proposed_by as "proposedBy", i.proposed_by_supplier as "isSupplierWord"`;

/**
 * SQL: the payout (alias `o`) of a row (alias `i`) has gone on to another account, a claim, a gateway or a later batch. What the bank says
 * of this row does not apply to it any more. A payout that waits or was refunded has not gone elsewhere, unless a later batch had it. A
 * claim may be paid from the account of the batch: only `claimed_at` tells the two apart.
 */
const IS_ELSEWHERE: Sql = sql`(
  o.status not in (${PAYOUT.waiting}, ${PAYOUT.cancelled}, ${PAYOUT.rejecting}, ${PAYOUT.rejected}) and (o.claimed_at is not null
    or exists (select from payout_batches b
      where b.id = i.batch_id and (b.supplier_id, b.account_id) is distinct from (o.supplier_id, o.account_id)))
  or exists (select from payout_batch_orders n where n.order_id = i.order_id and n.batch_id > i.batch_id))`;

/** Row numbers of the batch whose payouts have gone elsewhere. The caller has locked the payouts. */
export async function rowsElsewhere(tx: Tx, batchId: bigint): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ row: number }>(sql`
    select i.row_number::int as row from payout_batch_orders i join payout_orders o on o.id = i.order_id
    where i.batch_id = ${batchId} and ${IS_ELSEWHERE}`);
  return new Set(rows.map(({ row }) => row));
}

/**
 * SQL: the present state of a row (alias `i`). Its payout (alias `o`) may have moved on without the batch: completed by its debit, unlocked
 * and ended by an operator, or, after it failed, refunded or put back to waiting.
 */
export const ROW_STATE: Sql = sql`
  case when i.state in ('pending', 'failed') and ${IS_ELSEWHERE} then 'returned'
    when o.reversed_at is not null and i.state in ('pending', 'completed') then 'reversed'
    when i.state = 'failed' then case o.status when ${PAYOUT.processingError} then 'failed' when ${PAYOUT.completed} then 'completed' when ${PAYOUT.rejected} then 'rejected' else 'returned' end
    when i.state <> 'pending' then i.state
    when o.status = ${PAYOUT.completed} then 'completed' when o.status = ${PAYOUT.rejected} then 'rejected' when o.status in (${PAYOUT.waiting}, ${PAYOUT.cancelled}) then 'returned'
    when o.status = ${PAYOUT.processingError} then 'failed' else 'pending' end`;

export function batchOrders(tx: Queryable, batchId: bigint): Promise<BatchOrder[]> {
  return tx.query<BatchOrder>(sql`
    select i.row_number::int as row, i.order_id as "orderId", i.reference, i.amount, i.mode, i.in_file as "inFile", o.payee_account as "payeeAccount",
      ${ROW_STATE} as state, ${PROPOSAL}
    from payout_batch_orders i join payout_orders o on o.id = i.order_id
    where i.batch_id = ${batchId} order by i.row_number`);
}

export interface RowChange {
  readonly row: number;
  readonly state: BatchRowState;
  readonly reason?: string | null;
}

/** Writes the states of rows and clears their proposals. */
export async function settleRows(tx: Tx, batchId: bigint, changes: readonly RowChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(sql`
    update payout_batch_orders i set state = v.state, reason = coalesce(v.reason, i.reason), proposed = null
    from ${unnestRows(
      { rowNumber: 'smallint', state: 'text', reason: 'text' },
      changes.map((change) => ({ ...change, rowNumber: change.row, reason: change.reason ?? null })),
    )}
    where i.batch_id = ${batchId} and i.row_number = v.row_number`);
}

export interface Proposal {
  readonly row: number;
  readonly outcome: ResultOutcome;
  readonly utr: string | null;
  readonly reason: string | null;
}

/**
 * Writes the proposals of a file in the place of earlier ones. A supplier's file does not replace proposals of the desk's file, and the
 * references it names are not kept as the bank's.
 */
export async function propose(
  tx: Tx,
  batchId: bigint,
  proposals: readonly Proposal[],
  {
    sha256,
    by,
    isSupplierWord,
  }: { readonly sha256: Buffer; readonly by: bigint; readonly isSupplierWord: boolean },
): Promise<void> {
  const replaced = isSupplierWord ? sql`and proposed_by_supplier` : empty;
  await tx.query(sql`update payout_batch_orders set proposed = null where batch_id = ${batchId} ${replaced}`);
  await tx.query(sql`
    update payout_batch_orders i set proposed = v.outcome, proposed_utr = v.utr, proposed_reason = v.reason,
      proposed_file = ${sha256}, proposed_by = ${by}, proposed_by_supplier = ${isSupplierWord},
      bank_reference = case when ${isSupplierWord} then i.bank_reference else coalesce(v.utr, i.bank_reference) end
    from ${unnestRows(
      { rowNumber: 'smallint', outcome: 'text', utr: 'text', reason: 'text' },
      proposals.map((each) => ({ ...each, rowNumber: each.row })),
    )}
    where i.batch_id = ${batchId} and i.row_number = v.row_number and i.proposed is null`);
}

export interface NewResult {
  readonly id: bigint;
  readonly batchId: bigint;
  readonly fileName: string;
  readonly sha256: Buffer;
  readonly content: string;
  readonly rows: number;
  readonly by: bigint;
  readonly at: Date;
}

export async function insertResult(tx: Tx, result: NewResult): Promise<void> {
  await tx.query(sql`
    insert into payout_batch_results (id, batch_id, file_name, sha256, content, row_count, uploaded_by, uploaded_at)
    values (${result.id}, ${result.batchId}, ${result.fileName}, ${result.sha256}, ${result.content}, ${result.rows},
      ${result.by}, ${result.at})`);
}

/** SHA-256 of the last result file. */
export async function lastResultHash(tx: Tx, batchId: bigint): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ sha256: Buffer }>(sql`
    select sha256 from payout_batch_results where batch_id = ${batchId} order by id desc limit 1`);
  return row?.sha256;
}

/**
 * SQL: a row (alias `i`) with its payout (alias `o`) needs a person. The payout failed; or the bank proposes 'failed' or 'reversed' of
 * a completed one; or the bank says that it paid one that waits, has ended unpaid, has failed or has gone elsewhere.
 */
export const IS_EXCEPTION: Sql = sql`(
  (not ${IS_ELSEWHERE} and (o.status = ${PAYOUT.processingError} or (i.proposed in ('reversed', 'failed') and o.status = ${PAYOUT.completed})))
  or (i.proposed = 'completed' and (o.status in (${PAYOUT.waiting}, ${PAYOUT.cancelled}, ${PAYOUT.rejected}, ${PAYOUT.processingError}) or ${IS_ELSEWHERE})))`;

/** A row as the detail of a batch shows it. */
export interface DetailRow extends BatchOrder {
  readonly payeeName: string | null;
  readonly payeeVpa: string | null;
  readonly orderStatus: PayoutStatus;
  readonly utr: string | null;
  readonly reason: string | null;
  /** Why staff refused or reversed the payout. */
  readonly rejectReason: string | null;
  /** Who has the payout now. */
  readonly supplierId: bigint | null;
  readonly isException: boolean;
}

export function detailRows(db: Queryable, batchId: bigint): Promise<DetailRow[]> {
  return db.query<DetailRow>(sql`
    select i.row_number::int as row, i.order_id as "orderId", i.reference, i.amount, i.mode, i.in_file as "inFile",
      ${ROW_STATE} as state, ${PROPOSAL},
      o.payee_account as "payeeAccount", o.payee_name as "payeeName", o.payee_vpa as "payeeVpa", o.status as "orderStatus",
      o.utr, i.reason, o.reject_reason as "rejectReason", o.supplier_id as "supplierId", ${IS_EXCEPTION} as "isException"
    from payout_batch_orders i join payout_orders o on o.id = i.order_id
    where i.batch_id = ${batchId} order by i.row_number`);
}

export interface ListedResult {
  readonly fileName: string;
  readonly uploadedBy: string;
  readonly uploaderRole: Role;
  readonly at: Date;
  readonly count: number;
}

export function resultsOf(db: Queryable, batchId: bigint): Promise<ListedResult[]> {
  return db.query<ListedResult>(sql`
    select r.file_name as "fileName", u.account as "uploadedBy", u.role as "uploaderRole", r.uploaded_at as at, r.row_count as count
    from payout_batch_results r join users u on u.id = r.uploaded_by where r.batch_id = ${batchId} order by r.id desc`);
}
