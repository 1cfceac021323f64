import type { Direction } from '@sangam/contract/products.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { type Filing, type Sum, TIMES } from '@sangam/contract/statistics.ts';
import { businessDay, formatTime } from '@sangam/contract/time.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { empty, join, type Queryable, raw, type Sql, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { ARCHIVED_UNTIL } from './check.ts';
import { completionColumn, creationColumn, filed, lessWaiting, ordersOf, timeColumn } from './columns.ts';
import { sumsOf } from './counted.ts';
import { added, type Group, type Read, type SummedGroup } from './groups.ts';
import { type Piece, piecesOf } from './pieces.ts';
import {
  DAYS,
  grainIn,
  HALF_HOURS,
  OF_MERCHANT,
  OF_PRODUCT,
  OF_SUPPLIER,
  OF_SUPPLIER_ALONE,
  PAIR_SPANS,
  PAIRS,
  SPANS,
  type SumTable,
} from './sums.ts';

/** The keys to ask by. 'weekday' goes with 'halfHour', for example the half hours of all Mondays together. */
export type Key =
  | 'day'
  | 'weekday'
  | 'halfHour'
  | 'merchant'
  | 'supplier'
  | 'account'
  | 'bank'
  | 'product'
  | 'mark';

export interface Period {
  /** The first moment. It counts from the beginning of its half hour. */
  readonly from: Date;
  /** The first moment after the period. The half hour in which it lies is included. */
  readonly to: Date;
}

/** A question about sums. Without `mark` it leaves out orders marked 'test'. */
export interface Question extends Period {
  readonly direction: Direction;
  readonly filing: Filing;
  readonly by: readonly Key[];
  readonly merchantId?: bigint | undefined;
  readonly supplierId?: bigint | undefined;
  readonly productId?: number | undefined;
  readonly accountId?: bigint | undefined;
  readonly bank?: string | undefined;
  readonly mark?: number | undefined;
  readonly currency?: Currency | undefined;
  /** Only these groups. `by` must be the merchant alone or the supplier alone. */
  readonly only?: readonly Named[] | undefined;
  /** Whose orders: an SQL condition on `merchant_id` and `supplier_id` of alias `s` (`scopeOf`), and which of the two it uses. */
  readonly scope?: { readonly condition: Sql; readonly on: 'merchant' | 'supplier' | 'nothing' };
}

/** A merchant's or supplier's orders in a currency. */
export interface Named {
  readonly currency: Currency;
  readonly id: bigint;
}

export interface Freshness {
  /** Every change committed before this moment is in the sums. */
  readonly asOf: Date;
  /** Half hours are kept from this day on. */
  readonly halfHoursFrom: string;
  /** Days before this day are in spans. */
  readonly spansUntil: string;
  /** Days before this day are in spans by merchant and supplier together. */
  readonly pairsUntil: string;
  /** Orders with smaller ids are in the sums by merchant and supplier together. */
  readonly settledUntil: bigint;
  /** The last day some of whose orders may be in the archive. Its sums cannot be counted again. */
  readonly archivedUntil: string;
}

/** How fresh the sums are. Read it in the same snapshot as the sums, because a rebuild removes spans. */
export async function readFreshness(db: Queryable, now: Date): Promise<Freshness> {
  const [row] = await db.query<Omit<Freshness, 'asOf'> & { asOf: Date | null }>(sql`
    select case when exists (select from statistics_changes) then greatest(as_of, '1970-01-01') else ${now}::timestamptz end as "asOf",
      greatest(half_hours_from, '1970-01-01')::text as "halfHoursFrom", greatest(spans_until, '1970-01-01')::text as "spansUntil",
      greatest(pairs_until, '1970-01-01')::text as "pairsUntil", settled_until as "settledUntil", greatest(${ARCHIVED_UNTIL}, '1970-01-01')::text as "archivedUntil"
    from statistics_state`);
  return { ...row!, asOf: row!.asOf ?? now };
}

const HALF_HOUR = 30 * MINUTE;
/** How far ids may be off as clocks. */
const SLACK = 5 * MINUTE;

export const halfHourFrom = (moment: Date): Date =>
  new Date(Math.floor(moment.getTime() / HALF_HOUR) * HALF_HOUR);
export const halfHourTo = (moment: Date): Date =>
  new Date(Math.ceil(moment.getTime() / HALF_HOUR) * HALF_HOUR);

/** The half hour of the day, 0 to 47. */
const halfHourOf = (moment: Date): number => {
  const [hour, minute] = formatTime(moment).slice(11, 16).split(':').map(Number) as [number, number];
  return hour * 2 + (minute >= 30 ? 1 : 0);
};
const isMidnight = (moment: Date): boolean => halfHourOf(moment) === 0;

