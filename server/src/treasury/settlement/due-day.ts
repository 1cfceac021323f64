import { businessDay } from '@sangam/contract/time.ts';
import { DAY } from '../../platform/clock.ts';
import { type Queryable, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';

/** A business day (`YYYY-MM-DD`) as its number of days since 1970-01-01. A pending ledger account has it as its slot. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY;
}

/** The business day of a slot: the inverse of `dayNumber`. */
export function dayOfSlot(slot: number): string {
  return new Date(slot * DAY).toISOString().slice(0, 10);
}

const SUNDAY = 0;
const SATURDAY = 6;

/** Whether banks in India work on a day. They do not on Sundays, on the second and fourth Saturday of a month, and on `holidays`. */
export function isBankDay(day: string, holidays: ReadonlySet<string>): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  const week = Math.ceil(date.getUTCDate() / 7);
  const isClosed =
    date.getUTCDay() === SUNDAY || (date.getUTCDay() === SATURDAY && (week === 2 || week === 4));
  return !isClosed && !holidays.has(day);
}

/** The n-th bank day after a day. Both days are numbers as of `dayNumber`. */
export function bankDaysAfter(day: number, n: number, holidays: ReadonlySet<string>): number {
  let due = day;
  for (let left = n; left > 0; left -= 1) {
    do due += 1;
    while (!isBankDay(dayOfSlot(due), holidays));
  }
  return due;
}

/** When a credit of now becomes due, by merchant, as `dayNumber` counts. Merchants without a settlement term are absent. */
export async function dueDays(
  platform: Platform,
  db: Queryable,
  merchantIds: readonly bigint[],
  at: Date,
): Promise<ReadonlyMap<bigint, number>> {
  const rows = await db.query<{ id: bigint; days: number }>(sql`
    select id, settlement_days as days from merchants where id = any(${merchantIds}) and settlement_days > 0`);
  if (rows.length === 0) return new Map();
  const { BankHolidays } = await platform.settings.all();
  const holidays = new Set(BankHolidays);
  const today = dayNumber(businessDay(at));
  return new Map(rows.map(({ id, days }) => [id, bankDaysAfter(today, days, holidays)]));
}
