import type {
  getPayoutBatchDetail,
  getPayoutBatchList,
  payoutBatchOrder,
  PayoutBatchRow,
} from '@sangam/contract/endpoints/payout-batch.ts';
import { batchActions, type BatchRowState, type BatchStatus } from '@sangam/contract/payout-batches.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { type Role, STAFF } from '@sangam/contract/roles.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { parseTime, formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, type Sql, sql } from '../../platform/db/database.ts';
import { endOf, type Page, readPage } from '../../platform/db/page.ts';
import { maskAccountNumber, maskName } from '../../platform/masking.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { isStaff, nameFor, scopeOf, type Viewer } from '../../platform/viewer.ts';
import { maskedPayee } from './preview.ts';
import { type DetailRow, detailRows, IS_EXCEPTION, resultsOf, ROW_STATE } from './store.ts';

interface ListedBatch {
  readonly id: bigint;
  readonly status: BatchStatus;
  readonly accountId: bigint;
  readonly bank: string;
  readonly accountNumber: string;
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly templateName: string;
  readonly templateVersion: number;
  readonly readsResult: boolean;
  readonly currency: Currency;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly count: number;
  readonly sum: bigint;
  readonly fileName: string | null;
  readonly payAt: Date;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly creatorRole: Role;
  readonly exportedAt: Date | null;
  readonly sentAt: Date | null;
  readonly endedAt: Date | null;
  readonly states: readonly { state: BatchRowState; count: number; amount: number | null }[] | null;
  readonly proposed: number;
  readonly exceptions: number;
}

/** `withSums`: the setting PayoutBatchCalculateAmount. In a long list, sums cost more than counts. */
const columns = (withSums: boolean): Sql => sql`
  b.id, b.status, b.account_id as "accountId", a.bank, a.account_number as "accountNumber", b.supplier_id as "supplierId",
  s.name as "supplierName", t.name as "templateName", b.template_version as "templateVersion",
  jsonb_typeof(v.format -> 'result') = 'object' as "readsResult", b.currency, b.min_amount as "minAmount",
  b.max_amount as "maxAmount", b.order_count as count, b.total as sum, b.file_name as "fileName", b.pay_at as "payAt",
  b.created_at as "createdAt", u.account as "createdBy", u.role as "creatorRole", b.exported_at as "exportedAt", b.sent_at as "sentAt",
  b.ended_at as "endedAt",
  (select jsonb_agg(jsonb_build_object('state', state, 'count', count, 'amount', amount) order by state) from (
    select ${ROW_STATE} as state, count(*)::int as count, ${withSums ? sql`sum(i.amount)::bigint` : sql`null`} as amount
    from payout_batch_orders i join payout_orders o on o.id = i.order_id where i.batch_id = b.id group by 1) n) as states,
  (select count(*)::int from payout_batch_orders i where i.batch_id = b.id and i.proposed is not null) as proposed,
  (select count(*)::int from payout_batch_orders i join payout_orders o on o.id = i.order_id
   where i.batch_id = b.id and ${IS_EXCEPTION}) as exceptions`;

const FROM = sql`
  from payout_batches b join accounts a on a.id = b.account_id join suppliers s on s.id = b.supplier_id
  join users u on u.id = b.created_by join payout_templates t on t.id = b.template_id
  join payout_template_versions v on v.template_id = b.template_id and v.version = b.template_version`;

/** Batches the viewer may see, newest first. */
export async function listBatches(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getPayoutBatchList.input>,
): Promise<z.input<typeof getPayoutBatchList.output> | Refusal> {
  const { PayoutBatchCalculateAmount } = await platform.settings.all();
  const page: Page<ListedBatch> | Refusal = await readPage<ListedBatch>(platform, input, {
    columns: columns(PayoutBatchCalculateAmount),
    from: sql`${FROM} where true ${scopeOf(viewer, { supplier: sql`b.supplier_id` })} ${filters(input)}`,
    key: sql`b.id`,
  });
  return isRefusal(page) ? page : { ...page, list: page.list.map((batch) => shown(batch, viewer)) };
}

function filters(input: z.output<typeof getPayoutBatchList.input>): Sql {
  const { batchId, supplierId, accountId, status, orderCode, startTime, endTime } = input;
  const start = startTime === undefined ? undefined : parseTime(startTime);
  const end = endTime === undefined ? undefined : endOf(endTime);
  return sql`
    ${batchId === undefined ? empty : sql`and b.id = ${BigInt(batchId)}`}
    ${supplierId === undefined ? empty : sql`and b.supplier_id = ${BigInt(supplierId)}`}
    ${accountId === undefined ? empty : sql`and b.account_id = ${BigInt(accountId)}`}
    ${status === undefined ? empty : sql`and b.status = ${status}`}
    ${orderCode === undefined ? empty : sql`and b.id in (select batch_id from payout_batch_orders where order_id = ${BigInt(orderCode)})`}
    ${start ? sql`and b.created_at >= ${start}` : empty}
    ${end ? sql`and b.created_at < ${end}` : empty}`;
}

