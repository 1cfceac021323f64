import { DIRECTIONS } from '@sangam/contract/statistics.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Database, join, raw, type Sql, sql } from '../platform/db/database.ts';
import { firstIdOf } from '../platform/db/ids.ts';
import { ordersOf } from './columns.ts';
import { IS_IN_SPANS, IS_KEPT_HALF_HOUR } from './keep.ts';
import {
  addedBy,
  DAYS,
  grouped,
  HALF_HOURS,
  keysOf,
  madeFrom,
  PAIRS,
  SPANS,
  sumColumns,
  type SumTable,
} from './sums.ts';

/*
 * Compares sums with orders. An order and its change are committed together. So in one snapshot, the sums plus the waiting changes equal a
 * recount of the orders.
 */

/** SQL: the first moment of a day. */
const startOf = (day: Sql): Sql => sql`(${day}::timestamp at time zone 'Asia/Kolkata')`;
const nextDay = (day: Sql): Sql => sql`(${day} + 1)`;
const SLACK = raw(`interval '${(5 * MINUTE) / 1_000} s'`);

/** The orders that may be filed under the days: created on them, or paid on them. `first` and `last` are SQL of dates. */
export function ordersFiled(first: Sql, last: Sql): Sql {
  const each = DIRECTIONS.map((direction) => {
    const ended = direction === 'in' ? sql`o.paid_at` : sql`o.finished_at`;
    const made = sql`o.id >= ${firstIdOf(sql`${startOf(first)} - ${SLACK}`)} and o.id < ${firstIdOf(sql`${startOf(nextDay(last))} + ${SLACK}`)}`;
    const paid = sql`${ended} >= ${startOf(first)} and ${ended} < ${startOf(nextDay(last))}`;
    return sql`select * from ${ordersOf(direction, sql`where ${made} or ${paid}`)} x`;
  });
  return sql`(${join(each, ' union all ')})`;
}

const CHANGES = sql`(select * from statistics_changes)`;
const onDay = (day: Sql): Sql => sql`slot / 48 = ${day} - date '1970-01-01'`;
/** One less than the number of days in the longest span. */
const LONGEST = raw('15');
/** Which of the counted rows a table keeps. */
const isKept = (table: SumTable): Sql => (table === HALF_HOURS ? IS_KEPT_HALF_HOUR : sql`true`);
/** SQL condition that is true for all rows of a table. It names the first columns of the table's index, so that the index is used. */
export const isOf = ({ grains }: SumTable): Sql =>
  raw(`direction in ('in', 'out') and grain in (${grains.join(', ')})`);
/** SQL condition on rows of statistics_spans: they include the day. */
const holds = (day: Sql): Sql => sql`day between ${day} - ${LONGEST} and ${day} and day + span > ${day}`;

/** Rows with one text `detail`: the keys of `table` whose sums in `more`, less those in each of `less`, are not zero. */
function differences(table: SumTable, than: string, more: Sql, less: readonly Sql[]): Sql {
  const [keys, sums] = [keysOf(table), sumColumns()];
  const signed = (rows: Sql, sign: string) =>
    sql`select ${raw(keys.join(', '))}, ${raw(sums.map((sum) => `${sign}${sum} as ${sum}`).join(', '))} from (${rows}) r`;
  const isOff = raw(sums.map((sum) => `sum(d.${sum}) <> 0`).join(' or '));
  const off = raw(sums.map((sum) => `'${sum}', nullif(sum(d.${sum}), 0)`).join(', '));
  return sql`
    select '${raw(table.name)} of ' || json_build_array(${raw(keys.map((key) => `d.${key}`).join(', '))})
      || ': ${raw(than)} have more by ' || json_strip_nulls(json_build_object(${off})) as detail
    from (${join([signed(more, ''), ...less.map((rows) => signed(rows, '-'))], ' union all ')}) d
    group by ${raw(keys.map((key) => `d.${key}`).join(', '))} having ${isOff}`;
}

/**
 * SQL, rows of `detail`: the differences on one day between sums and orders, and between spans and days. `day` is SQL of a date; null is no
 * day.
 */
export function dayDifferences(day: Sql): Sql {
  const theDay = sql`(select day from the_day)`;
  const ofOrders = [DAYS, PAIRS, HALF_HOURS].map((table) => {
    const counted = (from: Sql) =>
      sql`select * from (${grouped(table, addedBy(from, onDay(theDay)))}) k where ${isKept(table)}`;
    const kept = sql`select * from ${raw(table.name)} where ${isOf(table)} and day = ${theDay}`;
    return differences(table, 'orders', counted(sql`orders_of_day`), [counted(sql`changes`), kept]);
  });
  const days = sql`day between ${theDay} - ${LONGEST} and ${theDay} + ${LONGEST} and ${IS_IN_SPANS}`;
  const ofDays = differences(
    SPANS,
    'days',
    sql`select * from (${madeFrom(raw('statistics_days'), SPANS, days)}) k where ${holds(theDay)}`,
    [sql`select * from statistics_spans where ${isOf(SPANS)} and span in (1, 4, 16) and ${holds(theDay)}`],
  );
  return sql`
    with the_day as materialized (select ${day} as day),
      orders_of_day as materialized (${ordersFiled(theDay, theDay)}),
      changes as materialized (${CHANGES})
    ${join([...ofOrders, ofDays], ' union all ')}`;
}

/** SQL: the last day some of whose orders may be in the archive. The sums up to that day cannot be counted again. */
const ARCHIVED_UNTIL = sql`(select coalesce(max(until), '-infinity') from archives where state = 'removed')`;

/** A day with sums, chosen at random each time. */
export const RANDOM_DAY: Sql = sql`(
  select day from (select distinct day from statistics_days where grain = 0) d where day > ${ARCHIVED_UNTIL} order by random() limit 1)`;

/** The days within the bounds that have orders or sums, without days whose orders are in the archive. */
export async function daysOf(
  db: Database,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<string[]> {
  const bound = sql`${from === undefined ? raw('') : sql`and day >= ${from}::date`} ${to === undefined ? raw('') : sql`and day <= ${to}::date`}`;
  const rows = await db.query<{ day: string }>(sql`
    with ends as (
      select min(id) as first, max(id) as last from (
        (select min(id) as id from collection_orders) union all (select max(id) from collection_orders)
        union all (select min(id) from payout_orders) union all (select max(id) from payout_orders)) e
    )
    select day::text as day from (
      select distinct day from statistics_days where grain = 0
      union select d::date from ends, generate_series(
        (select min(created_at) from (select created_at from collection_orders where id = first union all select created_at from payout_orders where id = first) o)
          at time zone 'Asia/Kolkata' - interval '1 day',
        (select max(created_at) from (select created_at from collection_orders where id = last union all select created_at from payout_orders where id = last) o)
          at time zone 'Asia/Kolkata' + interval '31 days', interval '1 day') d
    ) days where day > ${ARCHIVED_UNTIL} ${bound} order by 1`);
  return rows.map(({ day }) => day);
}

/** What differs on a day, in one snapshot. Empty when the sums are right. */
export function checkDay(db: Database, day: string): Promise<string[]> {
  return db.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read read only`);
    const rows = await tx.query<{ detail: string }>(dayDifferences(sql`${day}::date`));
    return rows.map(({ detail }) => detail);
  });
}
