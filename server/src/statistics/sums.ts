import { DIRECTIONS } from '@sangam/contract/statistics.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { empty, join, raw, type Sql, sql } from '../platform/db/database.ts';
import { columns, filed, KEYS, SUM_COLUMNS, TIME_COLUMNS } from './columns.ts';

/** What a sum is kept by, besides the time: bits of its grain. */
export const OF_MERCHANT = 1;
export const OF_SUPPLIER = 2;
export const OF_PRODUCT = 4;
const FINEST = 7;

/** A table of sums: the time and the grains its rows are kept by. */
export interface SumTable {
  readonly name: string;
  readonly time: readonly string[];
  readonly grains: readonly number[];
  readonly isByMark: boolean;
}

export const DAYS: SumTable = {
  name: 'statistics_days',
  time: ['day'],
  grains: [0, 5, 6, FINEST],
  isByMark: true,
};
/** Of the last weeks; of all orders together for ever. */
export const HALF_HOURS: SumTable = {
  name: 'statistics_half_hours',
  time: ['day', 'half_hour'],
  grains: [0, 5, 6],
  isByMark: true,
};
/** Of days that are over: see pieces.ts. */
export const SPANS: SumTable = {
  name: 'statistics_spans',
  time: ['span', 'day'],
  grains: [OF_MERCHANT, OF_SUPPLIER, OF_PRODUCT],
  isByMark: false,
};
/** Lengths of spans, days; each begins at a day whose number since 1970-01-01 it divides. */
export const SPAN_DAYS = [16, 4, 1] as const;

/** The coarsest grain of a table that has all parts of `needed`; undefined where it has none. */
export function grainIn({ grains }: SumTable, needed: number): number | undefined {
  return grains.find((grain) => (grain & needed) === needed);
}

const SUMMED: readonly string[] = [...SUM_COLUMNS, ...TIME_COLUMNS];
/** What every table of sums adds up. */
export const sumColumns = (): readonly string[] => SUMMED;

/** The primary key of a table of sums. */
export function keysOf({ time, isByMark }: SumTable): readonly string[] {
  return ['grain', ...time, ...KEYS.filter((key) => isByMark || key !== 'mark')];
}

const total = (alias: string): Sql =>
  raw(
    [
      ...SUM_COLUMNS.map((sum) => `sum_bigint(${alias}.${sum}) as ${sum}`),
      ...TIME_COLUMNS.map((time) => `sum_numeric(${alias}.${time}) as ${time}`),
    ].join(', '),
  );

/** What each row of `from` (columns of statistics_changes) adds, by half hour (`slot`) and all keys. `days`: SQL condition on `slot`. */
export function addedBy(from: Sql, days: Sql): Sql {
  const source = join(
    DIRECTIONS.map((direction) => filed(direction, from)),
    ' union all ',
  );
  return sql`select * from (${source}) e where ${days}`;
}

/** `addedBy` summed up: what a change takes away and gives back mostly cancels out, and few rows are left to be grouped again. */
export function firstSums(from: Sql, days: Sql): Sql {
  const by = columns(['slot', ...KEYS]);
  return sql`select ${by}, ${total('e')} from (${addedBy(from, days)}) e group by ${by}`;
}

/** Sums of whole days, as `firstSums` has them. `days`: SQL condition on statistics_days. */
export const sumsOfDays = (days: Sql): Sql => sql`
  select (day - date '1970-01-01') * 48 as slot, ${columns([...KEYS, ...SUMMED])} from statistics_days
  where direction = any('{in,out}') and grain = ${raw(String(FINEST))} and ${days}`;

/** SQL on `slot` and `span`: each column of a table's time. */
const TIME: Readonly<Record<string, Sql>> = {
  day: sql`slot / 48 as day_number`,
  half_hour: sql`slot % 48 as half_hour`,
  span: sql`span`,
};
const spans = (lengths: readonly number[]): Sql =>
  sql`cross join (values ${raw(lengths.map((days) => `(${days})`).join(', '))}) as l (span)`;

