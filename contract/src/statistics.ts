import type { Direction } from './products.ts';
import type { Role } from './roles.ts';
import { businessDay, formatTime, parseTime } from './time.ts';

/** 'in': collections; 'out': payouts. */
export const DIRECTIONS = ['in', 'out'] as const satisfies readonly Direction[];

/**
 * 'created' files everything of an order under its creation. 'completed' files payments, and what follows from them, under
 * their own time. These are the values of setting OrderStatisticsTimeFormat.
 */
export const FILINGS = ['created', 'completed'] as const;
export type Filing = (typeof FILINGS)[number];

/** What is counted when an order is created; filed under the creation in both filings. */
const CREATION_SUMS = [
  'created',
  'createdAmount',
  'allocated',
  'allocatedAmount',
  'allocationFailed',
  'allocationFailedAmount',
  'timedOut',
  'timedOutAmount',
  'cancelled',
  'cancelledAmount',
  'rejected',
  'rejectedAmount',
  'toBeConfirmed',
  'toBeConfirmedAmount',
  'processingError',
  'processingErrorAmount',
] as const;

/** What is counted of a payment. */
export const PAYMENT_SUMS = [
  'paid',
  'paidAmount',
  'supplemented',
  'supplementedAmount',
  'reversed',
  'reversedAmount',
  'fee',
  'commission',
  'agentCommission',
  'toldFirst',
  'toldLater',
] as const;

/** The sums that are stored; every other measure is computed from them. */
export const SUMS = [...CREATION_SUMS, ...PAYMENT_SUMS] as const;
export type Sum = (typeof SUMS)[number];
export type Sums = Readonly<Record<Sum, number>>;

/** Sets of orders that a number counts. A list filtered by one shows exactly these orders. */
export const COUNTED = [
  'created',
  'allocated',
  'allocationFailed',
  'timedOut',
  'cancelled',
  'rejected',
  'toBeConfirmed',
  'processingError',
  'paid',
  'supplemented',
  'reversed',
  'netPaid',
  'toldFirst',
  'toldLater',
  'notTold',
] as const;
export type Counted = (typeof COUNTED)[number];

/** Sets that are filed under the creation in both filings. */
const OF_CREATION: ReadonlySet<Counted> = new Set<Counted>([
  'created',
  'allocated',
  'allocationFailed',
  'timedOut',
  'cancelled',
  'rejected',
  'toBeConfirmed',
  'processingError',
]);

/** Whether the orders of `counted` are found by the time of their payment. */
export function isFiledByPayment(counted: Counted, filing: Filing): boolean {
  return filing === 'completed' && !OF_CREATION.has(counted);
}

/** Durations that are stored in buckets: from creation to payment, and from payment to the merchant's acknowledgement. */
export const TIMES = ['pay', 'tell'] as const;
export type Times = (typeof TIMES)[number];

/** How a measure is computed from sums. Amounts in minor units, times in seconds. */
type Formula =
  | { readonly plus: readonly Sum[]; readonly minus?: readonly Sum[] }
  | { readonly ratio: readonly [Sum, Sum] }
  | { readonly percentile: number; readonly of: Times };

export interface Measure {
  readonly unit: 'orders' | 'amount' | 'rate' | 'seconds';
  readonly formula: Formula;
  /** The orders that its number counts. */
  readonly counted: Counted;
  readonly directions: readonly Direction[];
  /** Roles that do not see the measure. */
  readonly hiddenFrom: readonly Role[];
}

const DESK_HIDDEN: readonly Role[] = ['customerService', 'technicalMaintenance', 'technicalSupport'];
const IN: readonly Direction[] = ['in'];
const OUT: readonly Direction[] = ['out'];

function orders(counted: Counted & Sum, directions = DIRECTIONS as readonly Direction[]): Measure {
  return { unit: 'orders', formula: { plus: [counted] }, counted, directions, hiddenFrom: [] };
}

function amount(
  counted: Counted,
  formula: Formula,
  directions = DIRECTIONS as readonly Direction[],
  hiddenFrom: readonly Role[] = [],
): Measure {
  return { unit: 'amount', formula, counted, directions, hiddenFrom };
}

function rate(of: Sum, all: Sum, directions = DIRECTIONS as readonly Direction[]): Measure {
  return { unit: 'rate', formula: { ratio: [of, all] }, counted: 'paid', directions, hiddenFrom: [] };
}

function time(percentile: number, of: Times): Measure {
  return {
    unit: 'seconds',
    formula: { percentile, of },
    counted: 'paid',
    directions: DIRECTIONS,
    hiddenFrom: [],
  };
}

