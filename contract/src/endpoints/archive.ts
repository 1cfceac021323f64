import { z } from 'zod';
import { ARCHIVE_STATES, ARCHIVE_TABLES } from '../archive.ts';
import { endpoint } from '../endpoint.ts';
import { currency, filter, id, listOf, minor, paging, text, time } from '../fields.ts';

const TOP = ['superAdmin'] as const;

export const getArchives = endpoint({
  method: 'GET',
  path: '/v1.0/archive/getList',
  summary: 'Files of the archive, newest first: what each holds, and how far its run has come',
  access: TOP,
  input: z.object({
    ...paging,
    table: filter(z.enum(ARCHIVE_TABLES)),
    state: filter(z.enum(ARCHIVE_STATES)),
  }),
  output: listOf(
    z.object({
      id,
      table: z.enum(ARCHIVE_TABLES),
      /** YYYY-MM, in UTC. */
      month: z.string(),
      part: z.int(),
      state: z.enum(ARCHIVE_STATES),
      file: z.string(),
      rowCount: z.int(),
      bytes: z.number(),
      /** For orders: the sum asked for, and the sum moved. */
      sums: z.array(z.object({ currency, amount: minor, moved: minor })),
      /** For orders: how many are still in the archive. */
      awayCount: z.int(),
      beginTime: time,
      checkTime: time.nullable(),
      endTime: time.nullable(),
      failure: z.string().nullable(),
    }),
  ),
});

export const findArchived = endpoint({
  method: 'GET',
  path: '/v1.0/archive/findOrders',
  summary: 'Archived orders of a code, a merchant order number or a UTR',
  access: TOP,
  input: z.object({ text: text(64) }),
  output: z.object({
    list: z.array(
      z.object({ orderCode: id, direction: z.enum(['in', 'out']), mchOrderNo: z.string(), createTime: time }),
    ),
  }),
});

const rows = z.array(z.record(z.string(), z.string().nullable()));

export const getArchivedOrder = endpoint({
  method: 'GET',
  path: '/v1.0/archive/getOrder',
  summary: 'An archived order as its file has it, with its history, attempts of callbacks and messages',
  access: TOP,
  input: z.object({ orderCode: id }),
  output: z.object({
    orderCode: id,
    direction: z.enum(['in', 'out']),
    month: z.string(),
    file: z.string(),
    /** Field → value; the names are those of the database tables. */
    order: z.record(z.string(), z.string().nullable()),
    history: rows,
    attempts: rows,
    messages: rows,
    /** When somebody asked to restore it; that takes seconds. */
    askedTime: time.nullable(),
    failure: z.string().nullable(),
  }),
});

export const restoreArchived = endpoint({
  method: 'POST',
  path: '/v1.0/archive/restoreOrder',
  summary:
    'Puts an archived order back among the others for 30 days. One whose money was posted waits for a second person',
  access: TOP,
  sensitive: true,
  input: z.object({ orderCode: id, reason: text(256) }),
  output: z.object({}),
});
