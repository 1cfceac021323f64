import { DIRECTIONS } from '@sangam/contract/statistics.ts';
import { join, raw, type Sql, sql } from '../platform/db/database.ts';
import { columns, filed, filedTimes, KEYS, SUM_COLUMNS, TIME_COLUMNS } from './columns.ts';

/** A table of sums: what its rows are kept by, and what they add up. */
export interface SumTable {
  readonly name: string;
  readonly isByHalfHour: boolean;
  readonly isOfTimes: boolean;
}

const table = (name: string, isByHalfHour: boolean, isOfTimes: boolean): SumTable => ({
  name,
  isByHalfHour,
  isOfTimes,
});

export const DAYS = table('statistics_days', false, false);
export const HALF_HOURS = table('statistics_half_hours', true, false);
export const DAY_TIMES = table('statistics_day_times', false, true);
export const HALF_HOUR_TIMES = table('statistics_half_hour_times', true, true);
export const TABLES: readonly SumTable[] = [DAYS, HALF_HOURS, DAY_TIMES, HALF_HOUR_TIMES];

/** Sums kept by all of merchant, supplier, account and product: of whole days only. */
export const FINEST = 3;

export const summed = ({ isOfTimes }: SumTable): readonly string[] =>
  isOfTimes ? TIME_COLUMNS : SUM_COLUMNS;

/** The primary key of a table of sums. */
export function keysOf({ isByHalfHour, isOfTimes }: SumTable): readonly string[] {
  return [
    'direction',
    'grain',
    'day',
    ...(isByHalfHour ? ['half_hour'] : []),
    ...KEYS.filter((key) => key !== 'direction'),
    ...(isOfTimes ? ['kind', 'bucket'] : []),
  ];
}

const total = (sums: readonly string[], alias: string): Sql =>
  raw(sums.map((sum) => `sum_bigint(${alias}.${sum}) as ${sum}`).join(', '));

/**
 * What the rows of `from` (columns of statistics_changes) add, by half hour (`slot`) and all keys at once: what a change takes away
 * and gives back mostly cancels out, and few rows are left to be grouped again. `days`: SQL condition on `slot`.
 */
export function firstSums(isOfTimes: boolean, from: Sql, days: Sql): Sql {
  const each = isOfTimes ? filedTimes : filed;
  const source = join(
    DIRECTIONS.map((direction) => each(direction, from)),
    ' union all ',
  );
  const by = columns(['slot', ...KEYS, ...(isOfTimes ? ['kind', 'bucket'] : [])]);
  return sql`
    select ${by}, ${total(isOfTimes ? TIME_COLUMNS : SUM_COLUMNS, 'e')} from (${source}) e where ${days} group by ${by}`;
}

/** Rows of a table, of each grain, from `firstSums`. `days`: SQL condition on `slot`. */
export function grouped(into: SumTable, first: Sql, days: Sql): Sql {
  const sums = summed(into);
  const time = sql`slot / 48 as day_number ${into.isByHalfHour ? sql`, slot % 48 as half_hour` : raw('')}`;
  const kinds = into.isOfTimes ? ['kind', 'bucket'] : [];
  const fixed = [
    'direction',
    'currency',
    'mark',
    'day_number',
    ...(into.isByHalfHour ? ['half_hour'] : []),
    ...kinds,
  ];
  const grains = [
    '()',
    '(merchant_id, product_id)',
    '(supplier_id, account_id, product_id)',
    ...(into === DAYS ? ['(merchant_id, supplier_id, account_id, product_id)'] : []),
  ];
  return sql`
    select direction, (3 - grouping(merchant_id) - 2 * grouping(supplier_id))::smallint as grain, date '1970-01-01' + day_number as day,
      ${into.isByHalfHour ? sql`half_hour::smallint as half_hour,` : raw('')}
      coalesce(merchant_id, 0) as merchant_id, coalesce(supplier_id, 0) as supplier_id, coalesce(account_id, 0) as account_id,
      coalesce(product_id, 0) as product_id, currency, mark, ${into.isOfTimes ? sql`kind, bucket::smallint as bucket,` : raw('')}
      ${total(sums, 'f')}
    from (select ${time}, ${columns([...KEYS, ...kinds, ...sums])} from ${first} e where ${days}) f
    group by ${columns(fixed)}, grouping sets (${raw(grains.join(', '))})
    having ${raw(sums.map((sum) => `sum_bigint(f.${sum}) <> 0`).join(' or '))}`;
}

/**
 * Rows of a table: of each grain, the sums of what the rows of `from` (columns of statistics_changes) add. `days`: SQL condition
 * on `slot`.
 */
export function rowsOf(into: SumTable, from: Sql, days: Sql): Sql {
  return grouped(into, sql`(${firstSums(into.isOfTimes, from, days)})`, sql`true`);
}

/** Adds rows (of the table's columns) to a table, in the order of its key. */
export function addTo(into: SumTable, rows: Sql): Sql {
  const [keys, sums] = [keysOf(into), summed(into)];
  return sql`
    insert into ${raw(into.name)} as t (${columns([...keys, ...sums])})
    select ${columns([...keys, ...sums])} from (${rows}) r order by ${columns(keys)}
    on conflict (${columns(keys)}) do update set ${raw(sums.map((sum) => `${sum} = t.${sum} + excluded.${sum}`).join(', '))}`;
}
