const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in the reader's language; undefined where a date is clearer. */
export function relativeText(moment: Date, now: number, language: string): string | undefined {
  const distance = moment.getTime() - now;
  const size = Math.abs(distance);
  if (size >= DAY) return undefined;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (size < MINUTE) return format.format(Math.trunc(distance / SECOND), 'second');
  if (size < HOUR) return format.format(Math.trunc(distance / MINUTE), 'minute');
  return format.format(Math.trunc(distance / HOUR), 'hour');
}

/** The date and time of a moment (`YYYY-MM-DD HH:mm:ss`), shortened: the year is shown only where it is not today's year. */
export function dateText(time: string, today: string): string {
  return time.slice(0, 4) === today.slice(0, 4) ? time.slice(5, 16) : time.slice(0, 10);
}
