import type { z } from 'zod';
import type { simpleStatistics } from '@sangam/contract/endpoints/order.ts';

export type DayFigures = z.infer<(typeof simpleStatistics)['output']>['list'][number]['today'];

export type SoFar = NonNullable<z.infer<(typeof simpleStatistics)['output']>['list'][number]['soFar']>;
/** The figures of a day up to a moment. */
export type SoFarFigures = SoFar['today'];

export const METRICS = ['created', 'paid', 'paidAmount', 'successRate'] as const;
export type Metric = (typeof METRICS)[number];

const HOURS = 24;

/**
 * One value per hour of the day. The server sends no hours without orders: their counts and sums are 0, and their success rate (in
 * percent) is null.
 */
export function hourValues(day: DayFigures, metric: Metric): readonly (number | null)[] {
  const byHour = new Map(day.hours.map((hour) => [hour.hour, hour]));
  return Array.from({ length: HOURS }, (_, index) => {
    const hour = byHour.get(index);
    if (metric !== 'successRate') return hour?.[metric] ?? 0;
    const rate = hour && successRate(hour);
    return rate === undefined ? null : rate * 100;
  });
}

/** Paid orders as a share of created ones; undefined before the day's first order. */
export function successRate(day: Pick<SoFarFigures, 'created' | 'paid'>): number | undefined {
  return day.created === 0 ? undefined : day.paid / day.created;
}
