import type { Direction } from '@sangam/contract/products.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { type Filing, type Sum, SUMS, type Sums, TIMES, type Times } from '@sangam/contract/statistics.ts';
import { businessDay, formatTime } from '@sangam/contract/time.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { empty, join, type Queryable, raw, type Sql, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { bucketsOf } from './buckets.ts';
import { completionColumn, creationColumn, filed, ordersOf, timeColumn } from './columns.ts';
import { type Piece, piecesOf } from './pieces.ts';
import {
  DAYS,
  grainIn,
  HALF_HOURS,
  OF_MERCHANT,
  OF_PRODUCT,
  OF_SUPPLIER,
  SPANS,
  type SumTable,
} from './sums.ts';

/** What sums may be asked for by. 'weekday' goes with 'halfHour': the half hours of all Mondays together, and so on. */
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
  /** First moment; the beginning of a half hour, or else of the half hour it lies in. */
  readonly from: Date;
  /** First moment after; likewise, its half hour is included. */
  readonly to: Date;
}

/** A question about sums. Without `mark` orders marked 'test' are left out. */
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
  /** Only groups of these values of the one key of `by`. */
  readonly only?: readonly (bigint | number | string)[] | undefined;
  /** Whose orders: SQL condition on `merchant_id` and `supplier_id` of alias `s` (`scopeOf`), and which of the two it names. */
  readonly scope?: { readonly condition: Sql; readonly on: 'merchant' | 'supplier' | 'nothing' };
}

/** One group of orders: a currency and what was asked for by; what was not is null. */
export interface Group {
  readonly currency: Currency;
  readonly day: string | null;
  /** 1 Monday to 7 Sunday. */
  readonly weekday: number | null;
  /** 0 to 47. */
  readonly halfHour: number | null;
  readonly merchantId: bigint | null;
  /** 0: orders without one; account and bank likewise. */
  readonly supplierId: bigint | null;
  readonly accountId: bigint | null;
  readonly bank: string | null;
  readonly productId: number | null;
  readonly mark: number | null;
}

/** Of each duration, the number of orders in each bucket. */
export type Buckets = Readonly<Record<Times, ReadonlyMap<number, number>>>;
export type SummedGroup = Group & { readonly sums: Sums; readonly times: Buckets };

export interface Freshness {
  /** Every change committed before it is in the sums. */
  readonly asOf: Date;
  /** Half hours are kept from this day on. */
  readonly halfHoursFrom: string;
  /** Days before it are in spans. */
  readonly spansUntil: string;
}

/** How fresh the sums are. In the snapshot in which they are read: a rebuild takes spans away. */
export async function readFreshness(db: Queryable, now: Date): Promise<Freshness> {
  const [row] = await db.query<Omit<Freshness, 'asOf'> & { asOf: Date | null }>(sql`
    select case when exists (select from statistics_changes) then greatest(as_of, '1970-01-01') else ${now}::timestamptz end as "asOf",
      greatest(half_hours_from, '1970-01-01')::text as "halfHoursFrom", greatest(spans_until, '1970-01-01')::text as "spansUntil"
    from statistics_state`);
  return { ...row!, asOf: row!.asOf ?? now };
}

const HALF_HOUR = 30 * MINUTE;
/** Of ids as clocks. */
const SLACK = 5 * MINUTE;

export const halfHourFrom = (moment: Date): Date =>
  new Date(Math.floor(moment.getTime() / HALF_HOUR) * HALF_HOUR);
export const halfHourTo = (moment: Date): Date =>
  new Date(Math.ceil(moment.getTime() / HALF_HOUR) * HALF_HOUR);

/** The half hour of its day, 0 to 47. */
const halfHourOf = (moment: Date): number => {
  const [hour, minute] = formatTime(moment).slice(11, 16).split(':').map(Number) as [number, number];
  return hour * 2 + (minute >= 30 ? 1 : 0);
};
const isMidnight = (moment: Date): boolean => halfHourOf(moment) === 0;

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
export const valueOf = (group: Group, key: Key): bigint | number | string => group[NAME[key]] ?? 0;
const NO_GROUP: Omit<Group, 'currency'> = {
  day: null,
  weekday: null,
  halfHour: null,
  merchantId: null,
  supplierId: null,
  accountId: null,
  bank: null,
  productId: null,
  mark: null,
};

/** The grain that the sums must be kept by to answer, see 0017_statistics.sql. */
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

function conditions(question: Question): Sql {
  const { scope, merchantId, supplierId, productId, accountId, bank, mark, currency, only } = question;
  const is = (column: Sql, value: bigint | number | string | undefined) =>
    value === undefined ? empty : sql`and ${column} = ${value}`;
  return sql`
    ${scope?.condition ?? empty} ${is(sql`s.merchant_id`, merchantId)} ${is(sql`s.supplier_id`, supplierId)}
    ${is(sql`s.product_id`, productId)} ${is(sql`s.account_id`, accountId)} ${is(sql`s.currency`, currency)}
    ${bank === undefined ? empty : sql`and ${COLUMN.bank} = ${bank}`}
    ${only === undefined ? empty : sql`and ${COLUMN[question.by[0]!]} = any(${only})`}
    ${mark === undefined ? sql`and s.mark <> ${ORDER_MARK.test}` : sql`and s.mark = ${mark}`}`;
}

