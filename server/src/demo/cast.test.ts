import { expect, test } from 'vitest';
import { receivingCast } from './cast.ts';

test('of many receiving accounts no two have the same last four digits or the same VPA', () => {
  const cast = receivingCast(300);
  expect(new Set(cast.map(({ accountNumber }) => accountNumber.slice(-4))).size).toBe(300);
  expect(new Set(cast.map(({ vpa }) => vpa)).size).toBe(300);
  expect(cast.slice(0, receivingCast().length)).toEqual(receivingCast());
});
