import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, listOf, paging, time, timeFilter } from '../fields.ts';
import { ROLES } from '../roles.ts';

const kind = z.enum(['script', 'ajax']);

const definition = {
  method: 'POST',
  summary: "Records an error of the caller's console; repeated on one day it is counted",
  access: 'anyUser',
  input: z.object({
    type: kind,
    /** HTTP status or code of the answer; 0 for a script error. */
    code: z.int().min(0).max(99_999),
    mes: z.string().trim().min(1).max(1000),
    url: z.string().max(500),
    stack: z.string().max(4000).optional(),
  }),
  output: z.object({}),
} as const;

export const saveErrorLogger = endpoint({ ...definition, path: '/v1.0/save_error_logger' });

/** Existing consoles of this API family call it without the prefix. */
export const saveErrorLoggerUnprefixed = endpoint({ ...definition, path: '/save_error_logger' });

export const errorRow = z.object({
  id,
  type: kind,
  code: z.int(),
  mes: z.string(),
  url: z.string(),
  stack: z.string().nullable(),
  account: z.string(),
  role: z.enum(ROLES),
  userAgent: z.string(),
  count: z.int(),
  firstTime: time,
  lastTime: time,
});

export const getErrorList = endpoint({
  method: 'GET',
  path: '/v1.0/error_logger/getList',
  summary: 'Errors of consoles, newest first: the own ones; all for superAdmin and the technical roles',
  access: 'anyUser',
  input: z.object({
    ...paging,
    type: filter(kind),
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(errorRow),
});
