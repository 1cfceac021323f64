import { DIRECTIONS } from '@sangam/contract/statistics.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { empty, join, raw, type Sql, sql } from '../platform/db/database.ts';
import { columns, filed, KEYS, SUM_COLUMNS, TIME_COLUMNS } from './columns.ts';

/** The keys of a sum besides the time, as bits of its grain. */
export const OF_MERCHANT = 1;
export const OF_SUPPLIER = 2;
export const OF_PRODUCT = 4;
/** The supplier without its accounts, only in spans. It has fewer rows, by as many times as a supplier has accounts. */
export const OF_SUPPLIER_ALONE = 8;
const FINEST = 7;

/** A table of sums: the time and the grains of its rows. */
export interface SumTable {
  readonly name: string;
  readonly time: readonly string[];
  readonly grains: readonly number[];
  readonly isByMark: boolean;
}

export const DAYS: SumTable = {
  name: 'statistics_days',
  time: ['day'],
  grains: [0, 5, 6],
  isByMark: true,
};
/** Sums by merchant and supplier together, of settled orders (0017_statistics.sql). */
export const PAIRS: SumTable = { ...DAYS, grains: [FINEST] };
/** Kept for the last weeks; for all orders together, for ever. */
export const HALF_HOURS: SumTable = {
  name: 'statistics_half_hours',
  time: ['day', 'half_hour'],
  grains: [0, 5, 6],
  isByMark: true,
};
/** A table of sums of days that are over: see pieces.ts. */
export interface SpanTable extends SumTable {
  /** Lengths in days, the longest first. A span begins at a day whose number since 1970-01-01 is divisible by its length. */
  readonly lengths: readonly number[];
}
export const SPANS: SpanTable = {
  name: 'statistics_spans',
  time: ['span', 'day'],
  grains: [OF_MERCHANT, OF_SUPPLIER, OF_PRODUCT, OF_SUPPLIER_ALONE],
  isByMark: false,
  lengths: [16, 4, 1],
};
/** The length of PAIR_SPANS in days. */
export const PAIR_DAYS = 8;
/** Spans of PAIRS. Most of their rows count a few orders, so a second length would have nearly as many rows again. */
export const PAIR_SPANS: SpanTable = {
  ...SPANS,
  grains: [OF_MERCHANT | OF_SUPPLIER],
  lengths: [PAIR_DAYS],
};
/** SQL condition on an order's `id`: the order is in PAIRS. */
export const IS_SETTLED: Sql = sql`id < (select settled_until from statistics_state)`;

/** The coarsest grain of a table that has all keys in `needed`. Undefined when there is none. */
export function grainIn({ grains }: SumTable, needed: number): number | undefined {
  return grains.find((grain) => (grain & needed) === needed);
}

const SUMMED: readonly string[] = [...SUM_COLUMNS, ...TIME_COLUMNS];
/** The columns that every table of sums adds up. */
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

/**
 * What each row of `from` (columns of statistics_changes) adds, by half hour (`slot`) and all keys. `days` is an SQL condition on `slot`.
 */
export function addedBy(from: Sql, days: Sql): Sql {
  const source = join(
    DIRECTIONS.map((direction) => filed(direction, from)),
    ' union all ',
  );
  return sql`select * from (${source}) e where ${days}`;
}

/** Rows of days or half hours in each grain, from rows of `addedBy`. */
export function grouped(into: SumTable, added: Sql): Sql {
  const { time, grains } = into;
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
  const isByHalfHour = time.includes('half_hour');
  const times = ['slot / 48 as day_number', ...(isByHalfHour ? ['slot % 48 as half_hour'] : [])];
  return sql`
    select direction, (${raw(grain.join(' + '))})::smallint as grain,
      date '1970-01-01' + day_number as day, ${raw(isByHalfHour ? 'half_hour::smallint as half_hour,' : '')}
      ${key(OF_MERCHANT, 'merchant_id')}, ${key(OF_SUPPLIER, 'supplier_id')}, ${key(OF_SUPPLIER, 'account_id')},
      ${key(OF_PRODUCT, 'product_id')}, currency, mark, ${total('f')}
    from (
      select ${columns([...times, ...KEYS, ...SUMMED])} from (${added}) e ${grains.includes(FINEST) ? sql`where ${IS_SETTLED}` : empty}) f
    group by day_number, ${raw(isByHalfHour ? 'half_hour,' : '')} mark, direction, currency, grouping sets (${raw(sets.join(', '))})
    having ${raw([...SUM_COLUMNS.map((sum) => `sum_bigint(f.${sum}) <> 0`), ...TIME_COLUMNS.map((time) => `sum_numeric(f.${time}) <> 0`)].join(' or '))}`;
}

