import { bucketFrom } from '@sangam/contract/statistics.ts';
import { expect, it } from 'vitest';
import { csvFigure, csvRowText, durationText, type Row, shownMeasure } from './figures.ts';

it('writes a span of time in the units of the language', () => {
  expect([2, 9.96, 95, 3_720, 90_000].map((span) => durationText(span, 'en-US'))).toEqual([
    '2s',
    '10s',
    '1m 35s',
    '1h 2m',
    '1d 1h',
  ]);
  expect(durationText(95, 'zh-CN')).toBe('1分钟 35秒');
});

it('names every bucket of a histogram from a second on with a text of its own', () => {
  const texts = Array.from({ length: 20 }, (_, bucket) => durationText(bucketFrom(bucket + 1), 'en-US'));
  expect(new Set(texts).size).toBe(texts.length);
});

it('writes numbers that a spreadsheet can add', () => {
  expect([
    csvFigure('created', 1_234_567, 'INR'),
    csvFigure('paidAmount', 123_456_780, 'INR'),
    csvFigure('income', -123_456_780, 'INR'),
    csvFigure('paidAmount', 1_500_000, 'USDT'),
    csvFigure('successRate', 0.634_218_7, 'INR'),
    csvFigure('payMedian', 95.04, 'INR'),
    csvFigure('payMedian', null, 'INR'),
  ]).toEqual(['1234567', '1234567.80', '-1234567.80', '1.500000', '0.634219', '95', '']);
});

it('writes the whole date of a half hour into a spreadsheet', () => {
  const row = { day: '2026-11-30', halfHour: 21 } as Row;
  expect(csvRowText(row, 'halfHour', (() => '') as never, 'en-US')).toBe('2026-11-30 10:30');
});

it('opens the heat map on the success rate, other charts on what was paid', () => {
  const measures = ['created', 'paid', 'successRate'] as const;
  expect(shownMeasure(undefined, 'weekdayHour', measures)).toBe('successRate');
  expect(shownMeasure(undefined, 'day', measures)).toBe('paid');
  expect(shownMeasure('created', 'weekdayHour', measures)).toBe('created');
  // After a change of role or direction the chosen measure may not be there.
  expect(shownMeasure('profit', 'day', measures)).toBe('paid');
});
