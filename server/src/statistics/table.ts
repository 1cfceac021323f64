import type { getDurations, getTable, statisticsV2 } from '@sangam/contract/endpoints/statistics.ts';
import {
  bucketFrom,
  daysOf,
  type Grouping,
  groupingsOf,
  measureOf,
  measuresOf,
  MOST_DAYS,
  type Sums,
} from '@sangam/contract/statistics.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import { endOf } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import { isStaff, type Scope, scopeOf, type Viewer } from '../platform/viewer.ts';
import { namesOf } from './names.ts';
import { type Buckets, type Group, groupName, NO_GROUP, type SummedGroup, together } from './groups.ts';
import {
  type Freshness,
  halfHourFrom,
  halfHourTo,
  isArchived,
  isOfMany,
  type Key,
  type Period,
  type Question,
  readFreshness,
  readLargest,
  readPeriods,
  readSums,
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
}

/** The question of a viewer, in whole half hours. Refuses (403) when it names something that the viewer may not see. */
async function ask(
  platform: Platform,
  viewer: Viewer,
  input: Omit<Input, 'groupBy' | 'rows'>,
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
  if (to <= from || daysOf(from, to) > MOST_DAYS) return wrongInput('startTime', 'endTime');
  const settings = await platform.settings.all();
  const scope =
    viewer.role === 'supplier'
      ? (input.scope ?? (settings.SupplierUnifyQueryGroup ? 'group' : 'own'))
      : 'own';
  const condition = scopeOf(viewer, { merchant: sql`s.merchant_id`, supplier: sql`s.supplier_id` }, scope);
  const on = isStaff(viewer) ? 'nothing' : isMerchant ? 'merchant' : 'supplier';
  return {
    scope,
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

/** Reads in one snapshot, in which no rebuild happens. */
function inSnapshot<Result>(
  { db, clock }: Platform,
  read: (tx: Queryable, freshness: Freshness) => Promise<Result>,
): Promise<Result> {
  return db.tx(async (tx) => {
    tx.send(sql`set transaction isolation level repeatable read read only`);
    // Starting a second process takes longer than it would save.
    tx.send(sql`set local max_parallel_workers_per_gather = 0`);
    return read(tx, await readFreshness(tx, clock.now()));
  });
}

const answered = ({ question }: Asked, freshness: Freshness) => ({
  asOf: formatTime(freshness.asOf),
  filing: question.filing,
  startTime: formatTime(question.from),
  endTime: formatTime(question.to),
});

/** A period as long as the question's, `days` earlier. If the question's period is not over, it ends at the same moment, `days` earlier. */
function earlier(question: Question, freshness: Freshness, days: number, now: Date): Period {
  const back = (moment: Date) => new Date(moment.getTime() - days * DAY);
  const from = back(question.from);
  const isUnderWay = question.to > now && question.from < now;
  // Half hours are kept for some weeks only. Longer periods are compared as a whole.
  const upTo =
    isUnderWay && businessDay(from) >= freshness.halfHoursFrom && daysOf(question.from, question.to) <= 7;
  return { from, to: back(upTo ? halfHourTo(now) : question.to) };
}

const NO_TIMES: Buckets = { pay: new Map(), tell: new Map() };

/** Statistics of the orders that the viewer may see, grouped, with totals and comparisons. */
export async function readTable(platform: Platform, viewer: Viewer, input: Input): Promise<Answer | Refusal> {
  const grouping = input.groupBy ?? 'day';
  if (!groupingsOf(viewer.role).includes(grouping)) return refuse('forbidden');
  const asked = await ask(platform, viewer, input, KEYS_OF[grouping]);
  if (isRefusal(asked)) return asked;
  const { question, scope } = asked;
  const now = platform.clock.now();
  const days = daysOf(question.from, question.to);
  // A day or half hour has the same weekday seven days earlier, however long the period is. Other groups are of the whole period, which
  // has to move by whole weeks past its own beginning.
  const weeks = question.by.includes('day') ? 7 : Math.ceil(days / 7) * 7;
  const measures = measuresOf(viewer.role, question.direction);
  const valuesOf = (sums: Sums, times: Buckets = NO_TIMES) => {
    const values: Record<string, number | null> = {};
    for (const name of measures) values[name] = measureOf(name, sums, times);
    return values;
  };
  return inSnapshot(platform, async (tx, freshness) => {
    if (isArchived(question, question, freshness)) return refuse('ordersArchived');
    const back = [days, weeks].map((by) => earlier(question, freshness, by, now));
    const { groups, totals, past } = await readRows(tx, question, back, input.rows, freshness);
    const names = await namesOf(tx, grouping, groups);
    const rowsOf = (of: Groups, earlierOnes: Past): Row[] =>
      of.map((group) => ({
        ...shown(group),
        name: names.get(group) ?? null,
        measures: valuesOf(group.sums, group.times),
        before: earlierOnes.before(group, valuesOf),
        lastWeek: earlierOnes.lastWeek(group, valuesOf),
      }));
    return {
      ...answered(asked, freshness),
      scope,
      lastWeekDays: weeks,
      list: rowsOf(groups, pastOf(past[0]!, days, past[1]!, weeks)),
      totals: rowsOf(totals.of[0]!, pastOf(totals.of[1]!, 0, totals.of[2]!, 0)).map((row) => ({
        ...row,
        groups: totals.groups(row.currency),
      })),
    };
  });
}

type Groups = readonly SummedGroup[];

/** The groups of a question and of earlier periods, with totals of each period. `most`: only the largest of each currency. */
async function readRows(
  tx: Queryable,
  question: Question,
  back: readonly Period[],
  most: number | undefined,
  freshness: Freshness,
) {
  const periods = [question, ...back];
  if (most !== undefined && isOfMany(question)) {
    const only = await readLargest(tx, question, most, freshness);
    const [groups, ...past] = await readPeriods(tx, { ...question, only }, periods, freshness);
    const of = await readPeriods(tx, { ...question, by: [] }, periods, freshness);
    const numbers = new Map<string, number>(only.map(({ currency, groups: number }) => [currency, number]));
    const numberOf = (currency: string) => numbers.get(currency) ?? 0;
    return { groups: largestOf(groups!, most), past, totals: { of, groups: numberOf } };
  }
  const [groups, ...past] = await readPeriods(tx, question, periods, freshness);
  const numberOf = (currency: string) => groups!.filter((group) => group.currency === currency).length;
  return {
    groups: most === undefined ? groups! : largestOf(groups!, most),
    past,
    totals: { of: [groups!, ...past].map(totalsOf), groups: numberOf },
  };
}

/** For each currency, the groups with the most orders created, the largest first. */
function largestOf(groups: Groups, most: number): Groups {
  return currenciesOf(groups).flatMap((currency) =>
    groups
      .filter((group) => group.currency === currency)
      .toSorted((a, b) => b.sums.created - a.sums.created)
      .slice(0, most),
  );
}

const currenciesOf = (groups: Groups) => [...new Set(groups.map(({ currency }) => currency))].sort();

type Values = (of: Sums) => Record<string, number | null>;

interface Past {
  before(group: Group, valuesOf: Values): Row['before'];
  lastWeek(group: Group, valuesOf: Values): Row['before'];
}

/** Finds the earlier row of a group: a day's row `days` earlier, any other row by its name. */
function pastOf(
  before: readonly SummedGroup[],
  days: number,
  lastWeek: readonly SummedGroup[],
  weeks: number,
): Past {
  const finder = (groups: readonly SummedGroup[], shift: number) => {
    const sumsOf = new Map(groups.map((group) => [nameLater(group, shift), group.sums]));
    return (group: Group, valuesOf: Values) => {
      const sums = sumsOf.get(groupName(group));
      return sums ? valuesOf(sums) : null;
    };
  };
  return { before: finder(before, days), lastWeek: finder(lastWeek, weeks) };
}

/** The group's name, with its day moved later. */
function nameLater(group: Group, days: number): string {
  if (group.day === null || days === 0) return groupName(group);
  return groupName({ ...group, day: businessDay(new Date(parseTime(group.day)!.getTime() + days * DAY)) });
}

function totalsOf(groups: Groups): SummedGroup[] {
  return currenciesOf(groups).map((currency) => ({
    ...NO_GROUP,
    currency,
    ...together(groups.filter((group) => group.currency === currency)),
  }));
}

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

/** How long payment took, as a histogram for each currency. */
export async function readDurations(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getDurations.input>,
): Promise<z.input<typeof getDurations.output> | Refusal> {
  const asked = await ask(platform, viewer, input, []);
  if (isRefusal(asked)) return asked;
  return inSnapshot(platform, async (tx, freshness) => {
    if (isArchived(asked.question, asked.question, freshness)) return refuse('ordersArchived');
    const groups = await readSums(tx, asked.question, freshness);
    return {
      ...answered(asked, freshness),
      list: groups
        .filter(({ times }) => times.pay.size > 0)
        .map(({ currency, times }) => ({
          currency,
          buckets: [...times.pay].map(([bucket, orders]) => ({
            bucket,
            from: bucketFrom(bucket),
            to: bucketFrom(bucket + 1),
            orders,
          })),
        })),
    };
  });
}

/** The call of older clients of this API: with users' ids, by day or by merchant. */
export async function readStatisticsV2(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof statisticsV2.input>,
): Promise<Answer | Refusal> {
  const { merchantUserId, supplierUserId, groupByMerchant, ...others } = input;
  const [party] = await platform.db.query<{ merchantId: bigint | null; supplierId: bigint | null }>(sql`
    select (select id from merchants where user_id = ${merchantUserId ?? null}::bigint) as "merchantId",
      (select id from suppliers where user_id = ${supplierUserId ?? null}::bigint) as "supplierId"`);
  // An id that belongs to no such user finds no orders.
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
    rows: undefined,
    groupBy: groupByMerchant ? 'merchant' : 'day',
  });
}