/** The half hours from which those of all other grains are made, except merchant and supplier together. */
export const FINE_HALF_HOURS: SumTable = { ...HALF_HOURS, grains: [5, 6] };
/** For each other grain, the grain it is made from. */
const MADE_FROM: Readonly<Record<number, number>> = {
  0: 5,
  [OF_MERCHANT]: 5,
  [OF_SUPPLIER]: 6,
  [OF_PRODUCT]: 5,
  [OF_SUPPLIER_ALONE]: 6,
  [OF_MERCHANT | OF_SUPPLIER]: FINEST,
};

/** A table's rows in each grain, from rows of half hours or days. `days` is an SQL condition on those. */
export function madeFrom(from: Sql, into: SumTable | SpanTable, days: Sql): Sql {
  const { grains, isByMark } = into;
  const lengths = 'lengths' in into ? into.lengths : undefined;
  const sources = grains.map((grain) => MADE_FROM[grain] ?? grain);
  const made = grains.map((grain, index) => `(${grain}, ${sources[index]})`).join(', ');
  const keys = columns(keysOf(into));
  const columnOf: Readonly<Record<string, string>> = {
    grain: 'g.grain',
    span: 'l.span',
    day: lengths ? `d.day - (d.day - date '1970-01-01') % l.span` : 'd.day',
    merchant_id: `case when g.grain & ${OF_MERCHANT} <> 0 then d.merchant_id else 0 end`,
    supplier_id: `case when g.grain & ${OF_SUPPLIER | OF_SUPPLIER_ALONE} <> 0 then d.supplier_id else 0 end`,
    account_id: `case when g.grain & ${OF_SUPPLIER} <> 0 then d.account_id else 0 end`,
    product_id: `case when g.grain & ${OF_PRODUCT} <> 0 then d.product_id else 0 end`,
  };
  return sql`
    select ${keys}, ${total('s')} from (
      select ${raw(
        keysOf(into)
          .map((key) => `${columnOf[key] ?? `d.${key}`} as ${key}`)
          .join(', '),
      )}, ${columns(SUMMED, 'd.')}
      from ${from} d join (values ${raw(made)}) as g (grain, made_from) on d.grain = g.made_from
      ${lengths ? sql`cross join (values ${raw(lengths.map((length) => `(${length})`).join(', '))}) as l (span)` : empty}
      where d.direction in ('in', 'out') and d.grain in (${raw([...new Set(sources)].join(', '))}) ${isByMark ? empty : sql`and d.mark <> ${raw(String(ORDER_MARK.test))}`} and ${days}) s
    group by ${keys}`;
}

const more = (sum: string): string =>
  `${sum} = coalesce(t.${sum} + excluded.${sum}, t.${sum}, excluded.${sum})`;

/** Inserts new rows (with the table's columns) in the order of the key. */
export function writeTo(into: SumTable, rows: Sql): Sql {
  const keys = keysOf(into);
  return sql`
    insert into ${raw(into.name)} as t (${columns([...keys, ...SUMMED])})
    select ${columns(keys)}, ${raw(SUMMED.map((sum) => `nullif(${sum}, 0)`).join(', '))} from (${rows}) r order by ${columns(keys)}`;
}

/** Adds rows (with the table's columns) to the sums of a table, in the order of the key. */
export function addTo(into: SumTable, rows: Sql): Sql {
  return sql`${writeTo(into, rows)} on conflict (${columns(keysOf(into))}) do update set ${raw(SUMMED.map(more).join(', '))}`;
}
