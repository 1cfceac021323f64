import type { PreviewLine } from '@sangam/contract/setting-previews.ts';
import type { SettingValues } from '@sangam/contract/settings.ts';
import { type Sql, sql } from '../../../platform/db/database.ts';

/** What a preview is computed from. */
export interface Question<Value> {
  /** The value to preview. */
  readonly value: Value;
  readonly settings: SettingValues;
  readonly now: Date;
  /** The first id of the period. */
  readonly since: bigint;
}

/** One line of a preview. Its statement answers the rows it counts, each with its order (`id`), or null where there is none. */
export interface Line {
  readonly key: PreviewLine;
  readonly statement: Sql;
}

/** The lines of a preview. Empty when history cannot tell what the value would have done. */
export type Preview<Value> = (question: Question<Value>) => readonly Line[];

/** A preview reads only the newest orders of its period. More would take too long. */
const MOST_ORDERS = 200_000;

/** SQL in brackets: the collection orders of the preview. */
export const recentOrders = (since: bigint) => sql`(
  select * from collection_orders where id >= ${since} order by id desc limit ${MOST_ORDERS})`;

/** SQL: minutes as an interval. */
export const minutes = (count: number) => sql`${count} * interval '1 minute'`;
export const seconds = (count: number) => sql`${count} * interval '1 second'`;
