import { COLLECTION_STATUS, PAID_STATUSES } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { join, raw, type Sql, sql } from './database.ts';

/**
 * SQL: the statuses of orders by their names; the same number means another state in the other direction. They stand in the text and
 * are no values of it, so that partial indexes are found.
 */
export const COLLECTION = named(COLLECTION_STATUS);
export const PAYOUT = named(PAYOUT_STATUS);

/** SQL, a list in parentheses: the statuses in which a collection order's money has been credited. */
export const PAID: Sql = sql`(${join(PAID_STATUSES.map((status) => raw(String(status))))})`;

/** SQL: `supplement_status` of an order that a person completed. */
export const SUPPLEMENTED = sql`1`;

function named<Name extends string>(statuses: Readonly<Record<Name, number>>): Readonly<Record<Name, Sql>> {
  const entries = Object.entries<number>(statuses).map(([name, status]) => [name, raw(String(status))]);
  return Object.fromEntries(entries) as Record<Name, Sql>;
}
