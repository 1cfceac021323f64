import type { getDurations, getTable, statisticsV2 } from '@sangam/contract/endpoints/statistics.ts';
import {
  bucketFrom,
  daysOf,
  type Grouping,
  groupingsOf,
  measureOf,
  measuresOf,
  MOST_DAYS,
  SUMS,
  type Sum,
  type Sums,
} from '@sangam/contract/statistics.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { endOf } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import { isStaff, type Scope, scopeOf, type Viewer } from '../platform/viewer.ts';
import { namesOf } from './names.ts';
import {
  type Freshness,
  type Group,
  groupName,
  halfHourFrom,
  halfHourTo,
  type Key,
  type Question,
  readFreshness,
  readSums,
  readTimes,
  type SummedGroup,
  type TimedGroup,
} from './read.ts';

type Input = z.output<typeof getTable.input>;
type Answer = z.input<typeof getTable.output>;
type Row = Answer['list'][number];

const KEYS_OF: Readonly<Record<Grouping, readonly Key[]>> = {
  day: ['day'],
  halfHour: ['day', 'halfHour'],
  weekdayHour: ['weekday', 'halfHour'],
  merchant: ['merchant'],
  supplier: ['supplier'],
  product: ['product'],
  bank: ['bank'],
  mark: ['mark'],
};

interface Asked {
  readonly question: Question;
  readonly scope: Scope;
  readonly freshness: Freshness;
}

/** The question a viewer may ask, in whole half hours; 403 where it names what the viewer is not told of. */
async function ask(
  platform: Platform,
  viewer: Viewer,
  input: Omit<Input, 'groupBy'>,
  by: readonly Key[],
): Promise<Asked | Refusal> {
  const isMerchant = viewer.role === 'merchant';
  const unseen = isMerchant ? ['supplierId', 'bank', 'orderMark'] : ['merchantId', 'orderMark'];
  if (!isStaff(viewer) && unseen.some((name) => input[name as keyof typeof input] !== undefined))
    return refuse('forbidden');
  const now = platform.clock.now();
  const from = halfHourFrom(parseTime(input.startTime ?? businessDay(now)) ?? now);
  const to = halfHourTo(
    input.endTime === undefined
      ? new Date(parseTime(businessDay(now))!.getTime() + DAY)
      : endOf(input.endTime)!,
  );
  if (to <= from || daysOf(from, to) > MOST_DAYS)
    return refuse('invalidInput', { fields: 'startTime, endTime' });
  const settings = await platform.settings.all();
  const scope =
    viewer.role === 'supplier'
      ? (input.scope ?? (settings.SupplierUnifyQueryGroup ? 'group' : 'own'))
      : 'own';
  const condition = scopeOf(viewer, { merchant: sql`s.merchant_id`, supplier: sql`s.supplier_id` }, scope);
  const on = isStaff(viewer) ? 'nothing' : isMerchant ? 'merchant' : 'supplier';
  return {
    scope,
    freshness: await readFreshness(platform),
    question: {
      direction: input.orderType === 1 ? 'out' : 'in',
      filing: input.filing ?? settings.OrderStatisticsTimeFormat,
      from,
      to,
      by,
      merchantId: input.merchantId === undefined ? undefined : BigInt(input.merchantId),
      supplierId: input.supplierId === undefined ? undefined : BigInt(input.supplierId),
      productId: input.productId,
      bank: input.bank,
      mark: input.orderMark,
      currency: input.currency,
      scope: { condition, on },
    },
  };
}

const answered = ({ question, freshness }: Asked) => ({
  asOf: formatTime(freshness.asOf),
  filing: question.filing,
  startTime: formatTime(question.from),
  endTime: formatTime(question.to),
});

/** A question about as long a time, `days` earlier. Of a period that is not over: up to the same moment. */
function earlier({ question, freshness }: Asked, days: number, now: Date): Question {
  const back = (moment: Date) => new Date(moment.getTime() - days * DAY);
  const from = back(question.from);
  const isUnderWay = question.to > now && question.from < now;
  // Half hours are kept for some weeks: longer periods are compared whole.
  const upTo =
    isUnderWay && businessDay(from) >= freshness.halfHoursFrom && daysOf(question.from, question.to) <= 7;
  return { ...question, from, to: back(upTo ? halfHourTo(now) : question.to) };
}

const NO_TIMES = { pay: new Map<number, number>(), tell: new Map<number, number>() };
const NONE = Object.fromEntries(SUMS.map((sum) => [sum, 0])) as Record<Sum, number>;

