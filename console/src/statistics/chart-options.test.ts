import { expect, it } from 'vitest';
import { dayLines, heatMap, type Words } from './chart-options.ts';
import type { Row } from './figures.ts';

const words = {
  today: 'today',
  yesterday: 'yesterday',
  lastWeek: 'last week',
  weekday: String,
} as unknown as Words;
const rowOf = (halfHour: number, measures: Row['measures']) =>
  ({ currency: 'INR', halfHour, measures }) as Row;
const linesOf = (measure: 'paid' | 'successRate', days: readonly (readonly Row[])[]) =>
  (dayLines(words, measure, 'INR', days, 4).series as { data: (number | null)[] }[]).map(({ data }) => data);

it('a past half hour without orders counts 0; a future one is empty', () => {
  const [today, yesterday, lastWeek] = linesOf('paid', [
    [rowOf(2, { paid: 5 })],
    [rowOf(15, { paid: 3 })],
    [],
  ]);
  expect(today!.slice(0, 6)).toEqual([0, 0, 5, 0, null, null]);
  expect(yesterday!.slice(14, 17)).toEqual([0, 3, 0]);
  expect(yesterday!.at(-1)).toBe(0);
  // For a day without rows nothing is drawn.
  expect(new Set(lastWeek)).toEqual(new Set([null]));
});

it('without orders there is no rate', () => {
  const [today] = linesOf('successRate', [[rowOf(2, { successRate: 25 })]]);
  expect(today!.slice(0, 4)).toEqual([null, null, 25, null]);
});

it('the heat map has no cell where there is no rate', () => {
  const cells = [
    { ...rowOf(2, { successRate: 0 }), weekday: 1 },
    { ...rowOf(3, { successRate: null }), weekday: 7 },
  ] as Row[];
  const [series] = heatMap(words, 'successRate', 'INR', cells).series as { data: unknown }[];
  expect(series!.data).toEqual([[2, 0, 0]]);
});
