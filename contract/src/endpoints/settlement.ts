import { z } from 'zod';
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
} from '../fields.ts';
import { ADMINS } from '../roles.ts';

/** T+n settlement: runs make a merchant's credits of a business day available n days later. */

const day = z.iso.date();
const READERS = ['superAdmin', 'admin', 'customerService', 'technicalMaintenance'] as const;

export const setSettlementTerm = endpoint({
  method: 'POST',
  path: '/v1.0/settlement/setTerm',
  summary: 'After how many days a merchant’s credits become available; what is pending keeps its day',
  access: ADMINS,
  sensitive: true,
  input: z.object({ merchantId: id, days: z.coerce.number().int().min(0).max(30), reason: text(256) }),
  output: z.object({}),
});

export const previewSettlement = endpoint({
  method: 'GET',
  path: '/v1.0/settlement/preview',
  summary: 'What a run would settle now: sums by currency, and its balances, the largest first (200 at most)',
  access: READERS,
  input: z.object({ throughDay: filter(day), merchantId: idFilter }),
  output: z.object({
    throughDay: day,
    /** The number of balances that are due. */
    count: z.int(),
    amounts: z.array(z.object({ currency, amount: minor })),
    balances: z.array(
      z.object({ merchantId: id, merchantName: z.string(), currency, dueDay: day, amount: minor }),
    ),
  }),
});

export const startSettlementRun = endpoint({
  method: 'POST',
  path: '/v1.0/settlement/startRun',
  summary:
    'Settle now what is due by a day (today when left out), of one merchant or of all; a later day settles early and waits for a second person (1205 with todoId)',
  access: ADMINS,
  sensitive: true,
  stepUp: 'input',
  input: z.object({ throughDay: day.optional(), merchantId: id.optional(), reason: text(256) }),
  output: z.object({ id }),
});

export const getSettlementRuns = endpoint({
  method: 'GET',
  path: '/v1.0/settlement/getRuns',
  summary: 'Settlement runs, newest first, with their progress',
  access: READERS,
  input: z.object({ ...paging, finished: booleanFilter }),
  output: listOf(
    z.object({
      id,
      throughDay: day,
      merchantId: id.nullable(),
      merchantName: z.string().nullable(),
      /** Null: the daily run. */
      startedBy: z.string().nullable(),
      /** Balances that were due at the start, and those moved so far. */
      total: z.int(),
      done: z.int(),
      amounts: z.array(z.object({ currency, amount: minor })),
      startTime: time,
      finishTime: time.nullable(),
    }),
  ),
});

export const getSettlementRows = endpoint({
  method: 'GET',
  path: '/v1.0/settlement/getRows',
  summary: 'Balances that settlement runs made available, newest first; a merchant sees its own',
  access: [...READERS, 'merchant'],
  input: z.object({ ...paging, runId: idFilter, merchantId: idFilter }),
  output: listOf(
    z.object({
      id,
      runId: id,
      merchantId: id,
      merchantName: z.string(),
      currency,
      /** The business day when it was due. */
      dueDay: day,
      amount: minor,
      postingId: id,
      time,
    }),
  ),
});
