import { z } from 'zod';
import { APPROVAL_RULES } from '../approvals.ts';
import { endpoint } from '../endpoint.ts';
import {
  booleanFilter,
  currency,
  filter,
  id,
  idFilter,
  listOf,
  minor,
  paging,
  text,
  time,
  timeFilter,
} from '../fields.ts';
import { parseTime } from '../time.ts';

/** Each of these calls starts a request and answers 1205 with its todoId. Nothing moves before somebody else approves. */
const submitted = z.object({ todoId: id });

const owner = z.enum(['merchant', 'supplier']);
const asked = {
  currency,
  reason: text(256),
  /** A double press with the same key makes one request. */
  requestKey: text(64).optional(),
};
const positive = z.coerce.number().pipe(minor.positive());

export const adjustBalance = endpoint({
  method: 'POST',
  path: '/v1.0/fundRecord/adjustBalance',
  summary: "Ask to correct a balance, up or down, against the platform's adjustment account",
  access: APPROVAL_RULES.balanceAdjustment.start,
  sensitive: true,
  stepUp: 'input',
  input: z.object({
    ...asked,
    ownerKind: owner,
    ownerId: id,
    /** available (merchant), deposit or commission (supplier). Default: available or deposit. */
    bucket: z.enum(['available', 'deposit', 'commission']).optional(),
    amount: z.coerce.number().pipe(minor.refine((value) => value !== 0)),
  }),
  output: submitted,
});

export const topUp = endpoint({
  method: 'POST',
  path: '/v1.0/fundRecord/topUp',
  summary: "Ask to book money that came from outside: a supplier's deposit, a merchant's available balance",
  access: APPROVAL_RULES.topUp.start,
  duty: 'money',
  sensitive: true,
  stepUp: 'input',
  input: z.object({
    ...asked,
    ownerKind: owner,
    ownerId: id,
    amount: positive,
    /** The number of the payment from outside. One number pays one order or one top-up. */
    utr: text(80).optional(),
  }),
  output: submitted,
});

export const withdrawFunds = endpoint({
  method: 'POST',
  path: '/v1.0/fundRecord/withdraw',
  summary: 'Ask to pay money out of a balance to its owner',
  access: APPROVAL_RULES.withdrawal.start,
  duty: 'money',
  sensitive: true,
  stepUp: 'input',
  input: z.object({
    ...asked,
    ownerKind: owner,
    ownerId: id,
    bucket: z.enum(['available', 'deposit', 'commission']).optional(),
    amount: positive,
  }),
  output: submitted,
});

export const clearBalance = endpoint({
  method: 'POST',
  path: '/v1.0/fundRecord/clearBalance',
  summary: "Ask to clear what a merchant's available balance holds now (setting CanClearMerchantBalance)",
  access: APPROVAL_RULES.clearBalance.start,
  sensitive: true,
  stepUp: 'input',
  input: z.object({ ...asked, merchantId: id }),
  output: submitted,
});

export const setCreditLimit = endpoint({
  method: 'POST',
  path: '/v1.0/fundRecord/setCreditLimit',
  summary: "Ask to change how far below zero a supplier's deposit may go",
  access: APPROVAL_RULES.creditLimit.start,
  sensitive: true,
  stepUp: 'input',
  input: z.object({ ...asked, supplierId: id, creditLimit: z.coerce.number().pipe(minor.nonnegative()) }),
  output: submitted,
});

const READERS = [
  'superAdmin',
  'admin',
  'customerService',
  'technicalMaintenance',
  'supplier',
  'merchant',
] as const;

const ownedBalance = {
  /** A merchant or supplier may leave the owner out: it is the owner. */
  ownerKind: filter(z.enum(['merchant', 'supplier', 'platform'])),
  ownerId: idFilter,
  currency,
};
const moment = z.string().refine((value) => parseTime(value) !== undefined, 'YYYY-MM-DD HH:mm:ss');
const kindTotal = z.object({ postingKind: z.string(), count: z.int(), amount: minor });

export const getStatement = endpoint({
  method: 'GET',
  path: '/v1.0/fundRecord/getStatement',
  summary: 'Opening and closing balance of a period and what lies between, per bucket and posting kind',
  access: READERS,
  input: z.object({
    ...ownedBalance,
    bucket: filter(z.string().trim().max(32)),
    startTime: moment,
    /** The end includes its whole second. */
    endTime: moment,
  }),
  output: z.object({
    list: z.array(
      z.object({
        bucket: z.string(),
        opening: minor,
        closing: minor,
        lines: z.array(kindTotal),
      }),
    ),
  }),
});

export const explain = endpoint({
  method: 'GET',
  path: '/v1.0/fundRecord/explain',
  summary:
    'Why a balance is what it is: what it was before a period (the last 31 days when left out, 93 at most), totals by posting kind since, and the entries page by page',
  access: READERS,
  input: z.object({
    ...ownedBalance,
    bucket: z.string().trim().min(1).max(32),
    startTime: timeFilter,
    /** The end includes its whole second. */
    endTime: timeFilter,
    pageSize: paging.pageSize,
    cursor: paging.cursor,
  }),
  output: z.object({
    balance: minor,
    /** The balance before the period. Opening plus totals is the closing, which is the present balance when the period ends now. */
    opening: minor,
    closing: minor,
    startTime: time,
    /** The lowest allowed balance; null where there is no limit. */
    floor: minor.nullable(),
    totals: z.array(kindTotal),
    nextCursor: z.string().nullable(),
    newest: z.array(
      z.object({
        id,
        postingId: id,
        postingKind: z.string(),
        orderCode: z.string().nullable(),
        amount: minor,
        /** Null for balances kept in parts: the platform's, and pending settlement. */
        balanceAfter: minor.nullable(),
        reason: z.string().nullable(),
        time,
      }),
    ),
  }),
});

export const getVerifyRuns = endpoint({
  method: 'GET',
  path: '/v1.0/ledger/getVerifyRuns',
  summary: 'Runs of the checks that prove ledger and orders, newest first',
  access: ['superAdmin', 'admin', 'technicalMaintenance'],
  input: z.object({ ...paging, ok: booleanFilter }),
  output: listOf(
    z.object({
      id,
      /** whole: all checks over everything; recent: what has changed lately. */
      scope: z.enum(['whole', 'recent']),
      ok: z.boolean(),
      checks: z.int(),
      /** Each check that failed, with the first row that breaks it, or that did not finish in its time. */
      broken: z.array(
        z.object({ name: z.string(), detail: z.string(), unfinished: z.literal(true).optional() }),
      ),
      startTime: time,
      durationMs: z.int(),
    }),
  ),
});