/**
 * Orders counted anew, as rows of half hours: where no sum is kept (merchant and supplier together, and days that are too old).
 */
function recounted(question: Question): Sql {
  const { direction, from, to } = question;
  const ended = direction === 'in' ? sql`o.paid_at` : sql`o.finished_at`;
  const mostId = firstIdAt(new Date(to.getTime() + SLACK));
  const condition =
    question.filing === 'created'
      ? sql`where o.id >= ${firstIdAt(new Date(from.getTime() - SLACK))} and o.id < ${mostId}`
      : sql`where o.id < ${mostId} and (o.id >= ${firstIdAt(new Date(from.getTime() - SLACK))} or ${ended} >= ${from} and ${ended} < ${to})`;
  const narrowed = sql`${condition}
    ${question.merchantId === undefined ? empty : sql`and o.merchant_id = ${question.merchantId}`}
    ${question.supplierId === undefined ? empty : sql`and o.supplier_id = ${question.supplierId}`}`;
  const rows = filed(direction, ordersOf(direction, narrowed));
  return sql`(select date '1970-01-01' + r.slot / 48 as day, r.slot % 48 as half_hour, r.* from (${rows}) r)`;
}

/** Rows of half hours of a question's period: kept ones, or counted anew. All are part 1. */
function halfHours(question: Question, freshness: Freshness): Sql {
  const { direction, from, to } = question;
  const needed = neededGrain(question);
  const grain =
    needed === 0 || businessDay(from) >= freshness.halfHoursFrom ? grainIn(HALF_HOURS, needed) : undefined;
  const last = new Date(to.getTime() - SECOND);
  const [firstDay, lastDay] = [businessDay(from), businessDay(last)];
  return sql`(
    select 1 as part, s.* from ${grain === undefined ? recounted(question) : raw(HALF_HOURS.name)} s
    where s.direction = ${direction} ${grain === undefined ? empty : ofGrain(grain)} and s.day between ${firstDay} and ${lastDay}
      and (s.day > ${firstDay} or s.half_hour >= ${halfHourOf(from)}) and (s.day < ${lastDay} or s.half_hour <= ${halfHourOf(last)})) s`;
}

/** SQL condition on a table of sums, alias `s`; keys that are not part of the grain are 0, which the index is told. */
const ofGrain = (grain: number): Sql =>
  raw(`
  and s.grain = ${grain} ${grain & OF_MERCHANT ? '' : 'and s.merchant_id = 0'} ${grain & OF_SUPPLIER ? '' : 'and s.supplier_id = 0 and s.account_id = 0'}`);

/** Rows of whole days of periods. `part`: the periods they are of, a bit each. */
function wholeDays(question: Question, periods: readonly Period[], freshness: Freshness): Sql {
  const { by, direction, mark } = question;
  const needed = neededGrain(question);
  const hasSpans = SPANS.grains.includes(needed) && mark === undefined && !by.includes('mark');
  const pieces = piecesOf(
    periods.map(({ from, to }) => [businessDay(from), businessDay(new Date(to.getTime() - SECOND))]),
    hasSpans ? freshness.spansUntil : undefined,
    by.includes('day'),
  );
  const rows = (table: SumTable, grain: number, of: readonly Piece[]) => sql`
    select p.part, s.day, s.merchant_id, s.supplier_id, s.account_id, s.product_id, s.currency,
      ${table.isByMark ? sql`s.mark` : sql`0::smallint as mark`}, ${raw(readColumns(question).join(', '))}
    from unnest(${of.map(({ span }) => span)}::smallint[], ${of.map(({ day }) => day)}::date[], ${of.map(({ part }) => part)}::int[]) p (span, day, part)
    join ${raw(table.name)} s on s.direction = ${direction} and s.day = p.day ${table === SPANS ? sql`and s.span = p.span` : empty} ${ofGrain(grain)}`;
  const [inSpans, inDays] = [true, false].map((is) => pieces.filter(({ isSpan }) => isSpan === is)) as [
    Piece[],
    Piece[],
  ];
  const parts = [
    ...(inDays.length > 0 ? [rows(DAYS, grainIn(DAYS, needed)!, inDays)] : []),
    ...(inSpans.length > 0 ? [rows(SPANS, needed, inSpans)] : []),
  ];
  return sql`(${join(parts, ' union all ')}) s`;
}

const column = (question: Question, sum: Sum): string =>
  (question.filing === 'created' ? creationColumn : completionColumn)(sum);
const readColumns = (question: Question): string[] => [
  ...SUMS.map((sum) => `s.${column(question, sum)}`),
  ...TIMES.map((kind) => `s.${timeColumn(kind, question.filing)}`),
];

