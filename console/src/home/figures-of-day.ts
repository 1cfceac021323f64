import type { z } from 'zod';
import type { simpleStatistics } from '@sangam/contract/endpoints/order.ts';

export type DayFigures = z.infer<(typeof simpleStatistics)['output']>['list'][number]['today'];

export type SoFar = NonNullable<z.infer<(typeof simpleStatistics)['output']>['list'][number]['soFar']>;
/** A day up to a moment. */
export type SoFarFigures = SoFar['today'];

export const METRICS = ['created', 'paid', 'paidAmount', 'successRate'] as const;
export type Metric = (typeof METRICS)[number];

const HOURS = 24;

/** One value for each hour of the day, of the success rate in percent; hours without orders are not sent. */
export function hourValues(day: DayFigures, metric: Metric): readonly number[] {
  const byHour = new Map(
    day.hours.map((hour) => [
      hour.hour,
      metric === 'successRate' ? (successRate(hour) ?? 0) * 100 : hour[metric],
    ]),
  );
  return Array.from({ length: HOURS }, (_, hour) => byHour.get(hour) ?? 0);
}

/** Paid of created; undefined before the day's first order. */
export function successRate(day: Pick<SoFarFigures, 'created' | 'paid'>): number | undefined {
  return day.created === 0 ? undefined : day.paid / day.created;
}
