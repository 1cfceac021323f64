import { z } from 'zod';
import { ALERT_KINDS, SEVERITIES } from '../alerts.ts';
import { endpoint } from '../endpoint.ts';
import { booleanFilter, filter, id, listOf, paging, text, time, timeFilter } from '../fields.ts';
import { STAFF } from '../roles.ts';

export const getAlerts = endpoint({
  method: 'GET',
  path: '/v1.0/alert/getList',
  summary: 'Alerts of the kinds the role sees, newest first; open ones are still going on',
  access: STAFF,
  input: z.object({
    ...paging,
    kind: filter(z.enum(ALERT_KINDS)),
    severity: filter(z.enum(SEVERITIES)),
    open: booleanFilter,
    acknowledged: booleanFilter,
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(
    z.object({
      id,
      kind: z.enum(ALERT_KINDS),
      severity: z.enum(SEVERITIES),
      /** In the caller's language. */
      text: z.string(),
      subject: z.string(),
      openTime: time,
      acknowledgeTime: time.nullable(),
      acknowledgedBy: z.string().nullable(),
      closeTime: time.nullable(),
    }),
  ),
});

export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/v1.0/alert/acknowledge',
  summary: 'Say that one looks after it: reminders end. One that was acknowledged keeps who was first',
  access: ['superAdmin', 'admin', 'customerService', 'technicalSupport'],
  input: z.object({ id: text(20).pipe(id) }),
  output: z.object({ acknowledgeTime: time, acknowledgedBy: z.string() }),
});
