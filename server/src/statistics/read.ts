import type { Direction } from '@sangam/contract/products.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { type Filing, type Sum, SUMS, type Sums, type Times } from '@sangam/contract/statistics.ts';
import { businessDay, formatTime } from '@sangam/contract/time.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { empty, join, type Queryable, raw, type Sql, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { completionColumn, creationColumn, filed, filedTimes, ordersOf } from './columns.ts';
import { DAY_TIMES, DAYS, FINEST, HALF_HOUR_TIMES, HALF_HOURS, type SumTable } from './sums.ts';

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

/** A question about sums. Without `mark` orders marked 'test' are left out. */
export interface Question {
  readonly direction: Direction;
  readonly filing: Filing;
  /** First moment; the beginning of a half hour, or else of the half hour it lies in. */
  readonly from: Date;
  /** First moment after; likewise, its half hour is included. */
  readonly to: Date;
  readonly by: readonly Key[];
  readonly merchantId?: bigint | undefined;
  readonly supplierId?: bigint | undefined;
  readonly productId?: number | undefined;
  readonly accountId?: bigint | undefined;
  readonly bank?: string | undefined;
  readonly mark?: number | undefined;
  readonly currency?: Currency | undefined;
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

export type SummedGroup = Group & { readonly sums: Sums };
export type TimedGroup = Group & { readonly times: Readonly<Record<Times, ReadonlyMap<number, number>>> };

export interface Freshness {
  /** Every change committed before it is in the sums. */
  readonly asOf: Date;
  /** Half hours are kept from this day on. */
  readonly halfHoursFrom: string;
}

/** How fresh the sums are. */
export async function readFreshness({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<Freshness> {
  const now = clock.now();
  const [row] = await db.query<{ asOf: Date | null; halfHoursFrom: string }>(sql`
    select case when exists (select from statistics_changes) then greatest(as_of, '1970-01-01') else ${now}::timestamptz end as "asOf",
      greatest(half_hours_from, '1970-01-01')::text as "halfHoursFrom" from statistics_state`);
  return { asOf: row!.asOf ?? now, halfHoursFrom: row!.halfHoursFrom };
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

/** What the sums must be kept by to answer; 0 to 3, see 0017_statistics.sql. */
function grainOf(question: Question): number {
  const { by, scope } = question;
  const ofMerchant = question.merchantId !== undefined || by.includes('merchant') || scope?.on === 'merchant';
  const ofSupplier =
    (['supplierId', 'accountId', 'bank'] as const).some((name) => question[name] !== undefined) ||
    (['supplier', 'account', 'bank'] as const).some((key) => by.includes(key)) ||
    scope?.on === 'supplier';
  const ofProduct = question.productId !== undefined || by.includes('product');
  if (ofSupplier) return ofMerchant ? FINEST : 2;
  return ofMerchant || ofProduct ? 1 : 0;
}

function conditions(question: Question): Sql {
  const { scope, merchantId, supplierId, productId, accountId, bank, mark, currency } = question;
  const is = (column: Sql, value: bigint | number | string | undefined) =>
    value === undefined ? empty : sql`and ${column} = ${value}`;
  return sql`
    ${scope?.condition ?? empty} ${is(sql`s.merchant_id`, merchantId)} ${is(sql`s.supplier_id`, supplierId)}
    ${is(sql`s.product_id`, productId)} ${is(sql`s.account_id`, accountId)} ${is(sql`s.currency`, currency)}
    ${bank === undefined ? empty : sql`and ${COLUMN.bank} = ${bank}`}
    ${mark === undefined ? sql`and s.mark <> ${ORDER_MARK.test}` : sql`and s.mark = ${mark}`}`;
}

/**
 * Orders counted anew, as rows of a table of sums: where no sum is kept (half hours of merchant and supplier together, and of
 * days that are too old).
 */
function recounted(question: Question, isOfTimes: boolean): Sql {
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
  const rows = (isOfTimes ? filedTimes : filed)(direction, ordersOf(direction, narrowed));
  return sql`(select date '1970-01-01' + r.slot / 48 as day, r.slot % 48 as half_hour, r.* from (${rows}) r)`;
}

function source(question: Question, freshness: Freshness, isOfTimes: boolean): Sql {
  const { direction, from, to, by } = question;
  const grain = grainOf(question);
  const byHalfHour = by.includes('halfHour') || !isMidnight(from) || !isMidnight(to);
  const table: SumTable = byHalfHour
    ? isOfTimes
      ? HALF_HOUR_TIMES
      : HALF_HOURS
    : isOfTimes
      ? DAY_TIMES
      : DAYS;
  const isKept =
    (table === DAYS || grain < FINEST) && (!byHalfHour || businessDay(from) >= freshness.halfHoursFrom);
  const rows = isKept ? raw(table.name) : recounted(question, isOfTimes);
  const last = new Date(to.getTime() - SECOND);
  const [firstDay, lastDay] = [businessDay(from), businessDay(last)];
  const edges = byHalfHour
    ? sql`and (s.day > ${firstDay} or s.half_hour >= ${halfHourOf(from)}) and (s.day < ${lastDay} or s.half_hour <= ${halfHourOf(last)})`
    : empty;
  const needsBank = question.bank !== undefined || by.includes('bank');
  return sql`
    from ${rows} s ${needsBank ? sql`left join accounts a on a.id = s.account_id` : empty}
    where s.direction = ${direction} ${isKept ? sql`and s.grain = ${grain}` : empty}
      and s.day between ${firstDay} and ${lastDay} ${edges} ${conditions(question)}`;
}

const selected = (by: readonly Key[]): Sql =>
  by.length === 0 ? empty : sql`${join(by.map((key) => sql`${COLUMN[key]} as ${raw(`"${NAME[key]}"`)}`))},`;
/** `group by` positions: the keys, the currency, and `more`. */
const positions = (by: readonly Key[], more = 0): Sql =>
  raw(Array.from({ length: by.length + 1 + more }, (_, index) => index + 1).join(', '));

/** The sums of each group that has any. */
export async function readSums(
  db: Queryable,
  question: Question,
  freshness: Freshness,
): Promise<SummedGroup[]> {
  const column = question.filing === 'created' ? creationColumn : completionColumn;
  const rows = await db.query<Group & Record<Sum, bigint>>(sql`
    select ${selected(question.by)} s.currency,
      ${raw(SUMS.map((sum) => `sum(s.${column(sum)})::bigint as "${sum}"`).join(', '))}
    ${source(question, freshness, false)}
    group by ${positions(question.by)}
    having ${raw(SUMS.map((sum) => `sum(s.${column(sum)}) <> 0`).join(' or '))}
    order by ${positions(question.by)}`);
  return rows.map((row) => ({
    ...groupOf(row),
    sums: Object.fromEntries(SUMS.map((sum) => [sum, Number(row[sum])])) as Record<Sum, number>,
  }));
}

/** The durations of each group that has any, as numbers of orders in each bucket. */
export async function readTimes(
  db: Queryable,
  question: Question,
  freshness: Freshness,
): Promise<TimedGroup[]> {
  const orders = raw(question.filing === 'created' ? 's.orders' : 's.orders_by_completion');
  const rows = await db.query<Group & { kind: Times; bucket: number; orders: number }>(sql`
    select ${selected(question.by)} s.currency, s.kind, s.bucket, sum(${orders})::int as orders
    ${source(question, freshness, true)}
    group by ${positions(question.by, 2)} having sum(${orders}) <> 0 order by ${positions(question.by, 2)}`);
  const groups = new Map<string, Group & { times: Record<Times, Map<number, number>> }>();
  for (const row of rows) {
    const group = groupOf(row);
    const name = groupName(group);
    const known = groups.get(name) ?? { ...group, times: { pay: new Map(), tell: new Map() } };
    groups.set(name, known);
    known.times[row.kind].set(row.bucket, row.orders);
  }
  return [...groups.values()];
}

const groupOf = (row: Group): Group => ({
  ...NO_GROUP,
  ...Object.fromEntries(Object.keys(NO_GROUP).map((name) => [name, row[name as keyof Group] ?? null])),
  currency: row.currency,
});

/** One text for each group: joins its sums with its durations. */
export function groupName(group: Group): string {
  return JSON.stringify(
    ['currency', ...Object.keys(NO_GROUP)].map((name) => String(group[name as keyof Group])),
  );
}