const BANKS = sql`left join accounts a on a.id = s.account_id`;
const COLUMN: Readonly<Record<Key, Sql>> = {
  day: sql`s.day`,
  weekday: sql`extract(isodow from s.day)::int`,
  halfHour: sql`s.half_hour`,
  merchant: sql`s.merchant_id`,
  supplier: sql`s.supplier_id`,
  account: sql`s.account_id`,
  bank: sql`coalesce(a.bank, '')`,
  product: sql`s.product_id`,
  mark: sql`s.mark`,
};
const NAME: Readonly<Record<Key, keyof Group>> = {
  day: 'day',
  weekday: 'weekday',
  halfHour: 'halfHour',
  merchant: 'merchantId',
  supplier: 'supplierId',
  account: 'accountId',
  bank: 'bank',
  product: 'productId',
  mark: 'mark',
};
/** The grain of sums needed to answer a question, see 0017_statistics.sql. */
function neededGrain(question: Question): number {
  const { by, scope } = question;
  const ofMerchant = question.merchantId !== undefined || by.includes('merchant') || scope?.on === 'merchant';
  const ofSupplier =
    (['supplierId', 'accountId', 'bank'] as const).some((name) => question[name] !== undefined) ||
    (['supplier', 'account', 'bank'] as const).some((key) => by.includes(key)) ||
    scope?.on === 'supplier';
  const ofProduct = question.productId !== undefined || by.includes('product');
  return (ofMerchant ? OF_MERCHANT : 0) | (ofSupplier ? OF_SUPPLIER : 0) | (ofProduct ? OF_PRODUCT : 0);
}

/** SQL condition on both: the ids, for the index, and the pairs of currency and id, for the rows found. */
function isOneOf(column: Sql, named: readonly Named[]): Sql {
  const [ids, currencies] = [named.map(({ id }) => id), named.map(({ currency }) => currency)];
  return sql`and ${column} = any(${[...new Set(ids)]}::bigint[])
    and (s.currency, ${column}) in (select * from unnest(${currencies}::text[], ${ids}::bigint[]))`;
}

function conditions(question: Question): Sql {
  const { scope, merchantId, supplierId, productId, accountId, bank, mark, currency, only } = question;
  const is = (column: Sql, value: bigint | number | string | undefined) =>
    value === undefined ? empty : sql`and ${column} = ${value}`;
  return sql`
    ${scope?.condition ?? empty} ${is(sql`s.merchant_id`, merchantId)} ${is(sql`s.supplier_id`, supplierId)}
    ${is(sql`s.product_id`, productId)} ${is(sql`s.account_id`, accountId)} ${is(sql`s.currency`, currency)}
    ${bank === undefined ? empty : sql`and ${COLUMN.bank} = ${bank}`}
    ${only === undefined ? empty : isOneOf(COLUMN[question.by[0]!], only)}
    ${mark === undefined ? sql`and s.mark <> ${ORDER_MARK.test}` : sql`and s.mark = ${mark}`}`;
}

/**
 * Rows of half hours counted from the orders themselves, where no sums are kept. `are` and `waiting` are SQL conditions on orders and on
 * their changes.
 */
function recounted({ direction, merchantId, supplierId }: Question, are: Sql, waiting = are): Sql {
  const narrowed = sql`where ${are}
    ${merchantId === undefined ? empty : sql`and o.merchant_id = ${merchantId}`}
    ${supplierId === undefined ? empty : sql`and o.supplier_id = ${supplierId}`}`;
  const rows = filed(direction, lessWaiting(ordersOf(direction, narrowed), waiting));
  return sql`(select date '1970-01-01' + r.slot / 48 as day, r.slot % 48 as half_hour, r.* from (${rows}) r)`;
}

/** Counts from the orders, by half hours: for merchant and supplier together, and for days that are too old. */
function recountedPeriod(question: Question): Sql {
  const { direction, filing, from, to } = question;
  const ended = direction === 'in' ? sql`o.paid_at` : sql`o.finished_at`;
  const [leastId, beyondId] = [from, to].map((moment, end) =>
    firstIdAt(new Date(moment.getTime() + (end ? SLACK : -SLACK))),
  );
  const are =
    filing === 'created'
      ? sql`o.id >= ${leastId} and o.id < ${beyondId}`
      : sql`o.id < ${beyondId} and (o.id >= ${leastId} or ${ended} >= ${from} and ${ended} < ${to})`;
  return recounted(question, are, sql`true`);
}

