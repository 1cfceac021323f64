import { COLLECTION_STATUS, PAID_STATUSES } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { join, raw, type Sql, sql } from './database.ts';

/**
 * SQL: the statuses of orders by name. The same number means different states in the two directions. Each number stands in the SQL text and
 * is not a parameter, so that PostgreSQL can use partial indexes.
 */
export const COLLECTION = named(COLLECTION_STATUS);
export const PAYOUT = named(PAYOUT_STATUS);

/** SQL, a list in parentheses: the statuses of a collection order whose money was credited. */
export const PAID: Sql = sql`(${join(PAID_STATUSES.map((status) => raw(String(status))))})`;

/** SQL: `supplement_status` of an order that a person completed. */
export const SUPPLEMENTED = sql`1`;

function named<Name extends string>(statuses: Readonly<Record<Name, number>>): Readonly<Record<Name, Sql>> {
  const entries = Object.entries<number>(statuses).map(([name, status]) => [name, raw(String(status))]);
  return Object.fromEntries(entries) as Record<Name, Sql>;
}
