import type { TFunction } from 'i18next';
import type { z } from 'zod';
import type { getTable } from '@sangam/contract/endpoints/statistics.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { type Grouping, type Measure, MEASURES, type MeasureName } from '@sangam/contract/statistics.ts';
import { moneyText } from '../figures/money-text.ts';

export type Table = z.infer<(typeof getTable)['output']>;
export type Row = Table['list'][number];
/** A row of totals, with the number of groups. */
export type Total = Table['totals'][number];

const unitOf = (name: MeasureName) => (MEASURES[name] as Measure).unit;

/** 95 → 1 m 35 s. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} m ${whole % 60} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} m`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3_600)} h`;
}

/** A measure as people read it. `whole`: amounts without their fraction. */
export function figureText(
  name: MeasureName,
  value: number | null | undefined,
  currency: Currency,
  language: string,
  whole = false,
): string {
  if (value === null || value === undefined) return '–';
  switch (unitOf(name)) {
    case 'orders':
      return new Intl.NumberFormat(language).format(value);
    case 'amount':
      return moneyText(value, currency, whole);
    case 'rate':
      return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value);
    case 'seconds':
      return durationText(value);
  }
}

const clock = (halfHour: number): string =>
  `${String(Math.floor(halfHour / 2)).padStart(2, '0')}:${halfHour % 2 === 0 ? '00' : '30'}`;

/** Monday to Sunday in a language; 1 January 2024 was a Monday. */
export const weekdayText = (weekday: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, weekday)),
  );

/** What a row is called. */
export function rowText(row: Row, grouping: Grouping, t: TFunction, language: string): string {
  switch (grouping) {
    case 'day':
      return row.day ?? '–';
    case 'halfHour':
      return `${row.day?.slice(5)} ${clock(row.halfHour ?? 0)}`;
    case 'weekdayHour':
      return `${weekdayText(row.weekday ?? 1, language)} ${clock(row.halfHour ?? 0)}`;
    case 'bank':
      return row.bank || t('statistics.without');
    case 'mark':
      return t(`orderMark.${row.mark as 0}`);
    case 'merchant':
      return row.name ?? row.merchantId ?? '–';
    case 'supplier':
      return row.supplierId === '0' ? t('statistics.without') : (row.name ?? row.supplierId ?? '–');
    case 'product':
      return `${row.productId} ${row.name ?? ''}`.trim();
  }
}

/** The change against `before` as a share; undefined where it says nothing. */
export function changeOf(
  name: MeasureName,
  value: number | null | undefined,
  before: Row['before'],
): number | undefined {
  const old = before?.[name];
  if (value === null || value === undefined || old === null || old === undefined) return undefined;
  if (unitOf(name) === 'rate') return value - old;
  return old === 0 ? undefined : value / old - 1;
}

/** The share of the total; undefined for rates and durations. */
export function shareOf(
  name: MeasureName,
  value: number | null | undefined,
  total: number | null | undefined,
): number | undefined {
  const unit = unitOf(name);
  return (unit === 'orders' || unit === 'amount') && value && total && total > 0 ? value / total : undefined;
}