/** The grain of the kept half hours that answer a question from a moment on. Undefined: they have to be counted from the orders. */
function keptGrain(question: Question, from: Date, { halfHoursFrom }: Freshness): number | undefined {
  const needed = neededGrain(question);
  return needed === 0 || businessDay(from) >= halfHoursFrom ? grainIn(HALF_HOURS, needed) : undefined;
}

/**
 * Whether a question about a period would have to count orders some of which are in the archive, so that its sums would be too low. Days
 * never have to.
 */
export function isArchived(question: Question, period: Period, freshness: Freshness): boolean {
  return (
    !isOfDays(question, period) &&
    keptGrain(question, period.from, freshness) === undefined &&
    businessDay(period.from) <= freshness.archivedUntil
  );
}

/** Rows of half hours in a question's period, kept or recounted. All belong to part 1. */
function halfHours(question: Question, freshness: Freshness): Sql {
  const { direction, from, to } = question;
  const grain = keptGrain(question, from, freshness);
  const last = new Date(to.getTime() - SECOND);
  const [firstDay, lastDay] = [businessDay(from), businessDay(last)];
  return sql`(
    select 1 as part, s.* from ${grain === undefined ? recountedPeriod(question) : raw(HALF_HOURS.name)} s
    where s.direction = ${direction} ${grain === undefined ? empty : ofGrain(grain)} and s.day between ${firstDay} and ${lastDay}
      and (s.day > ${firstDay} or s.half_hour >= ${halfHourOf(from)}) and (s.day < ${lastDay} or s.half_hour <= ${halfHourOf(last)})) s`;
}

/**
 * SQL condition on a table of sums, alias `s`. It names the index columns before the asked key, but not those after it, because PostgreSQL
 * would compare each row with them.
 */
const ofGrain = (grain: number): Sql =>
  raw(`
  and s.grain = ${grain} ${!(grain & OF_MERCHANT) && grain & (OF_SUPPLIER | OF_SUPPLIER_ALONE) ? 'and s.merchant_id = 0' : ''}`);

/** Rows of whole days of periods. `part`: the periods they belong to, one bit for each. */
function wholeDays(question: Question, periods: readonly Period[], freshness: Freshness): Sql {
  const { by, direction, mark } = question;
  const needed = neededGrain(question);
  const isOfAccounts =
    question.accountId !== undefined ||
    question.bank !== undefined ||
    by.some((key) => key === 'account' || key === 'bank');
  const inSpansBy = needed === OF_SUPPLIER && !isOfAccounts ? OF_SUPPLIER_ALONE : needed;
  const isByMark = mark !== undefined || by.includes('mark');
  const spans = isByMark ? undefined : [SPANS, PAIR_SPANS].find(({ grains }) => grains.includes(inSpansBy));
  const days = periods.map(
    ({ from, to }) => [businessDay(from), businessDay(new Date(to.getTime() - SECOND))] as const,
  );
  const pieces = piecesOf(
    days,
    spans && {
      until: spans === PAIR_SPANS ? freshness.pairsUntil : freshness.spansUntil,
      lengths: spans.lengths.filter((length) => length === 1 || !by.includes('day')),
    },
  );
  const rows = (table: SumTable, of: readonly Piece[], from: Sql, are: Sql) => sql`
    select p.part, s.day, s.merchant_id, s.supplier_id, s.account_id, s.product_id, s.currency,
      ${table.isByMark ? sql`s.mark` : sql`0::smallint as mark`}, ${raw(readColumns(question).join(', '))}
    from unnest(${of.map(({ span }) => span)}::smallint[], ${of.map(({ day }) => day)}::date[], ${of.map(({ part }) => part)}::int[]) p (span, day, part)
    join ${from} s on s.direction = ${direction} and s.day = p.day ${are}`;
  const kept = (table: SumTable, grain: number, of: readonly Piece[]) =>
    rows(
      table,
      of,
      raw(table.name),
      sql`${table === SPANS ? sql`and s.span = p.span` : empty} ${ofGrain(grain)}`,
    );
  const table = grainIn(DAYS, needed) === undefined ? PAIRS : DAYS;
  const [inSpans, inDays] = [true, false].map((is) => pieces.filter(({ isSpan }) => isSpan === is)) as [
    Piece[],
    Piece[],
  ];
  const parts = [
    ...(inDays.length > 0 ? [kept(table, grainIn(table, needed)!, inDays)] : []),
    ...(inSpans.length > 0 ? [kept(SPANS, inSpansBy, inSpans)] : []),
    ...(table === PAIRS
      ? [rows(table, piecesOf(days), recounted(question, sql`id >= ${freshness.settledUntil}`), empty)]
      : []),
  ];
  return sql`(${join(parts, ' union all ')}) s`;
}

const column = (question: Question, sum: Sum): string =>
  (question.filing === 'created' ? creationColumn : completionColumn)(sum);
