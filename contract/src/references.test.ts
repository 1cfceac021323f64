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
  // Ten characters with few digits, but no month or no day: no receipt of M-Pesa.
  'TXNFAILED2',
  'UPIPAYMEN1',
  'SALARYFEBR',
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
  // The receipt of Safaricom's own example: M-Pesa draws letters and digits.
  ['RKTQDM7W6S', 'RKTQDM7W6S'],
  ['ug5 qrtzhbw', 'UG5QRTZHBW'],
])('%j does', (text, reference) => {
  expect(readReference(text)).toBe(reference);
  expect(utr.parse(text)).toBe(reference);
});

test('a receipt without any digit counts where the currency is that of M-Pesa', () => {
  expect(readReference('UKGQWERTYZ')).toBeNull();
  expect(readReference('UKGQWERTYZ', 'INR')).toBeNull();
  expect(readReference('ukg qwertyz', 'KES')).toBe('UKGQWERTYZ');
  expect(readReference('NOTPROVIDE', 'KES')).toBeNull();
});

test('only twelve digits look like a UPI reference', () => {
  expect(looksLikeUpi('412345678901')).toBe(true);
  expect(looksLikeUpi('41234567890')).toBe(false);
  expect(looksLikeUpi('HDFC12345678')).toBe(false);
});
