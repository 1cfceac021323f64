export type TimePrecision = 'second' | 'minute' | 'day' | 'none';

export interface BankTime {
  readonly at: Date;
  readonly precision: Exclude<TimePrecision, 'none'>;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Neither country has summer time, so a fixed offset is exact: Asia/Kolkata +05:30, Africa/Nairobi +03:00. */
const offsetMinutes = { IN: 330, KE: 180 } as const;

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

interface Day {
  readonly year?: number;
  readonly month: number;
  readonly day: number;
  /** What follows the date: the clock, if any. */
  readonly rest: string;
}

/**
 * Each form yields year, month and day as text. The day comes first unless the year leads, because Indian and Kenyan banks write no US
 * dates.
 */
const dateForms: readonly RegExp[] = [
  /^(?<year>\d{4})[-:/.](?<month>\d{1,2})[-:/.](?<day>\d{1,2})/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-/., ]*(?<month>[a-z]{3})[a-z]*[-/., ']*(?<year>\d{4}|\d{2})(?![\d:])/,
  /^(?<month>[a-z]{3})[a-z]* (?<day>\d{1,2})(?:st|nd|rd|th)?,? ?(?<year>\d{4})/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-/ ]?(?<month>[a-z]{3})/,
  /^(?<day>\d{1,2})[-/.](?<month>\d{1,2})[-/.](?<year>\d{4}|\d{2})(?!\d)/,
  /^(?<day>\d{1,2})[-/](?<month>\d{1,2})(?!\d)/,
];

function parseDay(text: string): Day | undefined {
  for (const form of dateForms) {
    const match = form.exec(text);
    if (!match?.groups) continue;
    const { year, month = '', day = '' } = match.groups;
    const monthNumber = /^\d/.test(month) ? Number(month) : monthNames.indexOf(month) + 1;
    if (monthNumber < 1 || monthNumber > 12) continue;
    const rest = text.slice(match[0].length);
    const found = { month: monthNumber, day: Number(day), rest };
    if (year === undefined) return found;
    return { ...found, year: Number(year) < 100 ? 2000 + Number(year) : Number(year) };
  }
  return undefined;
}

function parseClock(text: string): { seconds: number; precision: 'second' | 'minute' } | undefined {
  const match = /^[\s,;:t]*(?:at\s*|@\s*)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s*([ap])\.?m)?/.exec(text);
  if (!match) return undefined;
  let hour = Number(match[1]);
  const minute = Number(match[2]);
  const second = Number(match[3] ?? 0);
  const half = match[4];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  // Some banks print a 24-hour clock and still add PM.
  if (half === 'p' && hour < 12) hour += 12;
  if (half === 'a' && hour === 12) hour = 0;
  return {
    seconds: (hour * 60 + minute) * 60 + second,
    precision: match[3] === undefined ? 'minute' : 'second',
  };
}

/**
 * Reads a bank's own time as printed, in the bank's country. A date without a year is the latest such day that is not after the day the
 * message was received. Undefined if no valid date can be read.
 */
export function parseBankTime(printed: string, country: 'IN' | 'KE', receivedAt: Date): BankTime | undefined {
  const text = printed.trim().toLowerCase();
  const day = parseDay(text);
  if (!day) return undefined;
  const clock = parseClock(day.rest);
  const offset = offsetMinutes[country] * MINUTE;
  const local = (year: number): number =>
    Date.UTC(year, day.month - 1, day.day) + (clock?.seconds ?? 0) * 1_000;
  const receivedYear = new Date(receivedAt.getTime() + offset).getUTCFullYear();
  let year = day.year ?? receivedYear;
  if (day.year === undefined && local(year) - offset > receivedAt.getTime() + DAY) year -= 1;
  const stamp = new Date(local(year));
  // Date.UTC turns 31 February into a day of March, so such a date was misread.
  if (stamp.getUTCMonth() !== day.month - 1 || stamp.getUTCDate() !== day.day) return undefined;
  return { at: new Date(stamp.getTime() - offset), precision: clock?.precision ?? 'day' };
}
