import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Counted, Direction } from '@sangam/contract/statistics.ts';
import { raw, type Sql, sql } from '../platform/db/database.ts';

const status = (id: number): Sql => sql`o.status = ${raw(String(id))}`;
const NOTHING = sql`false`;

const told = (paid: Sql) => ({
  toldFirst: sql`(${paid} and o.told_attempt = 1)`,
  toldLater: sql`(${paid} and o.told_attempt > 1)`,
  notTold: sql`(${paid} and o.told_attempt is null)`,
});

const RECEIVED = sql`o.received is not null`;
/** A payout taken back was completed once; it is rejected now. */
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
    supplemented: sql`(${RECEIVED} and o.supplement_status = 1)`,
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

/** SQL condition: an order (alias `o`, columns of its own table or of statistics_changes) is one of those that are `counted`. */
export function predicate(direction: Direction, counted: Counted): Sql {
  return PREDICATES[direction][counted];
}
