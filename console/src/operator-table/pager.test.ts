import { expect, test } from 'vitest';
import { totalOf } from './pager.tsx';

const number = new Intl.NumberFormat('en-US');

test.each([
  ['the list knows it', { total: 57, totalCapped: false }, undefined, '57'],
  ['the list is exact, its totals are a moment older', { total: 57, totalCapped: false }, 56, '57'],
  ['only the totals know it', { total: 10_001, totalCapped: true }, 11_747, '11,747'],
  ['nobody knows it', { total: 10_001, totalCapped: true }, undefined, '10,000+'],
  ['the totals are of the filter before', { total: 10_001, totalCapped: true }, 12, '10,000+'],
])('how many rows a list has: %s', (_case, answer, count, said) => {
  expect(totalOf(answer, count, number)).toBe(said);
});
