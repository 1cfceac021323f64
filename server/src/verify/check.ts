import { type Sql, sql } from '../platform/db/database.ts';

/** A range of ids: `from` is included, `below` is not. */
export interface IdRange {
  readonly from: bigint;
  readonly below: bigint;
}

/** SQL: the id lies in the range. */
export function within(id: Sql, { from, below }: IdRange): Sql {
  return sql`(${id} >= ${from}::bigint and ${id} < ${below}::bigint)`;
}

/** SQL: how far the clocks of nodes may differ. Events that are closer together may have happened in either order. */
export const NODES: Sql = sql`interval '10 seconds'`;

/** SQL: whether the order is in the archive, and so not in this database. */
export function isArchived(id: Sql): Sql {
  return sql`exists (select from archived_orders away where away.order_id = ${id})`;
}

/** SQL: whether all orders of a day are in the database: none of them, and none that ended on that day, was archived. */
export function isWholeDay(day: Sql): Sql {
  return sql`${day} > (select coalesce(max(until), '-infinity') from archives where state = 'removed')`;
}

/** Tables that checks read in ranges of ids, in one short snapshot for each range. */
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

/** A check in one statement, which answers the rows that break it, the most important first, each as a text `detail`. */
interface AtOnce {
  readonly name: string;
  readonly statement: Sql;
}

/** A check of the rows of one range. Its result for a row must not depend on rows of other ranges that may still change. */
interface InRanges {
  readonly name: string;
  readonly walks: Walked;
  readonly statement: (range: IdRange) => Sql;
}

/** Reads one statement in a snapshot of its own. */
export type Read = <Row>(statement: Sql) => Promise<Row[]>;

/** A check in statements that are made when it runs. Each must hold in every snapshot, and reads about `rows` rows. */
interface InStatements {
  readonly name: string;
  readonly statements: (read: Read, rows: number) => Promise<readonly Sql[]>;
}

/**
 * A sum over all ranges, for each id. Rows of a range that was read do not change, but a row may be committed late. So an id
 * whose sum is wrong is checked again alone, in one snapshot, before it counts as broken.
 */
export interface Folded {
  readonly name: string;
  readonly walks: Walked;
  /** Rows of `id` and `value` (numeric as text) for one range. */
  readonly part: (range: IdRange) => Sql;
  /** What the parts of each id must add up to: rows of `id` and `value`. An id without a row must add up to 0. */
  readonly whole: Sql;
  /** The check of one id alone, as in AtOnce. */
  readonly exact: (id: bigint) => Sql;
}

/** Something that must hold in every snapshot. */
export type Check = AtOnce | InRanges | InStatements | Folded;
