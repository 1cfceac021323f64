import { z } from 'zod';
import {
  booleanFilter,
  currency,
  decimalFilter,
  filter,
  id,
  idFilter,
  intFilter,
  minor,
  paging,
  textFilter,
  time,
  timeFilter,
} from '../fields.ts';
import { CONFIDENCES } from '../evidence.ts';
import { ORDER_MARK } from '../orders.ts';
import { COUNTED, FILINGS, LAST_BUCKET } from '../statistics.ts';

/** What orders of both directions share: readers, common fields and filters, and the story in the drawer. */

export const READERS = [
  'superAdmin',
  'admin',
  'customerService',
  'technicalMaintenance',
  'supplier',
  'merchant',
] as const;
export const DESK = ['superAdmin', 'admin', 'customerService'] as const;

export const valuesOf = <V extends number>(table: Record<string, V>) =>
  z.literal(Object.values(table) as [V, ...V[]]);

export const sharedRow = {
  id,
  orderCode: z.string(),
  /** The version that an action may name; the action is refused (409) when the order has another version by then. */
  version: z.string(),
  mchOrderNo: z.string(),
  /** Merchants and suppliers see 1 and 4 as 0. */
  orderMark: valuesOf(ORDER_MARK),
  reversed: z.boolean(),
  /** Staff only: frozen by an admin or by a legal hold. */
  frozen: z.boolean().optional(),
  legalHold: z.boolean().optional(),
  productId: z.int(),
  productName: z.string(),
  currency,
  utr: z.string().nullable(),
  userName: z.string().nullable(),
  createTime: time,
  /** The fields below are only for viewers who may see them: merchants see no suppliers, suppliers no merchants. */
  merchantId: id.optional(),
  merchantName: z.string().optional(),
  ipAddress: z.string().nullable().optional(),
  supplierId: id.nullable().optional(),
  supplierName: z.string().nullable().optional(),
  supplierCommission: minor.nullable().optional(),
};

export const sharedFilters = {
  ...paging,
  /** own (default), or team: the orders of an agent's suppliers. */
  scope: filter(z.enum(['own', 'team'])),
  merchantId: idFilter,
  supplierId: idFilter,
  productId: intFilter,
  merchantOrderId: textFilter,
  orderCode: textFilter,
  ipAddress: textFilter,
  startTime: timeFilter,
  endTime: timeFilter,
  /** One status id, or several joined with commas. */
  orderStatusId: filter(
    z
      .string()
      .or(z.number())
      .transform(String)
      .pipe(z.string().regex(/^\d(,\d)*$/)),
  ),
  orderMark: intFilter,
  /** Decimal plus 0.0001, as existing clients send amounts. */
  amount: filter(z.coerce.number()),
  /** The ends of a range of amounts, both included, exact in every currency. */
  amountFrom: decimalFilter,
  amountTo: decimalFilter,
  /** Millionths of a USDT: the payable amount of a collection order, or the amount of a payout. */
  usdtCount: filter(z.coerce.number().int().min(0)),
  /** The whole account number, IFSC or address of the receiving account; for a payout, of the payee. */
  cardNumber: textFilter,
  ifscCode: textFilter,
  usdtAddress: textFilter,
  userName: textFilter,
  /** The whole name; letter case does not matter. */
  validateUserName: textFilter,
  utr: textFilter,
  reversed: booleanFilter,
  currency: filter(currency),
  /** Bank of the account; '0': orders without a bank. */
  bank: textFilter,
  /**
   * The orders that a number of the statistics counts. The times then follow `filing`, exactly to the second. Orders marked
   * 'test' are left out unless orderMark asks for them.
   */
  counted: filter(z.enum(COUNTED)),
  filing: filter(z.enum(FILINGS)),
  /** With `counted`, for a supplier: whose orders. */
  countedScope: filter(z.enum(['own', 'team', 'group'])),
  /** With `counted`: filed on this day of the week (1 Monday to 7 Sunday), in this half hour of the day (0 to 47). */
  weekday: filter(z.coerce.number().int().min(1).max(7)),
  halfHour: filter(z.coerce.number().int().min(0).max(47)),
  /** With `counted`: the bucket of the time from creation to payment (getDurations). */
  payBucket: filter(z.coerce.number().int().min(0).max(LAST_BUCKET)),
  /** Orders of suppliers that an agent brought; for a supplier: its team's orders. */
  isProxy: booleanFilter,
};

export const eventRow = z.object({
  id,
  kind: z.string(),
  fromStatus: z.int().nullable(),
  toStatus: z.int().nullable(),
  actor: z.string(),
  reason: z.string().nullable(),
  ip: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  time,
});

/** Why a message has its state, and how sure that is (contract, evidence.ts). */
export const verdict = { verdict: z.string(), confidence: z.enum(CONFIDENCES) };

export const messageRow = z.object({
  id,
  ...verdict,
  sender: z.string(),
  text: z.string(),
  amount: minor.nullable(),
  utr: z.string().nullable(),
  state: z.string(),
  receivedTime: time,
});

const attemptRow = z.object({
  id,
  time,
  url: z.string(),
  httpMethod: z.string(),
  request: z.string(),
  status: z.int().nullable(),
  /** The first 2 KiB. */
  answer: z.string().nullable(),
  error: z.string().nullable(),
  durationMs: z.int(),
});

/** exhausted: its retries are used up. withdrawn: an operator took it off the queue. */
export const CALLBACK_STATES = ['pending', 'succeeded', 'exhausted', 'withdrawn'] as const;

export const callbackRow = z.object({
  id,
  kind: z.enum(['paid', 'manual', 'timeout', 'reversed', 'payout']),
  state: z.enum(CALLBACK_STATES),
  attempts: z.int(),
  nextTime: time.nullable(),
  createTime: time,
  attemptList: z.array(attemptRow),
});

export const entryRow = z.object({
  id,
  postingId: id,
  postingKind: z.string(),
  ownerKind: z.string(),
  ownerName: z.string(),
  bucket: z.string(),
  currency,
  amount: minor,
  /** Null for balances kept in parts: the platform's, and pending settlement. */
  balanceAfter: minor.nullable(),
  time,
});
