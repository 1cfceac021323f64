import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, idFilter, listOf, paging, text, textFilter, time, timeFilter } from '../fields.ts';
import { STAFF } from '../roles.ts';

/** Monitors as the console sees them. The monitors' own calls are in outside.ts, except those for commands and scripts below. */
const KEEPERS = ['superAdmin', 'technicalSupport'] as const;
const SEES = ['superAdmin', 'technicalSupport', 'technicalMaintenance'] as const;

export const LOG_PHASES = [
  'heartbeat',
  'received',
  'parsed',
  'placed',
  'matched',
  'held',
  'failed',
  'command',
] as const;

export const getMonitorLogList = endpoint({
  method: 'GET',
  path: '/v1.0/monitorLog/getList',
  summary: 'What monitors did, newest first: since the log was last cleared, or with what was put away',
  access: STAFF.filter((role) => role !== 'technicalSupport'),
  input: z.object({
    ...paging,
    monitorId: idFilter,
    orderCode: idFilter,
    /** The last digits of the account's number. */
    cardNumber: textFilter,
    logPhase: filter(z.enum(LOG_PHASES)),
    startTime: timeFilter,
    endTime: timeFilter,
    withCleared: filter(z.enum(['true', 'false']).transform((value) => value === 'true')),
  }),
  output: listOf(
    z.object({
      id,
      monitorId: id,
      monitorName: z.string().nullable(),
      supplierName: z.string().nullable(),
      logPhase: z.enum(LOG_PHASES),
      orderCode: id.nullable(),
      messageId: id.nullable(),
      accountTail: z.string().nullable(),
      /** A hole or a repeat in the sequence numbers: messages may be lost or reported twice. */
      isAlarm: z.boolean(),
      detail: z.record(z.string(), z.unknown()),
      time,
    }),
  ),
});

export const clearMonitorLog = endpoint({
  method: 'GET',
  path: '/v1.0/monitorLog/clear',
  summary: 'Puts the log so far away: lists begin anew, nothing is removed',
  access: ['superAdmin', 'admin'],
  writes: true,
  input: z.object({}),
  output: z.object({ upTo: id }),
});

export const getMonitorList = endpoint({
  method: 'GET',
  path: '/v1.0/monitor/getList',
  summary:
    'Monitors: whose they are, whether they are there, what they run and serve; a supplier sees its own devices',
  access: [...SEES, 'supplier'],
  input: z.object({ ...paging, name: textFilter, supplierId: idFilter }),
  output: listOf(
    z.object({
      id,
      name: z.string(),
      supplierId: id,
      supplierName: z.string(),
      enabled: z.boolean(),
      online: z.boolean(),
      lastSeen: time.nullable(),
      scriptVersion: z.string().nullable(),
      /** It runs another script than the live one. */
      isScriptOld: z.boolean(),
      accounts: z.int(),
      waitingCommands: z.int(),
    }),
  ),
});

export const registerMonitor = endpoint({
  method: 'POST',
  path: '/v1.0/monitor/register',
  summary: 'A new monitor of a supplier, which is shown its secret (renewSecret)',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({ supplierId: id, name: text(64) }),
  output: z.object({ monitorId: id }),
});

export const renewMonitorSecret = endpoint({
  method: 'POST',
  path: '/v1.0/monitor/renewSecret',
  summary: 'Gives a monitor a new secret; the old one ends now. Its supplier alone is shown it, this once',
  access: ['superAdmin', 'supplier'],
  duty: 'keys',
  sensitive: true,
  input: z.object({ monitorId: id }),
  /** The secret is null for staff. */
  output: z.object({ monitorId: id, secret: z.string().nullable() }),
});

export const enableMonitor = endpoint({
  method: 'POST',
  path: '/v1.0/monitor/enable',
  summary: 'Switches a monitor on or off: off, its calls are refused and its accounts take no orders',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({ monitorId: id, enable: z.boolean() }),
  output: z.object({}),
});

export const askMonitorResend = endpoint({
  method: 'POST',
  path: '/v1.0/monitor/resend',
  summary: 'Asks a monitor to report its inbox between two times again; known messages stay as they are',
  access: KEEPERS,
  input: z.object({
    monitorId: id,
    startTime: time,
    endTime: time,
  }),
  output: z.object({ commandId: id }),
});

export const getMonitorScriptList = endpoint({
  method: 'GET',
  path: '/v1.0/monitorScript/getList',
  summary: 'Versions of the script monitors run',
  access: SEES,
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        version: z.string(),
        note: z.string(),
        live: z.boolean(),
        body: z.string(),
        time,
        by: z.string().nullable(),
        /** Monitors that run this version. */
        monitors: z.int(),
      }),
    ),
  }),
});

export const saveMonitorScript = endpoint({
  method: 'POST',
  path: '/v1.0/monitorScript/save',
  summary: 'Keeps a new version of the script; monitors get it once it is made live',
  access: KEEPERS,
  sensitive: true,
  input: z.object({
    version: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
    body: z.string().min(1).max(1_000_000),
    note: z.string().trim().max(500).default(''),
  }),
  output: z.object({}),
});

export const releaseMonitorScript = endpoint({
  method: 'POST',
  path: '/v1.0/monitorScript/release',
  summary:
    'Asks to make a version live; once another person agrees (1205), every monitor is asked to fetch it',
  access: KEEPERS,
  sensitive: true,
  input: z.object({ version: z.string().max(64), reason: text(256) }),
  output: z.object({}),
});

export const monitorCommands = endpoint({
  method: 'GET',
  path: '/v1.0/monitor/commands',
  summary: 'Commands for a monitor; each is answered for a minute, so that a lost answer loses nothing',
  access: 'monitor',
  input: z.object({}),
  output: z.object({
    commands: z.array(
      z.discriminatedUnion('kind', [
        /** Milliseconds since 1970; both ends are included. */
        z.object({ id, kind: z.literal('resend'), from: z.int(), to: z.int() }),
        z.object({ id, kind: z.literal('refreshScript') }),
      ]),
    ),
  }),
});

export const monitorScript = endpoint({
  method: 'GET',
  path: '/v1.0/monitor/script',
  summary: 'The script that is live; version and body are null while none is',
  access: 'monitor',
  input: z.object({}),
  output: z.object({ version: z.string().nullable(), body: z.string().nullable() }),
});
