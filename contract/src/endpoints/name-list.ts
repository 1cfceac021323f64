import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { booleanFilter, filter, id, idFilter, listOf, paging, text, textFilter, time } from '../fields.ts';
import { HIT_PLACES, HIT_STATES, LIST_FORMATS, MARK_KINDS } from '../name-lists.ts';

/** The name blacklist: names that may not pay, be paid, or be a party. */

const access = ['superAdmin'] as const;
const name = z.string().trim().min(2).max(256);
const reason = text(256);

export const getListedNames = endpoint({
  method: 'GET',
  path: '/v1.0/nameBlackList/getList',
  summary: 'Entries of all lists, newest first',
  access,
  input: z.object({ ...paging, name: textFilter, listId: idFilter }),
  output: listOf(
    z.object({
      id,
      listId: id,
      list: z.string(),
      reference: z.string(),
      /** The main name first. */
      names: z.array(z.string()),
      /** What else the entry is known by; the values themselves are stored only as hashes. */
      marks: z.array(z.enum(MARK_KINDS)),
      note: z.string(),
      /** How many names were found to be somebody else's. */
      exemptions: z.int(),
      addedBy: z.string().nullable(),
      addTime: time,
    }),
  ),
});

export const getNameLists = endpoint({
  method: 'GET',
  path: '/v1.0/nameBlackList/getLists',
  summary: 'The lists, with source, date and number of entries',
  access,
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        id,
        source: z.string(),
        format: z.enum(['own', ...LIST_FORMATS]),
        /** YYYY-MM-DD, as the source states it. */
        listDate: z.string().nullable(),
        entries: z.int(),
        importedBy: z.string().nullable(),
        importTime: time.nullable(),
      }),
    ),
  }),
});

export const getNameHits = endpoint({
  method: 'GET',
  path: '/v1.0/nameBlackList/getHits',
  summary:
    'Hits on the lists, and names that came near; the same name at the same place is one row that counts',
  access,
  input: z.object({
    ...paging,
    isNear: booleanFilter,
    state: filter(z.enum(HIT_STATES)),
    place: filter(z.enum(HIT_PLACES)),
    name: textFilter,
  }),
  output: listOf(
    z.object({
      id,
      place: z.enum(HIT_PLACES),
      subject: z.string(),
      name: z.string(),
      listed: z.string(),
      list: z.string(),
      by: z.enum(['name', ...MARK_KINDS]),
      /** From 0 to 100. */
      score: z.int(),
      isNear: z.boolean(),
      count: z.int(),
      firstTime: time,
      lastTime: time,
      state: z.enum(HIT_STATES),
      decidedBy: z.string().nullable(),
      decideReason: z.string().nullable(),
    }),
  ),
});

const marks = z.object({
  vpa: z.string().trim().max(128).optional(),
  account: z.string().trim().max(64).optional(),
  phone: z.string().trim().max(32).optional(),
  document: z.string().trim().max(64).optional(),
});

export const addListedName = endpoint({
  method: 'POST',
  path: '/v1.0/nameBlackList/add',
  summary: 'Put somebody on the own list, at once',
  access,
  sensitive: true,
  input: marks.extend({
    name,
    /** Other names. */
    aliases: z.array(name).max(50).default([]),
    note: z.string().trim().max(256).default(''),
    reason,
  }),
  output: z.object({ id }),
});

export const removeListedName = endpoint({
  method: 'POST',
  path: '/v1.0/nameBlackList/remove',
  summary: 'Take an entry off its list; always waits for a second person',
  access,
  sensitive: true,
  input: z.object({ id, reason }),
  output: z.object({ id }),
});

/** The largest import: a file packed by gzip, as base64. 4 MiB are several times the size of every public list. */
const MOST_PACKED = 4 * 1024 * 1024;

export const importNameList = endpoint({
  method: 'POST',
  path: '/v1.0/nameBlackList/import',
  summary:
    'Take in a list: own CSV, the consolidated list of the UN, or SDN.CSV of OFAC. New entries count at once; those the file no longer has wait for a second person to be removed',
  access,
  sensitive: true,
  largestBody: MOST_PACKED,
  input: z.object({
    format: z.enum(LIST_FORMATS),
    source: text(64),
    fileName: text(256),
    /** gzip, base64 */
    content: z.base64().max(MOST_PACKED),
    reason,
  }),
  output: z.object({
    entries: z.int(),
    changed: z.int(),
    /** In the list before, but not in the file. */
    dropped: z.int(),
    /** The request to remove those entries; null where there are none. */
    todoId: id.nullable(),
  }),
});

export const judgeNameHit = endpoint({
  method: 'POST',
  path: '/v1.0/nameBlackList/judge',
  summary:
    'Say of a hit that it is the listed person (at once), or somebody else, who from then on may pass (waits for a second person)',
  access,
  sensitive: true,
  input: z.object({ id, verdict: z.enum(['same', 'other']), reason }),
  output: z.object({ id }),
});

export const tryName = endpoint({
  method: 'GET',
  path: '/v1.0/nameBlackList/try',
  summary: 'Whether a name would be refused, and for which entry',
  access,
  input: z.object({ name }),
  output: z.object({
    verdict: z.enum(['hit', 'near', 'clear']),
    /** From 0 to 100. */
    score: z.int(),
    listed: z.string().nullable(),
    list: z.string().nullable(),
  }),
});