const selected = (by: readonly Key[]): Sql =>
  by.length === 0 ? empty : sql`${join(by.map((key) => sql`${COLUMN[key]} as ${raw(`"${NAME[key]}"`)}`))},`;
/** `group by` positions: the keys, the currency, and the part. */
const positions = (by: readonly Key[]): Sql =>
  raw(Array.from({ length: by.length + 2 }, (_, index) => index + 1).join(', '));

type Read = Group &
  Readonly<Record<Sum, number>> &
  Readonly<Record<Times, string | null>> & { readonly part: number };

/** The groups of `from` (alias `s`), by part. Durations only of the first period. */
function groups(question: Question, from: Sql): Sql {
  const needsBank = question.bank !== undefined || question.by.includes('bank');
  const sums = SUMS.map((sum) => [sum, `sum_bigint(s.${column(question, sum)})`] as const);
  return sql`
    select ${selected(question.by)} s.currency, s.part, ${raw(sums.map(([sum, value]) => `${value}::float8 as "${sum}"`).join(', '))},
      ${raw(TIMES.map((kind) => `sum(s.${timeColumn(kind, question.filing)}) filter (where s.part & 1 = 1)::text as "${kind}"`).join(', '))}
    from ${from} ${needsBank ? sql`left join accounts a on a.id = s.account_id` : empty}
    where true ${conditions(question)}
    group by ${positions(question.by)} having ${raw(sums.map(([, value]) => `${value} <> 0`).join(' or '))}
    order by ${positions(question.by)}`;
}

/** Rows of one period, or of several at once where all are whole days. */
const rowsOf = (question: Question, periods: readonly Period[], freshness: Freshness): Sql =>
  isOfDays(question, periods[0]!)
    ? wholeDays(question, periods, freshness)
    : halfHours({ ...question, ...periods[0]! }, freshness);
const isOfDays = ({ by }: Question, { from, to }: Period): boolean =>
  !by.includes('halfHour') && isMidnight(from) && isMidnight(to);

/**
 * Of each currency, the groups of a question's own period that have the most orders created, `most` of them, the largest first; and how
 * many groups there are.
 */
export async function readLargest(
  db: Queryable,
  question: Question,
  most: number,
  freshness: Freshness,
): Promise<(SummedGroup & { readonly groups: number })[]> {
  const rows = await db.query<Read & { groups: number }>(sql`
    select * from (
      select g.*, row_number() over (partition by g.currency order by g.created desc) as place, (count(*) over (partition by g.currency))::int as groups
      from (${groups(question, rowsOf(question, [question], freshness))}) g) p
    where place <= ${most} order by currency, place`);
  return rows.map((row) => ({ ...summed(row), groups: row.groups }));
}

/** The sums of each group that has any, of a question's own period. */
export async function readSums(
  db: Queryable,
  question: Question,
  freshness: Freshness,
): Promise<SummedGroup[]> {
  const [groups] = await readPeriods(db, question, [question], freshness);
  return groups!;
}

/** The sums of each group that has any, in each of several periods; durations of the first one. */
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
    found.push(added(place < 0 ? await read([period]) : days.filter(({ part }) => part & (1 << place))));
  }
  return found;
}

const summed = (row: Read): SummedGroup => ({
  ...groupOf(row),
  sums: Object.fromEntries(SUMS.map((sum) => [sum, row[sum]])) as Record<Sum, number>,
  times: { pay: bucketsOf(row.pay ?? '0'), tell: bucketsOf(row.tell ?? '0') },
});

/** Parts of the same group added together. */
function added(rows: readonly Read[]): SummedGroup[] {
  const parts = new Map<string, SummedGroup>();
  for (const row of rows) {
    const [part, name] = [summed(row), groupName(row)];
    const known = parts.get(name);
    parts.set(name, known ? { ...part, ...together([known, part]) } : part);
  }
  return [...parts.values()];
}

/** Sums and durations of groups together. */
export function together(parts: readonly SummedGroup[]): Pick<SummedGroup, 'sums' | 'times'> {
  const sums = Object.fromEntries(SUMS.map((sum) => [sum, 0])) as Record<Sum, number>;
  const times = { pay: new Map<number, number>(), tell: new Map<number, number>() };
  for (const part of parts) {
    for (const sum of SUMS) sums[sum] += part.sums[sum];
    for (const kind of TIMES)
      for (const [bucket, orders] of part.times[kind])
        times[kind].set(bucket, (times[kind].get(bucket) ?? 0) + orders);
  }
  return { sums, times };
}

const groupOf = (row: Group): Group => ({
  ...NO_GROUP,
  ...Object.fromEntries(Object.keys(NO_GROUP).map((name) => [name, row[name as keyof Group] ?? null])),
  currency: row.currency,
});

/** One text for each group. */
export function groupName(group: Group): string {
  return JSON.stringify(
    ['currency', ...Object.keys(NO_GROUP)].map((name) => String(group[name as keyof Group] ?? null)),
  );
}
