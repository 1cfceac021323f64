import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, filter, id, idFilter, listOf, paging, textFilter, time, timeFilter } from '../fields.ts';
import { ROLES } from '../roles.ts';

export const auditRow = z.object({
  id,
  time,
  /** Null: the system itself. */
  account: z.string().nullable(),
  role: z.enum(ROLES).nullable(),
  /** `area.verb`, as in the code. */
  action: z.string(),
  /** What the action changed: `user:17`, `setting:KYC`. */
  subject: z.string(),
  reason: z.string().nullable(),
  /** As the action wrote them; never with secrets. */
  before: z.unknown(),
  after: z.unknown(),
  ip: z.string().nullable(),
  /** The browser or program, as it named itself; null: no user's call. */
  device: z.string().nullable(),
  sessionId: id.nullable(),
  /** The request whose approval executed the action. */
  approvalId: id.nullable(),
  /** What a status and an amount of the entry mean, if its subject is an order. Null: no order; the currency is not always known. */
  order: z.object({ direction: z.enum(['in', 'out']), currency: currency.nullable() }).nullable(),
});

/** Kinds of sealed rows; `block` is the seal itself. */
export const SEALED_THINGS = ['audit', 'event', 'approval', 'decision', 'posting', 'entry', 'block'] as const;
export const SEAL_FAULTS = ['changed', 'missing', 'added', 'moved'] as const;

export const getAuditSeal = endpoint({
  method: 'GET',
  path: '/v1.0/audit/getSeal',
  summary: 'Up to when audit, history, approvals and ledger are as they were sealed, and which rows are not',
  access: ['superAdmin', 'technicalMaintenance'],
  polled: true,
  input: z.object({}),
  output: z.object({
    /** The time of the newest block that is valid together with all before it; null: none was checked yet. */
    intactTo: time.nullable(),
    /** The newest block: its number, its SHA-256 in hex, and when it was sealed. */
    block: z.string().nullable(),
    hash: z.string().nullable(),
    sealedTo: time.nullable(),
    lookedAt: time.nullable(),
    /** Ed25519 key in hex, with which others can check a proof. */
    publicKey: z.string(),
    faultCount: z.int(),
    /** The first faults. */
    faults: z.array(
      z.object({ kind: z.enum(SEALED_THINGS), rowId: id, fault: z.enum(SEAL_FAULTS), block: id.nullable() }),
    ),
  }),
});

export const getAuditList = endpoint({
  method: 'GET',
  path: '/v1.0/audit/getList',
  summary: 'Who changed what, newest first: with the values before and after',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({
    ...paging,
    account: textFilter,
    /** An action, or an area: `setting` finds `setting.change`. */
    action: filter(z.string().regex(/^[A-Za-z0-9.]{1,64}$/)),
    /**
     * Everything done to this subject (`order:12`) and to what belongs to it alone; without a time it looks through all time. `12` finds each
     * kind, of 31 days.
     */
    subject: textFilter,
    ip: textFilter,
    role: filter(z.enum(ROLES)),
    /** A part of the text is enough. */
    reason: textFilter,
    device: textFilter,
    sessionId: idFilter,
    approvalId: idFilter,
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(auditRow),
});