/**
 * Every measure of the statistics, in the order of the screens. Names and formulas in words are in the console's locales, under
 * `statistics.measures`. Reversed payments earn nothing: fee, commission and profit are those of payments that stand, as in the
 * ledger.
 */
export const MEASURES = {
  created: orders('created'),
  createdAmount: amount('created', { plus: ['createdAmount'] }),
  allocated: orders('allocated', IN),
  allocationFailed: orders('allocationFailed', IN),
  paid: orders('paid'),
  paidAmount: amount('paid', { plus: ['paidAmount'] }),
  successRate: rate('paid', 'created'),
  successRateOfAllocated: rate('paid', 'allocated', IN),
  timedOut: orders('timedOut', IN),
  timedOutAmount: amount('timedOut', { plus: ['timedOutAmount'] }, IN),
  supplemented: orders('supplemented', IN),
  supplementedAmount: amount('supplemented', { plus: ['supplementedAmount'] }, IN),
  cancelled: orders('cancelled', OUT),
  cancelledAmount: amount('cancelled', { plus: ['cancelledAmount'] }, OUT),
  rejected: orders('rejected', OUT),
  rejectedAmount: amount('rejected', { plus: ['rejectedAmount'] }, OUT),
  toBeConfirmed: orders('toBeConfirmed', OUT),
  toBeConfirmedAmount: amount('toBeConfirmed', { plus: ['toBeConfirmedAmount'] }, OUT),
  processingError: orders('processingError', OUT),
  processingErrorAmount: amount('processingError', { plus: ['processingErrorAmount'] }, OUT),
  reversed: orders('reversed'),
  reversedAmount: amount('reversed', { plus: ['reversedAmount'] }),
  netPaidAmount: amount('netPaid', { plus: ['paidAmount'], minus: ['reversedAmount'] }),
  fee: amount('netPaid', { plus: ['fee'] }, DIRECTIONS, ['supplier']),
  income: amount('netPaid', { plus: ['paidAmount'], minus: ['reversedAmount', 'fee'] }, IN, ['supplier']),
  commission: amount('netPaid', { plus: ['commission'] }, DIRECTIONS, ['merchant']),
  agentCommission: amount('netPaid', { plus: ['agentCommission'] }, DIRECTIONS, [
    'merchant',
    'supplier',
    ...DESK_HIDDEN,
  ]),
  profit: amount('netPaid', { plus: ['fee'], minus: ['commission', 'agentCommission'] }, DIRECTIONS, [
    'merchant',
    'supplier',
    ...DESK_HIDDEN,
  ]),
  payMedian: time(0.5, 'pay'),
  payP90: time(0.9, 'pay'),
  toldFirst: orders('toldFirst'),
  toldLater: orders('toldLater'),
  notTold: {
    unit: 'orders',
    formula: { plus: ['paid'], minus: ['toldFirst', 'toldLater'] },
    counted: 'notTold',
    directions: DIRECTIONS,
    hiddenFrom: [],
  },
  tellMedian: time(0.5, 'tell'),
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as [MeasureName, ...MeasureName[]];

/** The measures of a direction that a role sees, in the order of the table. */
export function measuresOf(role: Role, direction: Direction): MeasureName[] {
  return MEASURE_NAMES.filter((name) => {
    const { directions, hiddenFrom }: Measure = MEASURES[name];
    return directions.includes(direction) && !hiddenFrom.includes(role);
  });
}

/** What a table of statistics may be grouped by. */
export const GROUPINGS = [
  'day',
  'halfHour',
  'weekdayHour',
  'merchant',
  'supplier',
  'product',
  'bank',
  'mark',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Merchants see nothing of suppliers and their banks; suppliers see nothing of merchants. */
const UNSEEN_GROUPINGS: Readonly<Partial<Record<Role, readonly Grouping[]>>> = {
  merchant: ['supplier', 'bank', 'mark'],
  supplier: ['merchant', 'mark'],
};

/** What a role may group by. */
export function groupingsOf(role: Role): Grouping[] {
  return GROUPINGS.filter((grouping) => !UNSEEN_GROUPINGS[role]?.includes(grouping));
}

/** A cell of a statistics table: the orders that its number counts. */
export interface Cell {
  readonly counted: Counted;
  readonly filing: Filing;
  /** The period of the query: its first moment, and the first moment after it. */
  readonly from: Date;
  readonly to: Date;
  readonly currency: string;
  readonly merchantId?: string | undefined;
  /** '0': orders without a supplier. */
  readonly supplierId?: string | undefined;
  readonly productId?: number | undefined;
  /** '': orders without an account. */
  readonly bank?: string | undefined;
  readonly mark?: number | undefined;
  readonly day?: string | undefined;
  readonly weekday?: number | undefined;
  readonly halfHour?: number | undefined;
  readonly scope?: 'own' | 'team' | 'group' | undefined;
}

/** How list filters name 'without a supplier' or 'without an account'. */
export const WITHOUT = '0';

const HALF_HOUR_MS = 30 * 60_000;
const DAY_MS = 48 * HALF_HOUR_MS;

/** Filters of the lists of orders (contract, sharedFilters) that show exactly the orders of a cell. */
export function listFiltersOf(cell: Cell): Record<string, string> {
  const { from, to } = momentsOf(cell);
  const filters: Record<string, string | number | undefined> = {
    counted: cell.counted,
    filing: cell.filing,
    startTime: formatTime(from),
    endTime: formatTime(new Date(to.getTime() - 1_000)),
    currency: cell.currency,
    merchantId: cell.merchantId,
    supplierId: cell.supplierId,
    productId: cell.productId,
    bank: cell.bank === '' ? WITHOUT : cell.bank,
    orderMark: cell.mark,
    weekday: cell.weekday,
    halfHour: cell.weekday === undefined ? undefined : cell.halfHour,
    countedScope: cell.scope,
  };
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** The part of the query's period that belongs to the cell: its day, or its half hour of the day. */
function momentsOf({ from, to, day, weekday, halfHour }: Cell): { readonly from: Date; readonly to: Date } {
  if (day === undefined) return { from, to };
  const start = parseTime(day)!.getTime();
  const [begin, end] =
    halfHour === undefined || weekday !== undefined
      ? [start, start + DAY_MS]
      : [start + halfHour * HALF_HOUR_MS, start + (halfHour + 1) * HALF_HOUR_MS];
  return {
    from: new Date(Math.max(begin, from.getTime())),
    to: new Date(Math.min(end, to.getTime())),
  };
}

/** The business days of a period. */
export function daysOf(from: Date, to: Date): number {
  const first = parseTime(businessDay(from))!.getTime();
  const last = parseTime(businessDay(new Date(to.getTime() - 1_000)))!.getTime();
  return Math.round((last - first) / DAY_MS) + 1;
}

/** For how many days half hours are kept; days are kept for ever. */
export const HALF_HOUR_DAYS = 35;
/** The longest period of a query, in days. */
export const MOST_DAYS = 400;

/** Durations up to one second are in bucket 0; bucket b has those from 1.1^(b-1) to 1.1^b seconds. */
export const BUCKET_RATIO = 1.1;
/** The last bucket: a month and more. */
export const LAST_BUCKET = 156;

/** Decimal digits of one bucket in the number that holds all buckets; bucket 0 has the last digits. No bucket comes near 10^12 orders. */
export const BUCKET_DIGITS = 12;

/** The start of a bucket, in seconds. */
export function bucketFrom(bucket: number): number {
  return bucket === 0 ? 0 : BUCKET_RATIO ** (bucket - 1);
}

/**
 * The duration below which the share `percentile` of the orders lies, in seconds, at most 5 % off; null where there are no
 * orders. `orders`: the number of orders in each bucket.
 */
function percentileOf(orders: ReadonlyMap<number, number>, percentile: number): number | null {
  const buckets = [...orders].filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b);
  const all = buckets.reduce((total, [, count]) => total + count, 0);
  const wanted = Math.max(1, Math.ceil(all * percentile));
  let passed = 0;
  for (const [bucket, count] of buckets) {
    passed += count;
    if (passed >= wanted) return bucket === 0 ? 0.5 : bucketFrom(bucket) * Math.sqrt(BUCKET_RATIO);
  }
  return null;
}

/** A measure's value; null where it is not defined, such as a rate or a median of no orders. */
export function measureOf(
  name: MeasureName,
  sums: Sums,
  times: Readonly<Record<Times, ReadonlyMap<number, number>>>,
): number | null {
  const { formula }: Measure = MEASURES[name];
  if ('ratio' in formula) {
    const [of, all] = formula.ratio;
    return sums[all] === 0 ? null : sums[of] / sums[all];
  }
  if ('percentile' in formula) return percentileOf(times[formula.of], formula.percentile);
  const total = (names: readonly Sum[] = []) => names.reduce((sum, each) => sum + sums[each], 0);
  return total(formula.plus) - total(formula.minus);
}
