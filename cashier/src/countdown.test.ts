import { expect, test } from 'vitest';
import { deadlineOf, formatRemaining, resync, untilNextSecond } from './countdown.ts';

test.each([
  [-5000, '0:00'],
  [0, '0:00'],
  [1, '0:01'],
  [1000, '0:01'],
  [59_001, '1:00'],
  [899_999, '15:00'],
  [3_599_000, '59:59'],
  [3_723_000, '1:02:03'],
])('%i ms left reads %s', (remaining, text) => {
  expect(formatRemaining(remaining)).toBe(text);
});

test('a deadline is computed from the middle of the round trip', () => {
  expect(deadlineOf(60_000, 1000, 1400)).toBe(61_200);
});

test('jitter keeps the known deadline; a larger difference replaces it, earlier or later', () => {
  expect(resync(undefined, 61_200)).toBe(61_200);
  expect(resync(61_000, 61_200)).toBe(61_000);
  expect(resync(61_000, 58_000)).toBe(58_000);
  expect(resync(61_000, 960_000)).toBe(960_000);
});

test('ticks fall on the change of the shown second', () => {
  let remaining = 3250.5;
  const shown: string[] = [];
  while (remaining > 0) {
    shown.push(formatRemaining(remaining));
    remaining -= untilNextSecond(remaining);
  }
  expect(shown).toEqual(['0:04', '0:03', '0:02', '0:01']);
});