/** Rows of a table, of each grain, from `firstSums`. `days`: SQL condition on `slot`; `lengths`: of the spans. */
export function grouped(into: SumTable, first: Sql, days: Sql, lengths: readonly number[] = SPAN_DAYS): Sql {
  const { time, grains, isByMark } = into;
  const isSpan = time.includes('span');
  const times = time.map((part) =>
    part === 'day' && isSpan ? sql`slot / 48 - slot / 48 % span as day_number` : TIME[part]!,
  );
  const fixed = ['day_number', ...time.filter((part) => part !== 'day'), ...(isByMark ? ['mark'] : [])];
  const sets = grains.map((grain) => {
    const parts = [
      ...(grain & OF_MERCHANT ? ['merchant_id'] : []),
      ...(grain & OF_SUPPLIER ? ['supplier_id', 'account_id'] : []),
      ...(grain & OF_PRODUCT ? ['product_id'] : []),
    ];
    return `(${parts.join(', ')})`;
  });
  const has = (part: number) => grains.some((grain) => (grain & part) !== 0);
  const key = (part: number, name: string) => raw(`${has(part) ? `coalesce(${name}, 0)` : '0'} as ${name}`);
  const bit = (part: number, name: string) => (has(part) ? `(1 - grouping(${name})) * ${part}` : '0');
  const grain = [
    bit(OF_MERCHANT, 'merchant_id'),
    bit(OF_SUPPLIER, 'supplier_id'),
    bit(OF_PRODUCT, 'product_id'),
  ];
  return sql`
    select direction, (${raw(grain.join(' + '))})::smallint as grain,
      date '1970-01-01' + day_number as day, ${raw(time.flatMap((part) => (part === 'day' ? [] : [`${part}::smallint as ${part}, `])).join(''))}
      ${key(OF_MERCHANT, 'merchant_id')}, ${key(OF_SUPPLIER, 'supplier_id')}, ${key(OF_SUPPLIER, 'account_id')},
      ${key(OF_PRODUCT, 'product_id')}, currency, ${isByMark ? sql`mark,` : empty} ${total('f')}
    from (
      select ${join(times)}, ${columns([...KEYS, ...SUMMED])} from ${first} e ${isSpan ? spans(lengths) : empty}
      where ${days} ${isByMark ? empty : sql`and mark <> ${raw(String(ORDER_MARK.test))}`}) f
    group by ${columns([...fixed, 'direction', 'currency'])}, grouping sets (${raw(sets.join(', '))})
    having ${raw([...SUM_COLUMNS.map((sum) => `sum_bigint(f.${sum}) <> 0`), ...TIME_COLUMNS.map((time) => `sum_numeric(f.${time}) <> 0`)].join(' or '))}`;
}

/** Rows of the longer spans that days are part of, from those of the days. `days`: SQL condition on `day`. */
export function longerSpans(days: Sql): Sql {
  const begin = sql`day - (day - date '1970-01-01') % l.span`;
  const keys = ['grain', ...KEYS.filter((key) => key !== 'mark')];
  return sql`
    select l.span::smallint as span, ${begin} as day, ${columns(keys)}, ${total('s')}
    from statistics_spans s ${spans(SPAN_DAYS.filter((length) => length > 1))}
    where s.direction in ('in', 'out') and s.grain = any(${SPANS.grains}) and s.span = 1 and ${days}
    group by 1, 2, ${columns(keys)}`;
}

/**
 * Rows of a table: of each grain, the sums of what the rows of `from` (columns of statistics_changes) add. `days`: SQL condition
 * on `slot`.
 */
export function rowsOf(into: SumTable, from: Sql, days: Sql): Sql {
  return grouped(into, sql`(${firstSums(from, days)})`, sql`true`);
}

/** A sum of nothing is null. */
const more = (sum: string): string =>
  `${sum} = case when excluded.${sum} is null then t.${sum} else nullif(coalesce(t.${sum}, 0) + excluded.${sum}, 0) end`;

/** Writes rows (of the table's columns) that a table has not, in the order of its key. */
export function writeTo(into: SumTable, rows: Sql): Sql {
  const keys = keysOf(into);
  return sql`
    insert into ${raw(into.name)} as t (${columns([...keys, ...SUMMED])})
    select ${columns(keys)}, ${raw(SUMMED.map((sum) => `nullif(${sum}, 0)`).join(', '))} from (${rows}) r order by ${columns(keys)}`;
}

/** Adds rows (of the table's columns) to a table, in the order of its key. */
export function addTo(into: SumTable, rows: Sql): Sql {
  return sql`${writeTo(into, rows)} on conflict (${columns(keysOf(into))}) do update set ${raw(SUMMED.map(more).join(', '))}`;
}
