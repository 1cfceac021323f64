import type { PreviewLine } from '@sangam/contract/setting-previews.ts';
import type { SettingValues } from '@sangam/contract/settings.ts';
import { type Sql, sql } from '../../../platform/db/database.ts';

/** What a preview is made of. */
export interface Question<Value> {
  /** The value that is asked about. */
  readonly value: Value;
  readonly settings: SettingValues;
  readonly now: Date;
  /** The first id of the time that is looked at. */
  readonly since: bigint;
}

/** One sentence: its statement answers the rows it counts, each with the order behind it (`id`), or null where there is none. */
export interface Line {
  readonly key: PreviewLine;
  readonly statement: Sql;
}

/** A preview, or nothing: history cannot tell what this value would have done. */
export type Preview<Value> = (question: Question<Value>) => readonly Line[];

/** Orders of a preview are the newest of its time: more would take longer than anybody waits. */
const MOST_ORDERS = 200_000;

/** SQL, in brackets: the collection orders that are looked at. */
export const recentOrders = (since: bigint) => sql`(
  select * from collection_orders where id >= ${since} order by id desc limit ${MOST_ORDERS})`;

/** SQL: minutes as an interval. */
export const minutes = (count: number) => sql`${count} * interval '1 minute'`;
export const seconds = (count: number) => sql`${count} * interval '1 second'`;
