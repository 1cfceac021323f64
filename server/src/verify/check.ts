import { type Sql, sql } from '../platform/db/database.ts';

/** Ids from `from` on, below `below`. */
export interface IdRange {
  readonly from: bigint;
  readonly below: bigint;
}

/** SQL: the id lies in the range. */
export function within(id: Sql, { from, below }: IdRange): Sql {
  return sql`(${id} >= ${from}::bigint and ${id} < ${below}::bigint)`;
}

/** SQL: clocks of nodes differ by so much: what lies closer together happened in either order. */
export const NODES: Sql = sql`interval '10 seconds'`;

/** SQL: whether the order is in the archive, where this database does not see it. */
export function isArchived(id: Sql): Sql {
  return sql`exists (select from archived_orders away where away.order_id = ${id})`;
}

/** SQL: whether all orders of a day are here: none of it, and none that ended on it, was archived. */
export function isWholeDay(day: Sql): Sql {
  return sql`${day} > (select coalesce(max(until), '-infinity') from archives where state = 'removed')`;
}

/** Tables that checks walk through in ranges of ids, a short snapshot each. */
export const WALKED = {
  collection_orders: sql`collection_orders`,
  payout_orders: sql`payout_orders`,
  orders: sql`(select id from collection_orders union all select id from payout_orders) o`,
  postings: sql`postings`,
  ledger_entries: sql`ledger_entries`,
  messages: sql`messages`,
  callbacks: sql`callbacks`,
} as const satisfies Record<string, Sql>;
export type Walked = keyof typeof WALKED;

/** Answers the rows that break the check, first things first, each as one text `detail`. */
interface AtOnce {
  readonly name: string;
  readonly statement: Sql;
}

/** The same for the rows of one range. What it says of a row must not depend on rows of other ranges that may still change. */
interface InRanges {
  readonly name: string;
  readonly walks: Walked;
  readonly statement: (range: IdRange) => Sql;
}

/**
 * A sum that runs over all ranges, for each id. Rows of a range read earlier do not change, but one may be committed late: an id
 * whose sum is off is asked about alone, in one snapshot, before it counts as broken.
 */
export interface Folded {
  readonly name: string;
  readonly walks: Walked;
  /** Rows of `id` and `value` (numeric as text) of one range. */
  readonly part: (range: IdRange) => Sql;
  /** What all parts of an id come to: rows of `id` and `value`; an id without a row comes to 0. */
  readonly whole: Sql;
  /** The check of one id alone, as in AtOnce. */
  readonly exact: (id: bigint) => Sql;
}

/** Something that must hold whenever no transaction is half way. */
export type Check = AtOnce | InRanges | Folded;
