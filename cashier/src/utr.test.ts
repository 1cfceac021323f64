import { expect, test } from 'vitest';
import { normaliseUtr, utrProblem } from './utr.ts';

test('separators, case and full-width digits do not matter', () => {
  expect(normaliseUtr(' 5215 1234-5678\n')).toBe('521512345678');
  expect(normaliseUtr('sbin 125050500001')).toBe('SBIN125050500001');
  expect(normaliseUtr('５２１５１２３４５６７８')).toBe('521512345678');
});

test.each([
  ['', 'utrEmpty'],
  ['12345', 'utrShort'],
  ['123456', undefined],
  ['UTIBR72025120100000001', undefined],
  ['1'.repeat(30), undefined],
  ['1'.repeat(31), 'utrLong'],
  ['5215/1234567', 'utrCharacters'],
  ['参考号123456', 'utrCharacters'],
])('%j: %s', (utr, problem) => {
  expect(utrProblem(utr)).toBe(problem);
});
