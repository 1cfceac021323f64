import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, time } from '../fields.ts';

/** The stages of the server's own work on an order. */
export const PROFILE_STAGES = ['create', 'allocate', 'match', 'callback'] as const;

export const getOrderProfile = endpoint({
  method: 'GET',
  path: '/v1.0/order/profile',
  summary:
    'Performance of the last minutes (60 when left out): time of each stage on the answering node, throughput per minute, what waits, slowest queries',
  access: ['superAdmin'],
  input: z.object({ minutes: filter(z.coerce.number().int().min(1).max(1440)) }),
  output: z.object({
    from: time,
    to: time,
    /** From the newest calls of the answering node in that time, in milliseconds; null where there were none. */
    stages: z.array(
      z.object({
        stage: z.enum(PROFILE_STAGES),
        calls: z.int(),
        p50: z.number().nullable(),
        p90: z.number().nullable(),
        p99: z.number().nullable(),
        max: z.number().nullable(),
      }),
    ),
    /** Minutes without events are left out. */
    throughput: z.array(z.object({ time, created: z.int(), paid: z.int(), callbacks: z.int() })),
    queues: z.object({
      ordersWaiting: z.int(),
      ordersOverdue: z.int(),
      callbacksDue: z.int(),
      payoutsWaiting: z.int(),
      payoutsToConfirm: z.int(),
      approvals: z.int(),
    }),
    /** Null where the database has no such statistics (extension pg_stat_statements). */
    slowestQueries: z
      .array(z.object({ query: z.string(), calls: z.int(), meanMs: z.number(), totalMs: z.number() }))
      .nullable(),
  }),
});
