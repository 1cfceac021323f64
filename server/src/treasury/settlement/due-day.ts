import { businessDay } from '@sangam/contract/time.ts';
import { DAY } from '../../platform/clock.ts';
import { type Queryable, sql } from '../../platform/db/database.ts';

/** Number of a business day (`YYYY-MM-DD`), in days since 1970: the slot of a pending account that is due on it. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY;
}

/** The business day that a slot is due on: `dayNumber` the other way round. */
export function dayOfSlot(slot: number): string {
  return new Date(slot * DAY).toISOString().slice(0, 10);
}

/** Due days, as `dayNumber` counts, of what these merchants are credited now; those with no term are absent. */
export async function dueDays(
  db: Queryable,
  merchantIds: readonly bigint[],
  at: Date,
): Promise<ReadonlyMap<bigint, number>> {
  const rows = await db.query<{ id: bigint; days: number }>(sql`
    select id, settlement_days as days from merchants where id = any(${merchantIds}) and settlement_days > 0`);
  const today = dayNumber(businessDay(at));
  return new Map(rows.map(({ id, days }) => [id, today + days]));
}
