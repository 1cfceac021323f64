import { DAY } from '../clock.ts';
import type { Platform } from '../platform.ts';
import { type Sql, sql } from './database.ts';
import { firstIdAt } from './ids.ts';

const MOST = 1_001;
const DAYS = 31;

/** How many rows of the last 31 days (by their ids) match `from … where …`; 1,001 = more than anybody reads. */
export async function cappedCount(platform: Platform, from: Sql, id: Sql): Promise<number> {
  const since = firstIdAt(new Date(platform.clock.now().getTime() - DAYS * DAY));
  const [row] = await platform.db.query<{ count: number }>(sql`
    select count(*)::int as count from (select 1 ${from} and ${id} >= ${since} limit ${MOST}) t`);
  return row!.count;
}
