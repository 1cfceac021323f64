import { boundToMinor, CURRENCIES, type Currency, filterAmountToMinor } from '@sangam/contract/money.ts';
import { parseTime } from '@sangam/contract/time.ts';
import { DAY, SECOND } from '../clock.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, wrongInput } from '../refusal.ts';
import { type Sql, empty, join, sql } from './database.ts';
import { firstIdAt } from './ids.ts';

/** The paging fields of every list endpoint. */
export interface PageInput {
  readonly pageIndex?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly pageNum?: number | undefined;
  readonly cursor?: string | undefined;
  /** Answers total 0 and does not count: code that reads page after page already has the total of the first. Never set from outside. */
  readonly uncounted?: boolean;
}

export interface Page<Row> {
  readonly list: readonly Row[];
  readonly total: number;
  readonly totalCapped: boolean;
  readonly pageIndex: number;
  readonly pageSize: number;
  readonly nextCursor: string | null;
}

/** A list in SQL, newest first. All parts use the same table aliases. */
export interface PageQuery {
  readonly columns: Sql;
  /** `from … where …`: joins, scope and filters, but nothing of the paging. */
  readonly from: Sql;
  /** Unique descending bigint key: the id. */
  readonly key: Sql;
  /** The filter looks for part of a text. Such a row costs ten times as much to count, so the count stops at a tenth. */
  readonly searched?: boolean;
}

const DEFAULT_SIZE = 20;
/** The most rows that an OFFSET may skip. Beyond it only the cursor works; its cost does not grow. */
const MAX_OFFSET = 10_000;
const COUNTED = 10_000;
const COUNTED_OF_TEXTS = 1_000;
const MAX_ID = 2n ** 63n - 1n;

/** One page of a list with its total. Refuses a page beyond MAX_OFFSET as wrong input (400). */
export async function readPage<Row>(
  platform: Pick<Platform, 'db' | 'settings'>,
  input: PageInput,
  query: PageQuery,
): Promise<Page<Row> | Refusal> {
  const pageSize = input.pageSize ?? input.pageNum ?? DEFAULT_SIZE;
  const pageIndex = input.pageIndex ?? 1;
  const offset = input.cursor === undefined ? (pageIndex - 1) * pageSize : 0;
  if (offset > MAX_OFFSET) return wrongInput('pageIndex');

  const after = input.cursor === undefined ? empty : sql`and ${query.key} < ${input.cursor}::bigint`;
  const { HighPerfOrderQuery: capped } = await platform.settings.all();
  const most = query.searched ? COUNTED_OF_TEXTS : COUNTED;
  // The capped count is in the page's order too. Without the order a plan may start with the month's oldest rows, none of which match.
  const [rows, counts] = await Promise.all([
    platform.db.query<Row & { pageKey: bigint }>(sql`
      select ${query.columns}, ${query.key} as "pageKey" ${query.from} ${after}
      order by ${query.key} desc limit ${pageSize} offset ${offset}`),
    input.uncounted
      ? [{ total: 0 }]
      : platform.db.query<{ total: number }>(sql`
          select count(*)::int as total from (select 1 ${query.from} ${capped ? sql`order by ${query.key} desc limit ${most + 1}` : empty}) t`),
  ]);
  const total = counts[0]!.total;
  return {
    list: rows,
    total,
    totalCapped: capped && total > most,
    pageIndex,
    pageSize,
    nextCursor: rows.length === pageSize ? String(rows.at(-1)!.pageKey) : null,
  };
}

/** Filters on an amount as lists send it. The row's currency says what it is in minor units. */
export function amountFilter(amount: Sql, currency: Sql, value: number): Sql {
  const wanted = new Map<bigint, Currency[]>();
  for (const name of Object.keys(CURRENCIES) as Currency[]) {
    const minor = filterAmountToMinor(value, name);
    if (minor >= -MAX_ID && minor <= MAX_ID) wanted.set(minor, [...(wanted.get(minor) ?? []), name]);
  }
  // One index look-up for each amount, not for each currency.
  const each = [...wanted].map(
    ([minor, names]) => sql`(${amount} = ${minor} and ${currency} = any(${names}))`,
  );
  return each.length === 0 ? sql`and false` : sql`and (${join(each, ' or ')})`;
}

export interface AmountRange {
  /** Decimals in currency units, both ends included. */
  readonly amountFrom?: string | undefined;
  readonly amountTo?: string | undefined;
}

/** Filters on a range of amounts. The row's currency says what the ends are in minor units. */
export function amountRange(amount: Sql, currency: Sql, { amountFrom, amountTo }: AmountRange): Sql {
  if ((amountFrom ?? amountTo) === undefined) return empty;
  const byDigits = Map.groupBy(Object.keys(CURRENCIES) as Currency[], (name) => CURRENCIES[name]);
  const each = [...byDigits.values()].map((names) => {
    const from =
      amountFrom === undefined ? empty : sql`and ${amount} >= ${boundToMinor(amountFrom, names[0]!, 'from')}`;
    const to =
      amountTo === undefined ? empty : sql`and ${amount} <= ${boundToMinor(amountTo, names[0]!, 'to')}`;
    return sql`(${currency} = any(${names}) ${from} ${to})`;
  });
  return sql`and (${join(each, ' or ')})`;
}

/** Filters on an id as people type it. A text that cannot be an id finds nothing. */
export function idFilter(column: Sql, value: string): Sql {
  return /^\d{1,19}$/.test(value) && BigInt(value) <= MAX_ID
    ? sql`and ${column} = ${BigInt(value)}`
    : sql`and false`;
}

/** Escapes a text so that `like` takes it literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

export interface TimeRange {
  readonly startTime?: string | undefined;
  /** The end is included: the given second, or the whole day of a bare date. */
  readonly endTime?: string | undefined;
}

/**
 * A time range as bounds on a time-ordered id, so that PostgreSQL prunes partitions. Without a start the range begins `defaultDays` before
 * its end (or before now), so that no list reads all history by accident. `null`: no limit.
 */
export function timeFilter(id: Sql, range: TimeRange, now: Date, defaultDays: number | null): Sql {
  const asked = range.endTime === undefined ? undefined : endOf(range.endTime);
  const fallback = defaultDays === null ? undefined : new Date((asked ?? now).getTime() - defaultDays * DAY);
  const start = range.startTime === undefined ? fallback : parseTime(range.startTime);
  // No row is later than a day from now, whatever the clocks say. So the plan leaves out partitions made ahead.
  const end = asked ?? new Date(now.getTime() + DAY);
  return sql`${start ? sql`and ${id} >= ${firstIdAt(start)}` : empty} and ${id} < ${firstIdAt(end)}`;
}

/** Filters on a moment that is later than the row's creation. A row created after the range cannot match, so the id is bounded too. */
export function momentFilter(id: Sql, moment: Sql, range: TimeRange): Sql {
  const end = range.endTime === undefined ? undefined : endOf(range.endTime);
  const start = range.startTime === undefined ? undefined : parseTime(range.startTime);
  return sql`${start ? sql`and ${moment} >= ${start}` : empty}
    ${end ? sql`and ${moment} < ${end} and ${id} < ${firstIdAt(end)}` : empty}`;
}

/** The first moment after an included end: one second later, or one day later for a bare date. */
export function endOf(text: string): Date | undefined {
  const moment = parseTime(text);
  const lasts = /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? DAY : SECOND;
  return moment && new Date(moment.getTime() + lasts);
}
