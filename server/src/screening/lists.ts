import type {
  getListedNames,
  getNameHits,
  getNameLists,
  tryName,
} from '@sangam/contract/endpoints/name-list.ts';
import { MARK_KINDS } from '@sangam/contract/name-lists.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../platform/db/database.ts';
import { escapeLike, readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { HIT_FROM } from './name-index.ts';
import { nameScreen } from './screen.ts';

type EntryRow = z.input<typeof getListedNames.output>['list'][number];
type HitRow = z.input<typeof getNameHits.output>['list'][number];

export async function listNames(
  platform: Platform,
  input: z.output<typeof getListedNames.input>,
): Promise<z.input<typeof getListedNames.output> | Refusal> {
  const { name, listId } = input;
  const page = await readPage<
    Omit<EntryRow, 'id' | 'listId' | 'addTime' | 'marks'> & {
      readonly id: bigint;
      readonly listId: bigint;
      readonly marks: string[];
      readonly addedAt: Date;
    }
  >(platform, input, {
    columns: sql`e.id, e.list_id as "listId", l.source as list, e.reference, e.names, e.marks, e.note, u.account as "addedBy",
      e.added_at as "addedAt", (select count(*)::int from name_exemptions x where x.entry_id = e.id) as exemptions`,
    from: sql`
      from listed_names e join name_lists l on l.id = e.list_id left join users u on u.id = e.added_by
      where true ${listId === undefined ? empty : sql`and e.list_id = ${BigInt(listId)}`}
        ${name === undefined ? empty : sql`and array_to_string(e.names, ' | ') ilike ${`%${escapeLike(name)}%`}`}`,
    key: sql`e.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ id, addedAt, marks, ...row }) => ({
      ...row,
      id: String(id),
      listId: String(row.listId),
      marks: MARK_KINDS.filter((kind) => marks.some((mark) => mark.startsWith(`${kind}:`))),
      addTime: formatTime(addedAt),
    })),
  };
}

export async function listLists(platform: Platform): Promise<z.input<typeof getNameLists.output>> {
  type Row = z.input<typeof getNameLists.output>['list'][number];
  const rows = await platform.db.query<
    Omit<Row, 'id' | 'importTime'> & { id: bigint; importedAt: Date | null }
  >(sql`
    select l.id, l.source, l.format, l.list_date::text as "listDate", u.account as "importedBy", l.imported_at as "importedAt",
      (select count(*)::int from listed_names e where e.list_id = l.id) as entries
    from name_lists l left join users u on u.id = l.imported_by order by l.id`);
  return {
    list: rows.map(({ id, importedAt, ...row }) => ({
      ...row,
      id: String(id),
      importTime: importedAt && formatTime(importedAt),
    })),
  };
}

export async function listHits(
  platform: Platform,
  input: z.output<typeof getNameHits.input>,
): Promise<z.input<typeof getNameHits.output> | Refusal> {
  const { isNear, state, place, name } = input;
  const page = await readPage<
    Omit<HitRow, 'id' | 'firstTime' | 'lastTime'> & {
      readonly id: bigint;
      readonly firstAt: Date;
      readonly lastAt: Date;
    }
  >(platform, input, {
    columns: sql`h.id, h.place, h.subject, h.name, h.listed, h.list, h.by, h.score, h.is_near as "isNear", h.count,
      h.first_at as "firstAt", h.last_at as "lastAt", h.state, u.account as "decidedBy", h.decide_reason as "decideReason"`,
    from: sql`
      from name_hits h left join users u on u.id = h.decided_by
      where true ${isNear === undefined ? empty : sql`and h.is_near = ${isNear}`}
        ${state === undefined ? empty : sql`and h.state = ${state}`}
        ${place === undefined ? empty : sql`and h.place = ${place}`}
        ${name === undefined ? empty : sql`and (h.name ilike ${`%${escapeLike(name)}%`} or h.listed ilike ${`%${escapeLike(name)}%`})`}`,
    key: sql`h.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ id, firstAt, lastAt, ...row }) => ({
      ...row,
      id: String(id),
      firstTime: formatTime(firstAt),
      lastTime: formatTime(lastAt),
    })),
  };
}

/** What the lists say about a name. Nothing is written. */
export async function tryListed(
  platform: Platform,
  { name }: z.output<typeof tryName.input>,
): Promise<z.input<typeof tryName.output>> {
  const match = (await nameScreen(platform).ready()).try(name);
  if (!match) return { verdict: 'clear', score: 0, listed: null, list: null };
  return {
    verdict: match.score >= HIT_FROM ? 'hit' : 'near',
    score: Math.round(match.score * 100),
    listed: match.name,
    list: match.entry.list,
  };
}
