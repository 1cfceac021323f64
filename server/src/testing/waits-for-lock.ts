import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

/** Returns once this many transactions on other connections wait for a lock in this database. */
export async function waitsForLock({ db }: Platform, count = 1): Promise<void> {
  for (;;) {
    const waiting = await db.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if (waiting.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
