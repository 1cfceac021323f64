import { DAY } from '../clock.ts';
import type { Platform } from '../platform.ts';
import { type Sql, sql } from './database.ts';
import { firstIdAt } from './ids.ts';

const MOST = 1_001;
const DAYS = 31;

/** How many rows of the last 31 days match `from … where …`. It stops at 1,001, because nobody needs a larger number. */
export async function cappedCount(platform: Platform, from: Sql, id: Sql): Promise<number> {
  const [row] = await platform.db.query<{ count: number }>(
    sql`select ${cappedCountOf(platform, from, id)} as count`,
  );
  return row!.count;
}

/** The same count as an SQL expression. */
export function cappedCountOf({ clock }: Platform, from: Sql, id: Sql): Sql {
  const since = firstIdAt(new Date(clock.now().getTime() - DAYS * DAY));
  return sql`(select count(*)::int from (select 1 ${from} and ${id} >= ${since} limit ${MOST}) t)`;
}