const readColumns = (question: Question): string[] => [
  ...sumsOf(question.direction).map((sum) => `s.${column(question, sum)}`),
  ...TIMES.map((kind) => `s.${timeColumn(kind, question.filing)}`),
];

const selected = (by: readonly Key[]): Sql =>
  by.length === 0 ? empty : sql`${join(by.map((key) => sql`${COLUMN[key]} as ${raw(`"${NAME[key]}"`)}`))},`;
/** Positions for `group by`: the keys, the currency and the part. */
const positions = (by: readonly Key[]): Sql =>
  raw(Array.from({ length: by.length + 2 }, (_, index) => index + 1).join(', '));

/** SQL condition on a group: it has orders. Every other sum counts only orders that were created or paid. */
const hasOrders = (question: Question): Sql =>
  raw(`sum_bigint(s.${column(question, 'created')}) <> 0 or sum_bigint(s.${column(question, 'paid')}) <> 0`);

/** The groups of `from` (alias `s`), by part. Durations only for the first period. */
function groups(question: Question, from: Sql): Sql {
  const needsBank = question.bank !== undefined || question.by.includes('bank');
  const sums = sumsOf(question.direction).map(
    (sum) => `sum_bigint(s.${column(question, sum)})::float8 as "${sum}"`,
  );
  return sql`
    select ${selected(question.by)} s.currency, s.part, ${raw(sums.join(', '))},
      ${raw(TIMES.map((kind) => `sum(s.${timeColumn(kind, question.filing)}) filter (where s.part & 1 = 1)::text as "${kind}"`).join(', '))}
    from ${from} ${needsBank ? BANKS : empty}
    where true ${conditions(question)}
    group by ${positions(question.by)} having ${hasOrders(question)}
    order by ${positions(question.by)}`;
}

/** Rows of one period, or of several periods at once if all are whole days. */
const rowsOf = (question: Question, periods: readonly Period[], freshness: Freshness): Sql =>
  isOfDays(question, periods[0]!)
    ? wholeDays(question, periods, freshness)
    : halfHours({ ...question, ...periods[0]! }, freshness);
const isOfDays = ({ by }: Question, { from, to }: Period): boolean =>
  !by.includes('halfHour') && isMidnight(from) && isMidnight(to);

/**
 * Whether a question is by merchant alone or supplier alone, names none of them, and is over whole days. Such a question has many groups,
 * and sums are kept for it.
 */
export const isOfMany = (question: Question): boolean =>
  ['merchant', 'supplier'].includes(question.by.join()) &&
  question.merchantId === undefined &&
  question.supplierId === undefined &&
  isOfDays(question, question);

/**
 * For a question that `isOfMany`: in each currency the `most` merchants or suppliers with the most orders created, and the number of all
 * groups. It reads nothing else of the other groups.
 */
export async function readLargest(
  db: Queryable,
  question: Question,
  most: number,
  freshness: Freshness,
): Promise<(Named & { readonly groups: number })[]> {
  const id = COLUMN[question.by[0]!];
  return db.query(sql`
    select currency, id, groups from (
      select s.currency, ${id} as id, (count(*) over (partition by s.currency))::int as groups,
        row_number() over (partition by s.currency order by sum_bigint(s.${raw(column(question, 'created'))}) desc, ${id}) as place
      from ${wholeDays(question, [question], freshness)} ${question.bank === undefined ? empty : BANKS}
      where true ${conditions(question)} group by 1, 2 having ${hasOrders(question)}) g
    where place <= ${most}`);
}

/** The sums of each group with orders, in the question's own period. */
export async function readSums(
  db: Queryable,
  question: Question,
  freshness: Freshness,
): Promise<SummedGroup[]> {
  const [groups] = await readPeriods(db, question, [question], freshness);
  return groups!;
}

/**
 * The sums of each group with orders, in each of several periods. Durations only for the first period. A period that `isArchived` has no
 * groups, because a sum that is too low is worse than none.
 */
export async function readPeriods(
  db: Queryable,
  question: Question,
  periods: readonly Period[],
  freshness: Freshness,
): Promise<SummedGroup[][]> {
  const ofDays = periods.filter((period) => isOfDays(question, period));
  const read = (of: readonly Period[]) => db.query<Read>(groups(question, rowsOf(question, of, freshness)));
  const days = ofDays.length === 0 ? [] : await read(ofDays);
  const found: SummedGroup[][] = [];
  for (const period of periods) {
    const place = ofDays.indexOf(period);
    if (place >= 0) found.push(added(days.filter(({ part }) => part & (1 << place))));
    else found.push(isArchived(question, period, freshness) ? [] : added(await read([period])));
  }
  return found;
}
