import { expect, test } from 'vitest';
import { amountParts, formatAmount } from './amount.ts';

test.each([
  [0, '₹0.00'],
  [5, '₹0.05'],
  [99_999, '₹999.99'],
  [100_000, '₹1,000.00'],
  [9_999_900, '₹99,999.00'],
  [10_000_000, '₹1,00,000.00'],
  [123_456_789_012, '₹1,23,45,67,890.12'],
  [Number.MAX_SAFE_INTEGER, '₹9,00,71,99,25,47,409.91'],
])('groups %i paise the Indian way', (minor, text) => {
  expect(formatAmount(minor, 'INR')).toBe(text);
});

test('groups other currencies by three', () => {
  expect(formatAmount(123_456_789, 'KES')).toBe('KSh 1,234,567.89');
  expect(formatAmount(1_234_567_891, 'USDT')).toBe('1,234.567891 USDT');
});

test('parts put together are the whole', () => {
  expect(amountParts(10_000_037, 'INR')).toEqual({ whole: '₹1,00,000', fraction: '.37', suffix: '' });
});
