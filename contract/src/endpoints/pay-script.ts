import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  booleanFilter,
  filter,
  id,
  idFilter,
  intFilter,
  listOf,
  paging,
  text,
  textFilter,
  time,
  timeFilter,
} from '../fields.ts';
import { SCRIPT_FAILURES, SCRIPT_FUNCTIONS, originOf } from '../pay-scripts.ts';
import { ADMINS } from '../roles.ts';

/** Pay scripts: versions, tries, releases, and the records of their calls. */
const KEEPERS = ['superAdmin', 'technicalSupport'] as const;
const SEES = [...KEEPERS, 'technicalMaintenance'] as const;

const scriptFunction = z.enum(SCRIPT_FUNCTIONS);
const version = z.int().min(1).max(1_000_000);
const code = z.string().min(1).max(200_000);
const origin = z
  .string()
  .max(300)
  .refine((value) => originOf(value) !== undefined, 'https://host[:port]')
  .transform((value) => originOf(value)!);
const draft = { code, origins: z.array(origin).max(16), note: z.string().trim().max(500).default('') };

const problem = z.object({
  kind: z.enum(SCRIPT_FAILURES),
  message: z.string(),
  /** In the script's text, counted from 1. */
  line: z.int().nullable(),
  column: z.int().nullable(),
});

export const getPayScriptList = endpoint({
  method: 'GET',
  path: '/v1.0/payScript/getList',
  summary: 'Pay scripts: what is live, what is newest, how calls of the last day went',
  access: SEES,
  input: z.object({ ...paging, name: textFilter }),
  output: listOf(
    z.object({
      id,
      name: z.string(),
      liveVersion: z.int().nullable(),
      newestVersion: z.int(),
      /** Gateway accounts that use it. */
      accounts: z.int(),
      callsToday: z.int(),
      failuresToday: z.int(),
      createTime: time,
    }),
  ),
});

export const getPayScript = endpoint({
  method: 'GET',
  path: '/v1.0/payScript/get',
  summary: 'A pay script with every version of it, newest first',
  access: SEES,
  input: z.object({ id }),
  output: z.object({
    id,
    name: z.string(),
    liveVersion: z.int().nullable(),
    /** The version that waits for a second person before it goes live. */
    asked: z.object({ version: z.int(), todoId: id, by: z.string() }).nullable(),
    versions: z.array(
      z.object({
        version: z.int(),
        code: z.string(),
        origins: z.array(z.string()),
        note: z.string(),
        by: z.string(),
        time,
        tryTime: time.nullable(),
        releaseTime: time.nullable(),
      }),
    ),
  }),
});

export const getPayScriptOptions = endpoint({
  method: 'GET',
  path: '/v1.0/payScript/getOptions',
  summary: 'Names of pay scripts, for whoever sets up a gateway account',
  access: [...ADMINS, 'supplier'],
  input: z.object({}),
  output: z.object({ list: z.array(z.object({ id, name: z.string() })) }),
});

export const createPayScript = endpoint({
  method: 'POST',
  path: '/v1.0/payScript/create',
  summary: 'A new pay script with its first version; nothing runs it until it is released',
  access: KEEPERS,
  sensitive: true,
  input: z.object({ name: text(64), ...draft }),
  output: z.object({ id, version: z.int() }),
});

export const savePayScript = endpoint({
  method: 'POST',
  path: '/v1.0/payScript/save',
  summary: 'Keeps a new version of a pay script; versions are never changed',
  access: KEEPERS,
  sensitive: true,
  input: z.object({ id, ...draft }),
  output: z.object({ version: z.int() }),
});

export const checkPayScript = endpoint({
  method: 'POST',
  path: '/v1.0/payScript/check',
  summary: 'Whether a text reads as a script, and which functions it offers',
  access: KEEPERS,
  input: z.object({ code }),
  output: z.object({ problem: problem.nullable(), functions: z.array(scriptFunction) }),
});

const record = z.object({
  output: z.unknown(),
  problem: problem.nullable(),
  fetches: z.array(
    z.object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string().nullable(),
      /** Null: no answer came; see error. */
      status: z.int().nullable(),
      answer: z.string().nullable(),
      error: z.string().nullable(),
      durationMs: z.int(),
    }),
  ),
  logs: z.array(z.string()),
  durationMs: z.int(),
});

export const tryPayScript = endpoint({
  method: 'POST',
  path: '/v1.0/payScript/try',
  summary: 'Runs a version on a recorded or written request; what it fetches is answered from the record',
  access: KEEPERS,
  input: z.object({
    id,
    version,
    function: scriptFunction,
    /** The function's first argument, as JSON. */
    input: z.string().max(100_000),
    /** Its second argument, as JSON: invented credentials, never an account's. */
    config: z.string().max(20_000).default('{}'),
    /** Answers to its fetches, in order. */
    answers: z
      .array(z.object({ status: z.int().min(100).max(599), body: z.string().max(200_000) }))
      .max(10)
      .default([]),
  }),
  output: record.extend({ id }),
});

export const releasePayScript = endpoint({
  method: 'POST',
  path: '/v1.0/payScript/release',
  summary: 'Asks to make a tried version live, a newer or an older one; another person agrees (1205)',
  access: KEEPERS,
  sensitive: true,
  input: z.object({ id, version, reason: text(256) }),
  output: z.object({}),
});

const callRow = z.object({
  id,
  scriptId: id,
  scriptName: z.string(),
  version: z.int(),
  function: scriptFunction,
  isTry: z.boolean(),
  accountName: z.string().nullable(),
  orderCode: id.nullable(),
  triedBy: z.string().nullable(),
  failure: z.enum(SCRIPT_FAILURES).nullable(),
  message: z.string().nullable(),
  fetches: z.int(),
  durationMs: z.int(),
  time,
});

export const getPayScriptCallList = endpoint({
  method: 'GET',
  path: '/v1.0/payScript/getCallList',
  summary: 'Calls of pay scripts and tries, newest first; kept for 30 days',
  access: SEES,
  input: z.object({
    ...paging,
    scriptId: idFilter,
    version: intFilter,
    function: filter(scriptFunction),
    failed: booleanFilter,
    isTry: booleanFilter,
    orderCode: idFilter,
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(callRow),
});

export const getPayScriptCall = endpoint({
  method: 'GET',
  path: '/v1.0/payScript/getCall',
  summary: 'One call of a pay script with everything it was given, fetched and answered; secrets are masked',
  access: SEES,
  input: z.object({ id }),
  output: callRow.omit({ fetches: true }).extend({ ...record.shape, input: z.unknown() }),
});
