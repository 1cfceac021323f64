import { expect, test } from 'vitest';
import { utr } from './fields.ts';
import { looksLikeUpi, readReference } from './references.ts';

test.each([
  '-',
  '--',
  'NA',
  'N/A',
  'na.',
  'NIL',
  'NOT AVAILABLE',
  'NOTPROVIDED',
  '0',
  '000000000000',
  '999999',
  'XXXXXX',
  'XXXX0000',
  '',
])('%j names no transfer', (text) => {
  expect(readReference(text)).toBeNull();
  expect(utr.safeParse(text).success).toBe(false);
});

test.each([
  ['6098 1234 5678', '609812345678'],
  ['hdfcn52026-041512345678', 'HDFCN52026041512345678'],
  ['S1234567', 'S1234567'],
  ['TXN123', 'TXN123'],
  ['0000612345678901', '612345678901'],
  ['000112345678', '000112345678'],
  ['112345678', '000112345678'],
  ['00112233', '00112233'],
  ['6123456789012', '6123456789012'],
  ['SBIN000112345678', 'SBIN000112345678'],
  ['SGL21AB34C', 'SGL21AB34C'],
])('%j does', (text, reference) => {
  expect(readReference(text)).toBe(reference);
  expect(utr.parse(text)).toBe(reference);
});

test('only twelve digits look like a UPI reference', () => {
  expect(looksLikeUpi('412345678901')).toBe(true);
  expect(looksLikeUpi('41234567890')).toBe(false);
  expect(looksLikeUpi('HDFC12345678')).toBe(false);
});
