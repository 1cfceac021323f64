import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, listOf, paging, textFilter, time, timeFilter } from '../fields.ts';
import { ROLES } from '../roles.ts';

export const auditRow = z.object({
  id,
  time,
  /** Null: the system, by itself. */
  account: z.string().nullable(),
  role: z.enum(ROLES).nullable(),
  /** `area.verb`, as the code names it. */
  action: z.string(),
  /** What it was done to: `user:17`, `setting:KYC`. */
  subject: z.string(),
  reason: z.string().nullable(),
  /** As the action wrote them; secrets are never among them. */
  before: z.unknown(),
  after: z.unknown(),
  ip: z.string().nullable(),
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
    /** Everything ever done to this: without a time it looks through all time. */
    subject: textFilter,
    ip: textFilter,
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(auditRow),
});
