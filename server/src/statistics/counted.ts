import { COLLECTION_STATUS, ORDER_MARK } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Direction } from '@sangam/contract/products.ts';
import { type Counted, type Filing, isFiledByPayment, type Sum, SUMS } from '@sangam/contract/statistics.ts';
import { BUSINESS_TIME_ZONE, parseTime } from '@sangam/contract/time.ts';
import { MINUTE } from '../platform/clock.ts';
import { empty, raw, type Sql, sql } from '../platform/db/database.ts';
import { SUPPLEMENTED } from '../platform/db/statuses.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { endOf, type TimeRange } from '../platform/db/page.ts';
import { bucketOf } from './buckets.ts';

const status = (id: number): Sql => sql`o.status = ${raw(String(id))}`;
const NOTHING = sql`false`;

const told = (paid: Sql) => ({
  toldFirst: sql`(${paid} and o.told_attempt = 1)`,
  toldLater: sql`(${paid} and o.told_attempt > 1)`,
  notTold: sql`(${paid} and o.told_attempt is null)`,
});

const RECEIVED = sql`o.received is not null`;
/** A reversed payout was completed once, though its status is 'rejected' now. */
const COMPLETED = sql`(${status(PAYOUT_STATUS.completed)} or o.reversed_at is not null)`;

const PREDICATES: Readonly<Record<Direction, Readonly<Record<Counted, Sql>>>> = {
  in: {
    created: sql`true`,
    allocated: sql`o.allocated_at is not null`,
    allocationFailed: status(COLLECTION_STATUS.allocationFailed),
    timedOut: status(COLLECTION_STATUS.timedOut),
    cancelled: NOTHING,
    rejected: NOTHING,
    toBeConfirmed: NOTHING,
    processingError: NOTHING,
    paid: RECEIVED,
    supplemented: sql`(${RECEIVED} and o.supplement_status = ${SUPPLEMENTED})`,
    reversed: sql`(${RECEIVED} and o.reversed_at is not null)`,
    netPaid: sql`(${RECEIVED} and o.reversed_at is null)`,
    ...told(RECEIVED),
  },
  out: {
    created: sql`true`,
    allocated: NOTHING,
    allocationFailed: NOTHING,
    timedOut: NOTHING,
    cancelled: status(PAYOUT_STATUS.cancelled),
    rejected: sql`(${status(PAYOUT_STATUS.rejected)} and o.reversed_at is null)`,
    toBeConfirmed: status(PAYOUT_STATUS.toBeConfirmed),
    processingError: status(PAYOUT_STATUS.processingError),
    paid: COMPLETED,
    supplemented: NOTHING,
    reversed: sql`o.reversed_at is not null`,
    netPaid: sql`(${status(PAYOUT_STATUS.completed)} and o.reversed_at is null)`,
    ...told(COMPLETED),
  },
};

/** SQL condition on an order (alias `o`, columns of its own table or of statistics_changes): it is one of those that `counted` means. */
export function predicate(direction: Direction, counted: Counted): Sql {
  return PREDICATES[direction][counted];
}

/** The sums that exist for a direction's orders. */
export function sumsOf(direction: Direction): Sum[] {
  const predicates: Readonly<Record<string, Sql>> = PREDICATES[direction];
  return SUMS.filter((sum) => predicates[sum.replace(/Amount$/, '')] !== NOTHING);
}

/** How far ids may be off as clocks. */
const SLACK = 5 * MINUTE;

/** Filters of a list that show the orders of a cell in the statistics (contract, listFiltersOf). */
export interface CountedFilters extends TimeRange {
  readonly counted?: Counted | undefined;
  readonly filing?: Filing | undefined;
  readonly weekday?: number | undefined;
  readonly halfHour?: number | undefined;
  readonly payBucket?: number | undefined;
  readonly orderMark?: number | undefined;
}

/**
 * SQL condition on orders (alias `o`) of a direction: exactly the orders that the sums count. `fallback` is the filing when the filters
 * name none.
 */
export function countedFilter(direction: Direction, filters: CountedFilters, fallback: Filing): Sql {
  const { counted, filing = fallback, weekday, halfHour, payBucket, orderMark } = filters;
  if (counted === undefined) return empty;
  const ended = direction === 'in' ? sql`o.paid_at` : sql`o.finished_at`;
  const byPayment = isFiledByPayment(counted, filing);
  const filed = byPayment ? ended : sql`o.created_at`;
  const from = filters.startTime === undefined ? undefined : parseTime(filters.startTime);
  const to = filters.endTime === undefined ? undefined : endOf(filters.endTime);
  const local = sql`(${filed} at time zone ${BUSINESS_TIME_ZONE})`;
  const isHalfHour = sql`extract(hour from ${local}) * 2 + floor(extract(minute from ${local}) / 30)`;
  return sql`
    and ${predicate(direction, counted)}
    ${from === undefined ? empty : sql`and ${filed} >= ${from}`}
    ${from === undefined || byPayment ? empty : sql`and o.id >= ${firstIdAt(new Date(from.getTime() - SLACK))}`}
    ${to === undefined ? empty : sql`and ${filed} < ${to} and o.id < ${firstIdAt(new Date(to.getTime() + SLACK))}`}
    ${orderMark === undefined ? sql`and o.mark <> ${ORDER_MARK.test}` : empty}
    ${weekday === undefined ? empty : sql`and extract(isodow from ${local}) = ${weekday}`}
    ${halfHour === undefined ? empty : sql`and ${isHalfHour} = ${halfHour}`}
    ${payBucket === undefined ? empty : sql`and ${bucketOf(sql`o.created_at`, ended)} = ${payBucket}`}`;
}