/** Statistics of the orders the viewer may see, grouped, with totals and comparisons. */
export async function readTable(platform: Platform, viewer: Viewer, input: Input): Promise<Answer | Refusal> {
  const grouping = input.groupBy ?? 'day';
  if (!groupingsOf(viewer.role).includes(grouping)) return refuse('forbidden');
  const asked = await ask(platform, viewer, input, KEYS_OF[grouping]);
  if (isRefusal(asked)) return asked;
  const { question, freshness } = asked;
  const now = platform.clock.now();
  const days = daysOf(question.from, question.to);
  const weeks = Math.ceil(days / 7) * 7;
  const { db } = platform;
  const read = (of: Question) => readSums(db, of, freshness);
  const [sums, times, totalTimes, before, lastWeek] = await Promise.all([
    read(question),
    readTimes(db, question, freshness),
    readTimes(db, { ...question, by: [] }, freshness),
    read(earlier(asked, days, now)),
    weeks === days ? undefined : read(earlier(asked, weeks, now)),
  ]);
  const measures = measuresOf(viewer.role, question.direction);
  const valuesOf = (of: Sums, group?: TimedGroup) =>
    Object.fromEntries(measures.map((name) => [name, measureOf(name, of, group?.times ?? NO_TIMES)]));
  const names = await namesOf(db, grouping, sums);
  const rowsOf = (groups: readonly SummedGroup[], timed: readonly TimedGroup[], past: Past): Row[] => {
    const timesOf = new Map(timed.map((group) => [groupName(group), group]));
    return groups.map((group) => ({
      ...shown(group),
      name: names.get(group) ?? null,
      measures: valuesOf(group.sums, timesOf.get(groupName(group))),
      before: past.before(group, valuesOf),
      lastWeek: past.lastWeek(group, valuesOf),
    }));
  };
  const lastWeeks = lastWeek ?? before;
  return {
    ...answered(asked),
    scope: asked.scope,
    list: rowsOf(sums, times, pastOf(before, days, lastWeeks, weeks)),
    totals: rowsOf(totalsOf(sums), totalTimes, pastOf(totalsOf(before), 0, totalsOf(lastWeeks), 0)),
  };
}

type Values = (of: Sums) => Record<string, number | null>;

interface Past {
  before(group: Group, valuesOf: Values): Row['before'];
  lastWeek(group: Group, valuesOf: Values): Row['before'];
}

/** Finds what a group was before: a day's row so many days earlier, any other row by its name. */
function pastOf(
  before: readonly SummedGroup[],
  days: number,
  lastWeek: readonly SummedGroup[],
  weeks: number,
): Past {
  const finder = (groups: readonly SummedGroup[], shift: number) => {
    const sumsOf = new Map(groups.map((group) => [groupName(dated(group, shift)), group.sums]));
    return (group: Group, valuesOf: Values) => {
      const sums = sumsOf.get(groupName(dated(group, 0)));
      return sums ? valuesOf(sums) : null;
    };
  };
  return { before: finder(before, days), lastWeek: finder(lastWeek, weeks) };
}

/** The group alone, its day moved on. */
function dated(group: Group, days: number): Group {
  const { currency, day, weekday, halfHour, merchantId, supplierId, accountId, bank, productId, mark } =
    group;
  const moved = day === null ? null : businessDay(new Date(parseTime(day)!.getTime() + days * DAY));
  return {
    currency,
    day: moved,
    weekday,
    halfHour,
    merchantId,
    supplierId,
    accountId,
    bank,
    productId,
    mark,
  };
}

function totalsOf(groups: readonly SummedGroup[]): SummedGroup[] {
  return [...new Set(groups.map(({ currency }) => currency))].sort().map((currency) => {
    const sums = { ...NONE };
    for (const group of groups)
      if (group.currency === currency) for (const sum of SUMS) sums[sum] += group.sums[sum];
    return { ...EMPTY, currency, sums };
  });
}

const EMPTY = {
  day: null,
  weekday: null,
  halfHour: null,
  merchantId: null,
  supplierId: null,
  accountId: null,
  bank: null,
  productId: null,
  mark: null,
} as const;

const text = (id: bigint | null) => (id === null ? null : String(id));

function shown({ currency, day, weekday, halfHour, merchantId, supplierId, productId, bank, mark }: Group) {
  return {
    currency,
    day,
    weekday,
    halfHour,
    merchantId: text(merchantId),
    supplierId: text(supplierId),
    productId,
    bank,
    mark,
  };
}

/** How long payment took: a histogram for each currency. */
export async function readDurations(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getDurations.input>,
): Promise<z.input<typeof getDurations.output> | Refusal> {
  const asked = await ask(platform, viewer, input, []);
  if (isRefusal(asked)) return asked;
  const groups = await readTimes(platform.db, asked.question, asked.freshness);
  return {
    ...answered(asked),
    list: groups.map(({ currency, times }) => ({
      currency,
      buckets: [...times.pay].map(([bucket, orders]) => ({
        bucket,
        from: bucketFrom(bucket),
        to: bucketFrom(bucket + 1),
        orders,
      })),
    })),
  };
}

/** As the family's client asks: users' ids, by day or by merchant. */
export async function readStatisticsV2(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof statisticsV2.input>,
): Promise<Answer | Refusal> {
  const { merchantUserId, supplierUserId, groupByMerchant, ...others } = input;
  const [party] = await platform.db.query<{ merchantId: bigint | null; supplierId: bigint | null }>(sql`
    select (select id from merchants where user_id = ${merchantUserId ?? null}::bigint) as "merchantId",
      (select id from suppliers where user_id = ${supplierUserId ?? null}::bigint) as "supplierId"`);
  // A user who is none has no orders.
  const idOf = (asked: string | undefined, id: bigint | null) =>
    asked === undefined ? undefined : String(id ?? -1n);
  return readTable(platform, viewer, {
    ...others,
    merchantId: idOf(merchantUserId, party!.merchantId),
    supplierId: idOf(supplierUserId, party!.supplierId),
    bank: undefined,
    currency: undefined,
    scope: undefined,
    filing: undefined,
    groupBy: groupByMerchant ? 'merchant' : 'day',
  });
}
