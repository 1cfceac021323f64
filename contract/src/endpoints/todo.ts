import { z } from 'zod';
import { APPROVAL_KINDS, APPROVAL_STATUSES, approvalRoles } from '../approvals.ts';
import { endpoint } from '../endpoint.ts';
import {
  currency,
  filter,
  id,
  idFilter,
  listOf,
  minor,
  paging,
  signerCode,
  text,
  textFilter,
  time,
  timeFilter,
} from '../fields.ts';
import { ADMINS, STAFF } from '../roles.ts';

const status = z.enum(APPROVAL_STATUSES);
const subjectKind = z.enum([
  'order',
  'merchant',
  'supplier',
  'account',
  'payoutBatch',
  'payScript',
  'setting',
  'message',
  'system',
  'ipRule',
  'botGroup',
  'listedName',
  'accessReview',
  'export',
  'user',
]);

const todoRow = z.object({
  id,
  kind: z.enum(APPROVAL_KINDS),
  status,
  subjectKind,
  /** Order code, or the id of the merchant, supplier, account, payout batch or pay script; for a setting, its position in the list. */
  subjectId: id,
  subjectName: z.string().nullable(),
  /** For an order: collection or payout. */
  direction: z.enum(['in', 'out']).nullable(),
  /** The amount it moves; null where nothing is moved. */
  amount: minor.nullable(),
  /** The currency of the amount and of the payload's amounts; null where there is none. */
  currency: currency.nullable(),
  /** The request as it will be executed. */
  payload: z.record(z.string(), z.unknown()),
  reason: z.string().nullable(),
  startedBy: z.string(),
  startTime: time,
  expireTime: time,
  decidedBy: z.string().nullable(),
  decideTime: time.nullable(),
  decideReason: z.string().nullable(),
  /** The result of its execution. */
  result: z.record(z.string(), z.unknown()).nullable(),
  /** What this viewer may do with it now. */
  actions: z.array(z.enum(['approve', 'refuse', 'withdraw'])),
});

const todoFilters = {
  ...paging,
  kind: filter(z.enum(APPROVAL_KINDS)),
  subjectKind: filter(subjectKind),
  subjectId: idFilter,
};

export const getMine = endpoint({
  method: 'GET',
  path: '/v1.0/todo/getMine',
  summary: 'Requests that wait for the viewer to decide',
  access: [...STAFF, 'supplier'],
  input: z.object(todoFilters),
  output: listOf(todoRow),
});

export const getStarted = endpoint({
  method: 'GET',
  path: '/v1.0/todo/getStarted',
  summary: 'Requests the viewer started, whatever became of them',
  access: [...STAFF, 'supplier', 'merchant'],
  input: z.object({ ...todoFilters, status: filter(status) }),
  output: listOf(todoRow),
});

export const getPreview = endpoint({
  method: 'GET',
  path: '/v1.0/todo/getPreview',
  summary:
    'What approving a request would do to balances now, and how much else its starter asked for this week',
  access: approvalRoles('decide'),
  input: z.object({ id }),
  output: z.object({
    /** Each balance that would change, once. Empty: no money moves, or the amounts are known only after the execution. */
    entries: z.array(
      z.object({
        ownerKind: z.enum(['merchant', 'supplier', 'platform']),
        ownerId: id,
        ownerName: z.string(),
        bucket: z.string(),
        currency,
        amount: minor,
        /** Null for a balance kept in parts. */
        balanceBefore: minor.nullable(),
        balanceAfter: minor.nullable(),
      }),
    ),
    startedThisWeek: z.array(z.object({ kind: z.enum(APPROVAL_KINDS), count: z.int(), approved: z.int() })),
  }),
});

export const decide = endpoint({
  method: 'POST',
  path: '/v1.0/todo/decide',
  summary: 'Approve (which executes it, once) or refuse a request somebody else started',
  access: approvalRoles('decide'),
  sensitive: true,
  stepUp: 'request',
  input: z.object({
    id,
    approve: z.boolean(),
    reason: text(256).optional(),
    /** The code that the signer asks of a releaser of a USDT payout. */
    code: signerCode.optional(),
  }),
  output: z.object({ id, status, result: z.record(z.string(), z.unknown()).nullable() }),
});

export const withdraw = endpoint({
  method: 'POST',
  path: '/v1.0/todo/withdraw',
  summary: 'Take back an own request that was not decided yet',
  access: approvalRoles('start'),
  duty: 'own',
  input: z.object({ id }),
  output: z.object({ id, status }),
});

/** What one user can have done to another user's account. */
export const CONTROL_CHANGES = ['created', 'link', 'role', 'unbound', 'googleOff', 'revived'] as const;

export const getDuties = endpoint({
  method: 'GET',
  path: '/v1.0/todo/getDuties',
  summary:
    'Separation of duties: who decided whose requests, who made or reset whom, and what each moved on its own word, in a period (the last 30 days); most decisions first',
  access: [...ADMINS, 'technicalMaintenance'],
  input: z.object({ ...paging, account: textFilter, startTime: timeFilter, endTime: timeFilter }),
  output: listOf(
    z.object({
      id,
      account: z.string(),
      /** The user who decided, or who changed the account. Null: nobody; `amount` was moved on the user's own word. */
      other: z.string().nullable(),
      /** Requests of `account` that `other` approved and refused. */
      approved: z.int(),
      refused: z.int(),
      /** Requests of `other` that `account` approved. */
      approvedBack: z.int(),
      /** The share of these decisions in all decisions about requests of `account`. */
      sharePercent: z.int(),
      /** What `other` did to the user account of `account`. */
      changes: z.array(z.enum(CONTROL_CHANGES)),
      currency: currency.nullable(),
      amount: minor.nullable(),
    }),
  ),
});
