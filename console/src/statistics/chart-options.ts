import type { EChartsCoreOption } from 'echarts/core';
import type { Currency } from '@sangam/contract/money.ts';
import type { Direction } from '@sangam/contract/products.ts';
import { bucketFrom, type MeasureName, MEASURES } from '@sangam/contract/statistics.ts';
import type { Row } from './figures.ts';

/** Names for the parts of a chart, and formats for its values. */
export interface Words {
  readonly measure: (name: MeasureName) => string;
  readonly value: (name: MeasureName, value: number | null | undefined, currency: Currency) => string;
  readonly row: (row: Row) => string;
  readonly weekday: (weekday: number) => string;
  readonly today: string;
  readonly yesterday: string;
  readonly lastWeek: string;
  readonly others: string;
}

const HALF_HOURS = 48;
const WEEK = [1, 2, 3, 4, 5, 6, 7];
/** More bars could not be told apart. */
const MOST_BARS = 20;

const clocks = Array.from(
  { length: HALF_HOURS },
  (_, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
);

const formatted = (words: Words, measure: MeasureName, currency: Currency) => (value: unknown) =>
  words.value(measure, value as number, currency);

/** An axis of whole numbers for counts: there is no half order. */
const valueAxis = (words: Words, measure: MeasureName, currency: Currency) => ({
  type: 'value',
  axisLabel: { formatter: formatted(words, measure, currency) },
  ...(MEASURES[measure].unit === 'orders' ? { minInterval: 1 } : {}),
});

/**
 * A day by half hours, with the day before and the same weekday a week ago. Half hours that have not begun stay empty. A past half
 * hour without a row counts as 0.
 */
export function dayLines(
  words: Words,
  measure: MeasureName,
  currency: Currency,
  days: readonly (readonly Row[])[],
  /** How many half hours of the first day have begun. */
  come: number,
): EChartsCoreOption {
  const isCounted = ['orders', 'amount'].includes(MEASURES[measure].unit);
  const line = (rows: readonly Row[], name: string, isFirst: boolean) => {
    const values = Array.from<number | null>({ length: HALF_HOURS }).fill(null);
    if (isCounted && rows.length > 0) values.fill(0, 0, isFirst ? come : HALF_HOURS);
    for (const row of rows)
      if (row.currency === currency && row.halfHour !== null)
        values[row.halfHour] = row.measures[measure] ?? null;
    return {
      type: 'line',
      name,
      data: values,
      // A single point has no line, so its symbol is shown.
      showSymbol: rows.length === 1 && !isCounted,
      connectNulls: true,
      lineStyle: { width: isFirst ? 3 : 1.5, type: isFirst ? 'solid' : 'dashed' },
    };
  };
  const names = [words.today, words.yesterday, words.lastWeek];
  return {
    legend: {},
    tooltip: { trigger: 'axis', valueFormatter: formatted(words, measure, currency) },
    xAxis: { type: 'category', data: clocks, boundaryGap: false },
    yAxis: valueAxis(words, measure, currency),
    series: days.map((rows, index) => line(rows, names[index]!, index === 0)),
  };
}

/** A line over the days or half hours of the rows. */
export function timeLine(
  words: Words,
  measure: MeasureName,
  currency: Currency,
  rows: readonly Row[],
): EChartsCoreOption {
  return {
    legend: {},
    tooltip: { trigger: 'axis', valueFormatter: formatted(words, measure, currency) },
    xAxis: { type: 'category', data: rows.map(words.row), boundaryGap: false },
    yAxis: valueAxis(words, measure, currency),
    series: [
      {
        type: 'line',
        name: words.measure(measure),
        data: rows.map((row) => row.measures[measure] ?? null),
        showSymbol: rows.length < 40,
      },
      {
        type: 'line',
        name: words.lastWeek,
        data: rows.map((row) => row.lastWeek?.[measure] ?? null),
        showSymbol: false,
        lineStyle: { type: 'dashed', width: 1.5 },
      },
    ],
  };
}

/** Theme colours that stand for an outcome. */
const TONES: Readonly<Partial<Record<MeasureName, string>>> = {
  paid: 'positive',
  allocationFailed: 'negative',
  rejected: 'negative',
  toBeConfirmed: 'pending',
  processingError: 'warning',
};

/** The outcomes of orders, as measures. */
const OUTCOMES: Readonly<Record<Direction, readonly MeasureName[]>> = {
  in: ['paid', 'timedOut', 'allocationFailed'],
  out: ['paid', 'rejected', 'cancelled', 'toBeConfirmed', 'processingError'],
};

export function stackedBars(words: Words, direction: Direction, rows: readonly Row[]): EChartsCoreOption {
  const shown = rows
    .toSorted((a, b) => (b.measures.created ?? 0) - (a.measures.created ?? 0))
    .slice(0, MOST_BARS);
  const outcomes = OUTCOMES[direction];
  const rest = (row: Row) =>
    Math.max(
      0,
      (row.measures.created ?? 0) - outcomes.reduce((sum, name) => sum + (row.measures[name] ?? 0), 0),
    );
  const bar = (name: string, tone: string, data: readonly number[]) => ({
    type: 'bar',
    stack: 'orders',
    name,
    tone,
    data,
  });
  return {
    legend: {},
    xAxis: { type: 'category', data: shown.map(words.row) },
    yAxis: { type: 'value', minInterval: 1 },
    series: [
      ...outcomes.map((name) =>
        bar(
          words.measure(name),
          TONES[name] ?? 'text-faint',
          shown.map((row) => row.measures[name] ?? 0),
        ),
      ),
      bar(words.others, 'line-strong', shown.map(rest)),
    ],
  };
}

/** Half hour × weekday. */
export function heatMap(
  words: Words,
  measure: MeasureName,
  currency: Currency,
  rows: readonly Row[],
): EChartsCoreOption {
  const values = rows.map((row) => row.measures[measure] ?? 0);
  return {
    tooltip: {
      trigger: 'item',
      formatter: ({ value: [halfHour, weekday, value] }: { value: [number, number, number] }) =>
        `${words.weekday(weekday + 1)} ${clocks[halfHour]}: ${words.value(measure, value, currency)}`,
    },
    visualMap: {
      min: Math.min(0, ...values),
      max: Math.max(...values, 0.000_001),
      show: false,
      inRange: { opacity: [0.08, 1] },
    },
    xAxis: { type: 'category', data: clocks },
    yAxis: { type: 'category', data: WEEK.map(words.weekday), inverse: true },
    series: [
      {
        type: 'heatmap',
        // Where nothing was created there is no rate, which is not a rate of 0.
        data: rows.flatMap(({ halfHour, weekday, measures }) =>
          typeof measures[measure] === 'number'
            ? [[halfHour ?? 0, (weekday ?? 1) - 1, measures[measure]]]
            : [],
        ),
      },
    ],
  };
}

/** From the order's creation to the merchant's acknowledgement. */
export function funnel(words: Words, direction: Direction, total: Row, told: string): EChartsCoreOption {
  const steps: readonly MeasureName[] =
    direction === 'in' ? ['created', 'allocated', 'paid'] : ['created', 'paid'];
  const acknowledged = (total.measures.toldFirst ?? 0) + (total.measures.toldLater ?? 0);
  return {
    tooltip: { trigger: 'item' },
    series: [
      {
        type: 'funnel',
        sort: 'none',
        left: 8,
        right: 8,
        top: 20,
        bottom: 8,
        // The labels stand on the page's background, beside or within a step, so that they are legible in both themes.
        label: { position: 'rightTop', formatter: '{b}\n{c}' },
        width: '45%',
        data: [
          ...steps.map((name) => ({ name: words.measure(name), value: total.measures[name] ?? 0 })),
          { name: told, value: acknowledged },
        ],
      },
    ],
  };
}

interface Bucket {
  readonly bucket: number;
  readonly orders: number;
}

/** How long payments took. Buckets without orders between others are kept as empty bars. */
export function histogram(
  buckets: readonly Bucket[],
  duration: (seconds: number) => string,
): EChartsCoreOption {
  const orders = new Map(buckets.map((each) => [each.bucket, each.orders]));
  const first = Math.min(...orders.keys());
  const shown = Array.from(
    { length: orders.size === 0 ? 0 : Math.max(...orders.keys()) - first + 1 },
    (_, index) => first + index,
  );
  return {
    tooltip: { trigger: 'axis' },
    xAxis: {
      type: 'category',
      data: shown.map((bucket) => duration(bucketFrom(bucket + 1))),
      axisLabel: { alignMinLabel: 'left', alignMaxLabel: 'right' },
    },
    yAxis: { type: 'value', minInterval: 1 },
    series: [{ type: 'bar', data: shown.map((bucket) => orders.get(bucket) ?? 0), barCategoryGap: '10%' }],
  };
}
