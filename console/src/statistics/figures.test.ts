import { bucketFrom } from '@sangam/contract/statistics.ts';
import { expect, it } from 'vitest';
import { durationText } from './figures.ts';

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
