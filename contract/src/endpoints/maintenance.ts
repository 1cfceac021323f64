import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, text, time } from '../fields.ts';
import { MEND_KINDS } from '../mends.ts';
import { SETTING_NAMES } from '../settings.ts';

const TOP = ['superAdmin'] as const;

const mend = z.object({
  kind: z.enum(MEND_KINDS),
  /** As in the audit log: `account:40001`, `order:…`. */
  subject: z.string(),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  /** The repair moves money, so it waits for a second person. */
  waits: z.boolean(),
});
const mends = z.object({ list: z.array(mend), todoId: id.nullable() });

const dry = { method: 'GET', access: TOP, input: z.object({}), output: mends } as const;
const run = {
  method: 'POST',
  access: TOP,
  sensitive: true,
  input: z.object({ reason: text(256) }),
  output: mends,
} as const;

const POOL = '/v1.0/system-config/resetSystemResourcePool';
const FIX = '/v1.0/system-config/fixSystemResources';

export const previewResourcePool = endpoint({
  ...dry,
  path: POOL,
  summary: 'What a recount of every account’s load would change, row by row. Changes nothing',
});
export const resetResourcePool = endpoint({
  ...run,
  path: POOL,
  summary: 'Recounts the load of every account from its orders, and mends what differs',
});
export const previewFix = endpoint({
  ...dry,
  path: FIX,
  summary: 'What a crash or a hand left inconsistent, row by row. Changes nothing',
});
export const fixResources = endpoint({
  ...run,
  path: FIX,
  summary: 'Mends what is inconsistent; what moves money waits for a second person (todoId)',
});

const loop = z.object({
  name: z.string(),
  /** Null: it has not run yet. */
  lastTime: time.nullable(),
  /** From the end of one round to the start of the next. */
  everySeconds: z.number(),
  durationMs: z.int().nullable(),
  failure: z.string().nullable(),
});

export const getNodes = endpoint({
  method: 'GET',
  path: '/v1.0/maintenance/getNodes',
  summary: 'Every node: version, role, load, loops and leases, as it last reported',
  access: TOP,
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        slot: z.int(),
        name: z.string(),
        version: z.string(),
        role: z.enum(['api', 'worker', 'all']),
        startTime: time,
        reportTime: time,
        /** It has not reported for some seconds. */
        silent: z.boolean(),
        /** Delay of the event loop in ms: the value that 99 of 100 measurements stay below, and the longest. */
        lagMs: z.int(),
        longestLagMs: z.int(),
        pool: z.object({ total: z.int(), idle: z.int(), waiting: z.int() }),
        loops: z.array(loop),
        leases: z.array(z.string()),
      }),
    ),
  }),
});

export const getSettingNodes = endpoint({
  method: 'GET',
  path: '/v1.0/system-config/getNodes',
  summary: 'Which nodes have the value of a setting that is in force',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({ name: z.enum(SETTING_NAMES) }),
  output: z.object({
    list: z.array(z.object({ slot: z.int(), name: z.string(), has: z.boolean(), silent: z.boolean() })),
  }),
});

export const QUEUES = [
  'ordersPastExpiry',
  'callbacksDue',
  'callbacksGivenUp',
  'creditsUnmatched',
  'messagesHeld',
  'payoutsSending',
  'approvalsPending',
  'settlementRuns',
  'jobs',
  'statisticsDue',
] as const;

export const JOBS = ['verify', 'partitions', 'archive', 'statistics'] as const;

export const getSystemState = endpoint({
  method: 'GET',
  path: '/v1.0/maintenance/getState',
  summary: 'Queues with the age of their oldest entry, the database, and the runs of jobs',
  access: [...TOP, 'technicalMaintenance', 'technicalSupport'],
  input: z.object({}),
  output: z.object({
    queues: z.array(z.object({ kind: z.enum(QUEUES), count: z.int(), oldestSeconds: z.int().nullable() })),
    /** Monitors that are switched on, and how many of them are silent for longer than MonitorLiveTime. */
    monitors: z.object({ total: z.int(), silent: z.int() }),
    database: z.object({
      bytes: z.number(),
      connections: z.int(),
      mostConnections: z.int(),
      /** For partitioned tables: how many whole months of partitions exist beyond today. */
      partitions: z.array(z.object({ table: z.string(), count: z.int(), monthsAhead: z.int() })),
      deadRows: z.array(z.object({ table: z.string(), live: z.number(), dead: z.number() })),
      oldestTransaction: z
        .object({ seconds: z.int(), application: z.string(), state: z.string(), pid: z.int() })
        .nullable(),
      replicas: z.array(z.object({ name: z.string(), lagSeconds: z.number().nullable() })),
    }),
    jobs: z.array(
      z.object({
        job: z.enum(JOBS),
        running: z.boolean(),
        startTime: time.nullable(),
        endTime: time.nullable(),
        /** Who started it; null: the schedule. */
        account: z.string().nullable(),
        failure: z.string().nullable(),
        result: z.record(z.string(), z.unknown()).nullable(),
        /** When the last run began that failed or found something wrong. */
        failedTime: time.nullable(),
      }),
    ),
  }),
});

export const runJob = endpoint({
  method: 'POST',
  path: '/v1.0/maintenance/runJob',
  summary: 'Runs a job now, on a node that can do it; getState says how it ended',
  access: TOP,
  sensitive: true,
  input: z.object({ job: z.enum(JOBS) }),
  output: z.object({}),
});

const modeTexts = z.object({ 'zh-CN': text(300), 'zh-TW': text(300), 'en-US': text(300) });

export const getMaintenanceMode = endpoint({
  method: 'GET',
  path: '/v1.0/maintenance/getMode',
  summary: 'The maintenance that is on or announced: since when, until when, and its text',
  access: 'anyUser',
  polled: true,
  input: z.object({}),
  output: z.object({
    mode: z
      .object({
        on: z.boolean(),
        beginTime: time,
        endTime: time,
        /** Seconds from now; negative: it has begun. */
        beginsIn: z.int(),
        endsIn: z.int(),
        texts: modeTexts,
        account: z.string(),
      })
      .nullable(),
  }),
});

export const setMaintenanceMode = endpoint({
  method: 'POST',
  path: '/v1.0/maintenance/setMode',
  summary:
    'Announces or begins maintenance: new orders are refused with 1101 and this text. Payments in flight go on',
  access: TOP,
  sensitive: true,
  input: z.object({
    /** Minutes from now; 0: at once. */
    beginsInMinutes: z.int().min(0).max(1440),
    minutes: z.int().min(1).max(1440),
    texts: modeTexts,
    reason: text(256),
  }),
  output: z.object({}),
});

export const endMaintenanceMode = endpoint({
  method: 'POST',
  path: '/v1.0/maintenance/endMode',
  summary: 'Ends maintenance, or takes its announcement back',
  access: TOP,
  sensitive: true,
  input: z.object({ reason: text(256) }),
  output: z.object({}),
});