function shown(batch: ListedBatch, viewer: Viewer): PayoutBatchRow {
  const time = (moment: Date | null) => (moment === null ? null : formatTime(moment));
  const id = String(batch.id);
  const { status, currency, count, fileName, templateName, templateVersion, readsResult } = batch;
  return {
    id,
    batchId: id,
    status,
    accountId: String(batch.accountId),
    accountName: `${batch.bank} ${maskAccountNumber(batch.accountNumber)}`,
    supplierId: String(batch.supplierId),
    supplierName: batch.supplierName,
    templateName,
    templateVersion,
    readsResult,
    currency,
    minAmount: Number(batch.minAmount),
    maxAmount: Number(batch.maxAmount),
    count,
    sum: Number(batch.sum),
    fileName,
    payTime: formatTime(batch.payAt),
    createTime: formatTime(batch.createdAt),
    createdBy: actorOf(viewer, batch.createdBy, batch.creatorRole),
    exportTime: time(batch.exportedAt),
    sendTime: time(batch.sentAt),
    endTime: time(batch.endedAt),
    states: [...(batch.states ?? [])],
    proposed: batch.proposed,
    exceptions: batch.exceptions,
    actions: batchActions(viewer, status),
  };
}

/** The name of the user who made a batch or uploaded a file, as this viewer may see it: a supplier does not see staff by name. */
const actorOf = (viewer: Viewer, account: string, role: Role): string =>
  nameFor(viewer, account, { isOwn: !STAFF.includes(role) });

/** One batch with every payout in it. */
export async function batchDetail(
  platform: Platform,
  viewer: Viewer,
  batchId: string,
): Promise<z.input<typeof getPayoutBatchDetail.output> | Refusal> {
  const id = BigInt(batchId);
  const [batch] = await platform.db.query<ListedBatch>(sql`
    select ${columns(true)} ${FROM} where b.id = ${id} ${scopeOf(viewer, { supplier: sql`b.supplier_id` })}`);
  if (!batch) return refuse('notFound');
  const [rows, results] = await Promise.all([detailRows(platform.db, id), resultsOf(platform.db, id)]);
  return {
    batch: shown(batch, viewer),
    orders: rows.map((row) => orderShown(row, batch, viewer)),
    results: results.map(({ at, uploadedBy, uploaderRole, ...result }) => ({
      ...result,
      uploadedBy: actorOf(viewer, uploadedBy, uploaderRole),
      time: formatTime(at),
    })),
  };
}

function orderShown(row: DetailRow, batch: ListedBatch, viewer: Viewer): z.input<typeof payoutBatchOrder> {
  const { state, proposed } = row;
  // A supplier sees the payee unmasked only while it has to pay.
  const isOpen = seesWhole(viewer, 'payee') || (viewer.role === 'supplier' && state === 'pending');
  const staff = isStaff(viewer);
  // What became of a payout that the supplier does not have any more is no matter of this supplier.
  const isTheirs = staff || row.supplierId === batch.supplierId;
  return {
    row: row.row,
    orderCode: String(row.orderId),
    reference: row.reference,
    mode: row.mode,
    amount: Number(row.amount),
    currency: batch.currency,
    payeeName: isOpen ? row.payeeName : maskName(row.payeeName),
    payeeAccount: maskedPayee(row),
    state,
    orderStatusId: isTheirs ? row.orderStatus : PAYOUT_STATUS.waiting,
    utr: isTheirs ? row.utr : null,
    reason: row.reason ?? (staff ? row.rejectReason : null),
    proposal: proposed && {
      outcome: proposed,
      utr: row.proposedUtr,
      reason: row.proposedReason,
      fileHash: row.proposedFile!.toString('hex'),
      supplierWord: row.isSupplierWord,
    },
    exception: exceptionOf(row, batch, viewer),
  };
}

/** The actions on a row that needs a person; null for a row that went well or still may. */
function exceptionOf(row: DetailRow, batch: ListedBatch, viewer: Viewer) {
  if (batch.status === 'prepared' && row.state === 'pending') return ['return' as const];
  if (!row.isException) return null;
  if (row.state !== 'failed') return [];
  return isStaff(viewer) ? ['retry' as const, 'reject' as const] : ['retry' as const];
}
