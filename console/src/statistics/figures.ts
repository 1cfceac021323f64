import type { TFunction } from 'i18next';
import type { z } from 'zod';
import type { getTable } from '@sangam/contract/endpoints/statistics.ts';
import { type Currency, formatMinor } from '@sangam/contract/money.ts';
import { type Grouping, type Measure, MEASURES, type MeasureName } from '@sangam/contract/statistics.ts';
import { moneyText } from '../figures/money-text.ts';

export type Table = z.infer<(typeof getTable)['output']>;
export type Row = Table['list'][number];
/** The keys of a row: which orders it counts. */
export type GroupKeys = Omit<Row, 'name' | 'measures' | 'before' | 'lastWeek'>;
/** A row of totals, with the number of groups. */
export type Total = Table['totals'][number];

/**
 * The measure of the chart: the chosen one, else the one that fits. By weekday and half hour that is the success rate, because the count
 * of paid orders shows only when most orders come.
 */
export function shownMeasure(
  chosen: MeasureName | undefined,
  grouping: Grouping,
  measures: readonly MeasureName[],
): MeasureName {
  if (chosen && measures.includes(chosen)) return chosen;
  return grouping === 'weekdayHour' ? 'successRate' : 'paid';
}

const unitOf = (name: MeasureName) => (MEASURES[name] as Measure).unit;

const SPANS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** 95 → 1m 35s, in the language's own units. Below ten seconds with one decimal, which distinguishes short spans. */
export function durationText(seconds: number, language: string): string {
  const text = (count: number, unit: string) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'narrow',
      maximumFractionDigits: 1,
    }).format(count);
  if (seconds < 9.95) return text(seconds, 'second');
  const whole = Math.round(seconds);
  const first = SPANS.findIndex(([, length]) => whole >= length);
  const [unit, length] = SPANS[first] ?? SPANS[3];
  const lead = text(Math.floor(whole / length), unit);
  const next = SPANS[first + 1];
  return next ? `${lead} ${text(Math.floor((whole % length) / next[1]), next[0])}` : lead;
}

/** A measure as text. `whole`: amounts without their fraction. */
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
      return durationText(value, language);
  }
}

const CSV_RATE_UNITS = 1_000_000;
const CSV_SECOND_UNITS = 10;
const rounded = (value: number, units: number) => String(Math.round(value * units) / units);

/** A measure for a spreadsheet, which adds only plain numbers: a decimal amount, a ratio of one, or seconds. Empty where it is not defined. */
export function csvFigure(name: MeasureName, value: number | null | undefined, currency: Currency): string {
  if (value === null || value === undefined) return '';
  switch (unitOf(name)) {
    case 'orders':
      return String(value);
    case 'amount':
      return formatMinor(value, currency);
    case 'rate':
      return rounded(value, CSV_RATE_UNITS);
    case 'seconds':
      return rounded(value, CSV_SECOND_UNITS);
  }
}

/** The unit that a spreadsheet's heading names, because its numbers are plain. */
export function csvUnit(name: MeasureName, currency: Currency): string {
  const unit = unitOf(name);
  return unit === 'amount' ? ` (${currency})` : unit === 'seconds' ? ' (s)' : '';
}

const clock = (halfHour: number): string =>
  `${String(Math.floor(halfHour / 2)).padStart(2, '0')}:${halfHour % 2 === 0 ? '00' : '30'}`;

/** The name of a weekday, 0 = Monday. 1 January 2024 was a Monday. */
export const weekdayText = (weekday: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, 0, weekday)),
  );

/** The name of a row. */
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

/** The name of a row in a spreadsheet. A half hour has its whole date, so that rows of two years stay apart. */
export function csvRowText(row: Row, grouping: Grouping, t: TFunction, language: string): string {
  return grouping === 'halfHour'
    ? `${row.day} ${clock(row.halfHour ?? 0)}`
    : rowText(row, grouping, t, language);
}

/** The change against `before` as a share; undefined where a share means nothing. */
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

/** A row's share of the total; undefined for rates and durations. */
export function shareOf(
  name: MeasureName,
  value: number | null | undefined,
  total: number | null | undefined,
): number | undefined {
  const unit = unitOf(name);
  return (unit === 'orders' || unit === 'amount') && value && total && total > 0 ? value / total : undefined;
}
