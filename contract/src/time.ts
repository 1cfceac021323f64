/** India has had no daylight saving since 1945, so a fixed offset is exact. */
const KOLKATA_OFFSET_MS = (5 * 60 + 30) * 60_000;

export const BUSINESS_TIME_ZONE = 'Asia/Kolkata';

/** Wire form of a time: `YYYY-MM-DD HH:mm:ss` in Asia/Kolkata. */
export function formatTime(moment: Date): string {
  return new Date(moment.getTime() + KOLKATA_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** The business day (`YYYY-MM-DD`) of a time, in Asia/Kolkata. */
export function businessDay(moment: Date): string {
  return formatTime(moment).slice(0, 10);
}

/** Reads `YYYY-MM-DD HH:mm:ss` (or a bare date) as Asia/Kolkata; undefined when no such time exists. */
export function parseTime(text: string): Date | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?$/.exec(text.trim());
  if (!match) return undefined;
  const utc = Date.parse(`${match[1]}T${match[2] ?? '00:00:00'}Z`);
  if (Number.isNaN(utc)) return undefined;
  const moment = new Date(utc - KOLKATA_OFFSET_MS);
  return formatTime(moment).startsWith(match[1]!) ? moment : undefined;
}
