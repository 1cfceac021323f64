import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, filter, id, idFilter, listOf, minor, paging, text, time, timeFilter } from '../fields.ts';
import {
  BATCH_ACTIONS,
  BATCH_EXCEPTION_ACTIONS,
  BATCH_ROW_STATES,
  BATCH_STATUSES,
} from '../payout-batches.ts';
import { RESULT_OUTCOMES } from '../payout-templates.ts';
import { PAYOUT_STATUS } from '../payouts.ts';
import { parseTime } from '../time.ts';

const USERS = ['superAdmin', 'admin', 'customerService', 'supplier'] as const;

/** What a batch should hold. The command checks the number of orders: more than 500 is 1301. */
const selection = {
  accountId: id,
  templateId: id,
  minAmount: minor.min(1),
  maxAmount: minor.min(1),
};
const wanted = {
  ...selection,
  orderCount: z.int().min(1).max(1_000_000),
};
const inOrder = (input: { readonly minAmount: number; readonly maxAmount: number }) =>
  input.minAmount <= input.maxAmount;
const MIN_MAX = { path: ['minAmount'], message: 'minAmount ≤ maxAmount' };

export const getPayoutBatchOptions = endpoint({
  method: 'GET',
  path: '/v1.0/payoutBatch/getOptions',
  summary: 'Payout accounts and templates a batch can be made with',
  access: USERS,
  input: z.object({}),
  output: z.object({
    accounts: z.array(
      z.object({
        id,
        name: z.string(),
        supplierName: z.string(),
        bank: z.string(),
        ifsc: z.string().nullable(),
        currency,
        products: z.array(z.int()),
      }),
    ),
    templates: z.array(
      z.object({
        id,
        name: z.string(),
        version: z.int(),
        bank: z.string(),
        products: z.array(z.int()),
        /** Its result file can be read; otherwise payouts are confirmed by hand or by debit messages. */
        readsResult: z.boolean(),
        /** False while a parameter agreed with the bank is missing. */
        ready: z.boolean(),
      }),
    ),
  }),
});

export const countPayoutBatch = endpoint({
  method: 'GET',
  path: '/v1.0/payoutBatch/getOrderCount',
  summary: 'How many waiting payouts fit, and their sum',
  access: USERS,
  input: z
    .object({
      ...selection,
      minAmount: z.coerce.number().pipe(selection.minAmount),
      maxAmount: z.coerce.number().pipe(selection.maxAmount),
    })
    .refine(inOrder, MIN_MAX),
  output: z.object({ count: z.int(), sum: minor, currency }),
});

const previewRow = z.object({
  orderCode: z.string(),
  amount: minor,
  mode: z.string(),
  payeeName: z.string().nullable(),
  payeeAccount: z.string().nullable(),
  payeeIfsc: z.string().nullable(),
  createTime: time,
});

export const previewPayoutBatch = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/preview',
  summary: 'What a batch would hold now; nothing is locked',
  access: USERS,
  duty: 'money',
  input: z.object(wanted).refine(inOrder, MIN_MAX),
  output: z.object({
    count: z.int(),
    sum: minor,
    currency,
    /** Fitting payouts wait, but the account's daily limits have no room for any. */
    hasNoRoom: z.boolean(),
    modes: z.array(z.object({ mode: z.string(), count: z.int(), sum: minor })),
    /** The oldest payouts. */
    list: z.array(previewRow),
  }),
});

export const createPayoutBatch = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/create',
  summary: 'Lock the waiting payouts that fit into a batch; the same key again answers the same batch',
  access: USERS,
  duty: 'money',
  sensitive: true,
  input: z
    .object({
      ...wanted,
      /** The day on which the bank should pay. */
      payTime: z.string().refine((value) => parseTime(value) !== undefined, 'YYYY-MM-DD HH:mm:ss'),
      key: text(64),
    })
    .refine(inOrder, MIN_MAX),
  output: z.object({ batchId: id, count: z.int(), sum: minor, currency }),
});

export const payoutBatchRow = z.object({
  id,
  batchId: id,
  status: z.enum(BATCH_STATUSES),
  accountId: id,
  accountName: z.string(),
  supplierId: id,
  supplierName: z.string(),
  templateName: z.string(),
  templateVersion: z.int(),
  readsResult: z.boolean(),
  currency,
  minAmount: minor,
  maxAmount: minor,
  count: z.int(),
  sum: minor,
  /** Null until the batch is exported. */
  fileName: z.string().nullable(),
  payTime: time,
  createTime: time,
  createdBy: z.string(),
  exportTime: time.nullable(),
  sendTime: time.nullable(),
  endTime: time.nullable(),
  /** By state; amounts only while PayoutBatchCalculateAmount is on. */
  states: z.array(z.object({ state: z.enum(BATCH_ROW_STATES), count: z.int(), amount: minor.nullable() })),
  /** Rows of the last result file that wait for confirmation. */
  proposed: z.int(),
  exceptions: z.int(),
  actions: z.array(z.enum(BATCH_ACTIONS)),
});
export type PayoutBatchRow = z.infer<typeof payoutBatchRow>;

