import { businessDay, parseTime } from '@sangam/contract/time.ts';

const DAY_MS = 24 * 60 * 60_000;

export const PERIOD_PRESETS = ['today', 'yesterday', '7d', 'week', 'lastWeek', 'month', 'lastMonth'] as const;
/** The presets of lists. */
export const USUAL_PRESETS = ['today', 'yesterday', '7d'] as const satisfies readonly PeriodPreset[];
export type PeriodPreset = (typeof PERIOD_PRESETS)[number];

/** Days since Monday. */
const weekday = (now: Date): number => (new Date(`${businessDay(now)}T00:00:00Z`).getUTCDay() + 6) % 7;

export interface Period {
  readonly startTime: string;
  readonly endTime?: string;
}

const isPreset = (text: string): text is PeriodPreset => PERIOD_PRESETS.some((preset) => preset === text);

/**
 * A period as text in the address: the name of a preset, so that a bookmark of 'today' still means today tomorrow, or `from~to` in
 * business time.
 */
export function isPeriod(text: string): boolean {
  if (isPreset(text)) return true;
  const [from, to, more] = text.split('~');
  const start = parseTime(from ?? '');
  const end = parseTime(to ?? '');
  return start !== undefined && end !== undefined && more === undefined && start <= end;
}

export function presetOf(text: string | undefined): PeriodPreset | undefined {
  return text !== undefined && isPreset(text) ? text : undefined;
}

/** Start and end of a period, both inclusive, to the second. Empty for no period: then the list decides how far back it reads. */
export function periodTimes(text: string | undefined, now: Date): Period {
  const day = (back: number) => businessDay(new Date(now.getTime() - back * DAY_MS));
  if (text === undefined) return { startTime: `${day(30)} 00:00:00` };
  switch (presetOf(text)) {
    case 'today':
      return { startTime: `${day(0)} 00:00:00` };
    case 'yesterday':
      return { startTime: `${day(1)} 00:00:00`, endTime: `${day(1)} 23:59:59` };
    case '7d':
      return { startTime: `${day(6)} 00:00:00` };
    case 'week':
      return { startTime: `${day(weekday(now))} 00:00:00` };
    case 'lastWeek':
      return {
        startTime: `${day(weekday(now) + 7)} 00:00:00`,
        endTime: `${day(weekday(now) + 1)} 23:59:59`,
      };
    case 'month':
      return { startTime: `${day(0).slice(0, 8)}01 00:00:00` };
    case 'lastMonth': {
      const last = day(Number(day(0).slice(8)));
      return { startTime: `${last.slice(0, 8)}01 00:00:00`, endTime: `${last} 23:59:59` };
    }
    case undefined: {
      const [startTime = '', endTime = ''] = text.split('~');
      return { startTime, endTime };
    }
  }
}
