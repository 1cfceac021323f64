import type { z } from 'zod';
import type { simpleStatistics } from '@sangam/contract/endpoints/order.ts';

export type DayFigures = z.infer<(typeof simpleStatistics)['output']>['list'][number]['today'];

export type SoFar = NonNullable<z.infer<(typeof simpleStatistics)['output']>['list'][number]['soFar']>;
/** A day up to a moment. */
export type SoFarFigures = SoFar['today'];

export const METRICS = ['created', 'paid', 'paidAmount', 'successRate'] as const;
export type Metric = (typeof METRICS)[number];

const HOURS = 24;

/**
 * One value for each hour of the day; hours without orders are not sent: they have counts and sums of nothing, and no success rate
 * (which is in percent).
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

/** Paid of created; undefined before the day's first order. */
export function successRate(day: Pick<SoFarFigures, 'created' | 'paid'>): number | undefined {
  return day.created === 0 ? undefined : day.paid / day.created;
}
