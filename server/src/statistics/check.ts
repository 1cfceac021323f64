import { DIRECTIONS } from '@sangam/contract/statistics.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Database, empty, join, raw, type Sql, sql } from '../platform/db/database.ts';
import { firstIdOf } from '../platform/db/ids.ts';
import { columns, KEYS, lessWaiting, ordersOf } from './columns.ts';
import { IS_IN_SPANS, IS_KEPT_HALF_HOUR } from './keep.ts';
import { cutsOf, IS_IN_PAIR_SPANS, spanOf } from './pairs.ts';
import {
  addedBy,
  DAYS,
  grouped,
  HALF_HOURS,
  IS_SETTLED,
  keysOf,
  madeFrom,
  PAIR_SPANS,
  PAIRS,
  SPANS,
  type SpanTable,
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

/**
 * The orders that may be filed between two moments: created then, or paid then. `are` is one more SQL condition on them. `from` and `to` are
 * SQL.
 */
function ordersBetween(from: Sql, to: Sql, are: Sql): Sql {
  const each = DIRECTIONS.map((direction) => {
    const ended = direction === 'in' ? sql`o.paid_at` : sql`o.finished_at`;
    const made = sql`o.id >= ${firstIdOf(sql`${from} - ${SLACK}`)} and o.id < ${firstIdOf(sql`${to} + ${SLACK}`)}`;
    const paid = sql`${ended} >= ${from} and ${ended} < ${to}`;
    return sql`select * from ${ordersOf(direction, sql`where (${made} or ${paid}) and ${are}`)} x`;
  });
  return sql`(${join(each, ' union all ')})`;
}

/** The orders that may be filed under the days: created on them, or paid on them. `first` and `last` are SQL of dates. */
export const ordersFiled = (first: Sql, last: Sql, are: Sql = sql`true`): Sql =>
  ordersBetween(startOf(first), startOf(nextDay(last)), are);

const isByHalfHour = ({ time }: SumTable): boolean => time.includes('half_hour');
/** SQL condition that is true for all rows of a table. It names the first columns of the table's index, so that the index is used. */
export const isOf = (table: SumTable | SpanTable): Sql =>
  raw(
    `direction in ('in', 'out') and grain in (${table.grains.join(', ')})${'lengths' in table ? ` and span in (${table.lengths.join(', ')})` : ''}`,
  );

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

/** A part of a table's sums of a day, and the orders that they count. */
interface Slice {
  readonly table: SumTable;
  /** Half hours of the day, 0 to 47. */
  readonly first: number;
  readonly last: number;
  /** SQL condition on orders, on changes, and on rows of the table. */
  readonly are: Sql;
}

/** SQL: the differences between a slice and its orders. Both are read in one snapshot. */
function sliceDifferences(day: Sql, { table, first, last, are }: Slice): Sql {
  const slot = (half: number) => sql`(${day} - date '1970-01-01') * 48 + ${raw(String(half))}`;
  const moment = (half: number) =>
    sql`(${startOf(day)} + ${raw(`interval '${half * HALF_HOUR_MINUTES} minutes'`)})`;
  const isIn = sql`slot between ${slot(first)} and ${slot(last)}`;
  const [isKept, halfHours] = isByHalfHour(table)
    ? [IS_KEPT_HALF_HOUR, raw(`and half_hour between ${first} and ${last}`)]
    : [sql`true`, empty];
  const counted = (from: Sql) =>
    sql`select * from (${grouped(table, addedBy(from, isIn))}) k where ${isKept}`;
  const kept = sql`select * from ${raw(table.name)} where ${isOf(table)} and day = ${day} ${halfHours} and ${are}`;
  return sql`
    with orders as materialized (${ordersBetween(moment(first), moment(last + 1), are)}),
      changes as materialized (select * from statistics_changes where ${are})
    ${differences(table, 'orders', counted(sql`orders`), [counted(sql`changes`), kept])}`;
}

/**
 * SQL: the differences on a day between the half hours of all orders together and those by merchant and product. When these are right, this
 * compares them with all orders, and counts none. Nothing, once these are forgotten.
 */
function halfHoursDifferences(day: Sql): Sql {
  const table = { ...HALF_HOURS, grains: [0] };
  const are = sql`day = ${day} and day >= (select half_hours_from from statistics_state)`;
  return differences(table, 'merchants', madeFrom(raw(HALF_HOURS.name), table, are), [
    sql`select * from ${raw(HALF_HOURS.name)} where ${isOf(table)} and ${are}`,
  ]);
}

/**
 * SQL: the differences on a day between DAYS, and PAIRS with the orders that PAIRS leaves out. When PAIRS are right, this compares DAYS with
 * all orders, and counts only the youngest.
 */
function daysDifferences(day: Sql): Sql {
  const read = columns(['slot', ...KEYS, ...sumColumns()]);
  const isOpen = sql`not ${IS_SETTLED}`;
  const open = addedBy(
    lessWaiting(ordersFiled(day, day, isOpen), isOpen),
    sql`slot / 48 = ${day} - date '1970-01-01'`,
  );
  const all = sql`
    select ${read} from (
      select (day - date '1970-01-01') * 48 as slot, p.* from ${raw(PAIRS.name)} p where ${isOf(PAIRS)} and day = ${day}) p
    union all select ${read} from (${open}) o`;
  return differences(DAYS, 'orders', grouped(DAYS, all), [
    sql`select * from ${raw(DAYS.name)} where ${isOf(DAYS)} and day = ${day}`,
  ]);
}

/**
 * SQL: the differences between the spans that include a day, and their days. `isIn`: SQL condition on days, they are in the spans. `are`: SQL
 * condition on days and spans.
 */
function spansDifferences(day: Sql, table: SpanTable, isIn: Sql, are: Sql): Sql {
  const longest = raw(String(table.lengths[0]!));
  const first = sql`${day} - (${day} - date '1970-01-01') % ${longest}`;
  const days = sql`day >= ${first} and day < ${first} + ${longest} and ${isIn} and ${are}`;
  const holds = sql`day between ${first} and ${day} and day + span > ${day}`;
  return differences(
    table,
    'days',
    sql`select * from (${madeFrom(raw(DAYS.name), table, days)}) k where ${holds}`,
    [sql`select * from ${raw(table.name)} where ${isOf(table)} and ${holds} and ${are}`],
  );
}

/** The ranges of merchants between the cuts, as SQL conditions on rows of sums. */
function rangesOf(cuts: readonly bigint[]): Sql[] {
  return [...cuts, undefined].map((last, index) => {
    const before = cuts[index - 1];
    return sql`${before === undefined ? sql`true` : sql`merchant_id > ${before}`} ${last === undefined ? empty : sql`and merchant_id <= ${last}`}`;
  });
}

/** Orders and payments that one statement counts, about. */
const SLICE_ORDERS = 50_000;
/** A row of a day is summed in less than a fourth of the time that an order is counted in. */
const SPAN_PARTS = 4;
const HALF_HOURS_OF_DAY = 48;
const HALF_HOUR_MINUTES = 30;

/** The key by which a grain is divided, in SQL that is the same for orders and for rows of the grain. */
const KEY_OF = {
  5: sql`merchant_id`,
  6: sql`coalesce(account_id, 0)`,
  7: sql`merchant_id # coalesce(account_id, 0)`,
} as const;

/** Divides one grain of a table by its key. All orders of a sum are in one part. */
function partsOf(slice: Omit<Slice, 'are'>, grain: keyof typeof KEY_OF, parts: number): Slice[] {
  return Array.from({ length: parts }, (_, part) => ({
    ...slice,
    table: { ...slice.table, grains: [grain] },
    are: sql`(hashint8(${KEY_OF[grain]}) & 65535) % ${raw(String(parts))} = ${raw(String(part))}`,
  }));
}

/**
 * The slices of a day with so many orders and payments in each half hour. `isFine`: half hours by merchant and by supplier are kept, and
 * `halfHoursDifferences` compares those of all orders together, which cannot be divided.
 */
function slicesOf(loads: readonly number[], isFine: boolean, size: number): Slice[] {
  const number = (orders: number) => Math.max(1, Math.ceil(orders / size));
  const slices: Slice[] = [];
  for (let first = 0; first < HALF_HOURS_OF_DAY;) {
    let [last, orders] = [first, loads[first]!];
    while (last + 1 < HALF_HOURS_OF_DAY && orders + loads[last + 1]! <= size) {
      last += 1;
      orders += loads[last]!;
    }
    const slice = { table: HALF_HOURS, first, last };
    if (number(orders) === 1) slices.push({ ...slice, are: sql`true` });
    else if (isFine) slices.push(...partsOf(slice, 5, number(orders)), ...partsOf(slice, 6, number(orders)));
    else slices.push({ ...slice, table: { ...HALF_HOURS, grains: [0] }, are: sql`true` });
    first = last + 1;
  }
  const day = loads.reduce((sum, orders) => sum + orders, 0);
  const pairs = partsOf({ table: PAIRS, first: 0, last: HALF_HOURS_OF_DAY - 1 }, 7, number(day));
  return [...slices, ...pairs];
}

/** Answers a statement's rows, each time from a snapshot of its own. */
type Read = <Row>(statement: Sql) => Promise<Row[]>;

/**
 * The statements that compare a day's sums with its orders, and with its spans. Each answers rows of `detail`, holds in every snapshot, and
 * counts only about `size` orders, because a large day takes longer than a snapshot may last. `day` is SQL of a date; null is no day.
 */
export async function checksOfDay(read: Read, day: Sql, size = SLICE_ORDERS): Promise<Sql[]> {
  // A wrong load makes the slices larger or smaller, but together they are always the whole day.
  const [found] = await read<{ day: string; isFine: boolean; loads: number[]; cuts: bigint[] }>(sql`
    select day::text as day, day >= (select half_hours_from from statistics_state) as "isFine", array(
      select coalesce(sum(coalesce(h.created, 0) + coalesce(h.paid_by_completion, 0)), 0)::int
      from generate_series(0, ${raw(String(HALF_HOURS_OF_DAY - 1))}) half
      left join statistics_half_hours h on h.direction in ('in', 'out') and h.grain = 0 and h.day = d.day and h.half_hour = half
      group by half order by half) as loads,
      array(${cutsOf(spanOf(sql`d.day`), SPAN_PARTS * size)} order by 1) as cuts
    from (select ${day} as day) d where day is not null`);
  if (!found) return [];
  const theDay = sql`${found.day}::date`;
  return [
    ...slicesOf(found.loads, found.isFine, size).map((slice) => sliceDifferences(theDay, slice)),
    halfHoursDifferences(theDay),
    daysDifferences(theDay),
    spansDifferences(theDay, SPANS, IS_IN_SPANS, sql`true`),
    ...rangesOf(found.cuts).map((are) => spansDifferences(theDay, PAIR_SPANS, IS_IN_PAIR_SPANS, are)),
  ];
}

/** SQL: the last day some of whose orders may be in the archive. The sums up to that day cannot be counted again. */
export const ARCHIVED_UNTIL: Sql = sql`(select coalesce(max(until), '-infinity') from archives where state = 'removed')`;

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

/** What differs on a day, in short snapshots. Empty when the sums are right. `size`: orders that one of them counts, about. */
export async function checkDay(db: Database, day: string, size?: number): Promise<string[]> {
  const read = <Row>(statement: Sql) =>
    db.tx(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read read only`);
      return tx.query<Row>(statement);
    });
  const found: string[] = [];
  for (const statement of await checksOfDay(read, sql`${day}::date`, size))
    for (const { detail } of await read<{ detail: string }>(statement)) found.push(detail);
  return found;
}