export const getPayoutBatchList = endpoint({
  method: 'GET',
  path: '/v1.0/payoutBatch/getList',
  summary: 'Payout batches the viewer may see, newest first',
  access: USERS,
  input: z.object({
    ...paging,
    batchId: idFilter,
    supplierId: idFilter,
    accountId: idFilter,
    status: filter(z.enum(BATCH_STATUSES)),
    orderCode: idFilter,
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(payoutBatchRow),
});

const fileHash = z.string().regex(/^[0-9a-f]{64}$/);

export const payoutBatchOrder = z.object({
  row: z.int(),
  orderCode: z.string(),
  reference: z.string(),
  mode: z.string(),
  amount: minor,
  currency,
  payeeName: z.string().nullable(),
  payeeAccount: z.string().nullable(),
  state: z.enum(BATCH_ROW_STATES),
  orderStatusId: z.enum(PAYOUT_STATUS),
  utr: z.string().nullable(),
  reason: z.string().nullable(),
  proposal: z
    .object({
      outcome: z.enum(RESULT_OUTCOMES),
      utr: z.string().nullable(),
      reason: z.string().nullable(),
      /** The file that states this. */
      fileHash,
      /** A supplier uploaded that file: payouts it calls paid are unproven, whoever confirms them. */
      supplierWord: z.boolean(),
    })
    .nullable(),
  /** What may be done when the row is an exception: it failed, came back, or was taken out of the batch. */
  exception: z.array(z.enum(BATCH_EXCEPTION_ACTIONS)).nullable(),
});

export const getPayoutBatchDetail = endpoint({
  method: 'GET',
  path: '/v1.0/payoutBatch/getDetail',
  summary: 'One batch with its payouts, proposals and exceptions',
  access: USERS,
  input: z.object({ batchId: id }),
  output: z.object({
    batch: payoutBatchRow,
    orders: z.array(payoutBatchOrder),
    results: z.array(z.object({ fileName: z.string(), uploadedBy: z.string(), time, count: z.int() })),
  }),
});

const one = z.object({ batchId: id });
const state = z.object({ batchId: id, status: z.enum(BATCH_STATUSES) });

export const exportPayoutBatch = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/export',
  summary: "The bank's file of a batch: the same bytes every time; each export is recorded",
  access: USERS,
  duty: 'money',
  input: one,
  output: z.object({ batchId: id, fileName: z.string(), content: z.string(), sha256: z.string() }),
});

export const markPayoutBatchSent = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/markSent',
  summary: 'The file is at the bank: its payouts are submitted',
  access: USERS,
  duty: 'money',
  input: one,
  output: state,
});

/** A file as the console sends it. */
const file = z.object({
  fileName: z.string().min(1).max(255),
  /** Base64 of the bytes. */
  content: z.string().max(1_000_000),
});

export const uploadPayoutBatchResult = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/uploadResult',
  summary:
    "The bank's result file: proposals row by row, or refused whole (1302 type, 1303 with data.rows, 1304 unknown format)",
  access: USERS,
  duty: 'money',
  input: one.extend({ file }),
  output: z.object({
    batchId: id,
    /** SHA-256 of the file, in hex. */
    fileHash,
    outcomes: z.array(z.object({ outcome: z.enum(RESULT_OUTCOMES), count: z.int(), sum: minor })),
  }),
});

/** One result for each row, in the order of the input; code 200 = done. */
const perRow = z.object({
  list: z.array(z.object({ row: z.int(), orderCode: z.string(), code: z.int(), msg: z.string() })),
});
const rowNumbers = z.array(z.int().min(1).max(500)).min(1).max(500);

export const confirmPayoutBatch = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/confirm',
  summary: 'Do what the result file says of these rows, or of all proposed ones',
  access: USERS,
  duty: 'money',
  sensitive: true,
  stepUp: 'input',
  /** With `fileHash`: a row that another file proposes by now answers 409. */
  input: one.extend({ rows: rowNumbers.optional(), fileHash: fileHash.optional() }),
  output: perRow,
});

export const handlePayoutBatchExceptions = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/handleExceptions',
  summary:
    'Failed payouts wait anew (retry) or are refunded (reject); before the export any may leave the batch (return)',
  access: USERS,
  duty: 'money',
  sensitive: true,
  stepUp: 'input',
  input: one.extend({ rows: rowNumbers, action: z.enum(BATCH_EXCEPTION_ACTIONS), reason: text(256) }),
  output: perRow,
});

export const closePayoutBatch = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/close',
  summary: 'The bank reports no more: what is still open waits to be confirmed, one by one',
  access: USERS,
  duty: 'money',
  sensitive: true,
  input: one,
  output: state,
});

export const cancelPayoutBatch = endpoint({
  method: 'POST',
  path: '/v1.0/payoutBatch/cancel',
  summary: 'The file never went to the bank: its payouts wait again',
  access: USERS,
  duty: 'money',
  sensitive: true,
  input: one.extend({ reason: text(256) }),
  output: state,
});
