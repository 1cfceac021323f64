import { expect, test } from 'vitest';
import {
  amountText,
  boundToMinor,
  FILTER_OFFSET,
  filterAmountToMinor,
  formatMinor,
  merchantAmountFactor,
} from './money.ts';
import { businessDay, formatTime, parseTime } from './time.ts';

test('minor units are written as decimals, whatever their sign and size', () => {
  expect(formatMinor(123_450n, 'INR')).toBe('1234.50');
  expect(formatMinor(-5, 'INR')).toBe('-0.05');
  expect(formatMinor(1n, 'USDT')).toBe('0.000001');
  expect(formatMinor(900_719_925_474_099_123n, 'KES')).toBe('9007199254740991.23');
});

test('amounts in sentences have the separators of their currency, and no needless zeros', () => {
  expect(amountText(123_456_750n, 'INR')).toBe('12,34,567.50');
  expect(amountText(-10_000_000, 'KES')).toBe('-100,000.00');
  expect(amountText(1_234_500_000n, 'USDT')).toBe('1,234.50');
  expect(amountText(99_000_001n, 'USDT')).toBe('99.000001');
});

test("filters undo the client's +0.0001", () => {
  expect(filterAmountToMinor(1234.5001, 'INR')).toBe(123_450n);
  expect(filterAmountToMinor(0.2901, 'INR')).toBe(29n);
  expect(filterAmountToMinor(1.5001, 'USDT')).toBe(1_500_000n);
  expect(filterAmountToMinor(25.3456 + FILTER_OFFSET, 'USDT')).toBe(25_345_600n);
  expect(filterAmountToMinor(9_999_999.123456 + FILTER_OFFSET, 'USDT')).toBe(9_999_999_123_456n);
});

test('ends of a range are exact in every currency, and rounded inwards', () => {
  expect(boundToMinor('25.3456', 'USDT', 'from')).toBe(25_345_600n);
  expect(boundToMinor('25.3456', 'INR', 'from')).toBe(2_535n);
  expect(boundToMinor('25.3456', 'INR', 'to')).toBe(2_534n);
  expect(boundToMinor('25.30', 'KES', 'from')).toBe(2_530n);
  expect(boundToMinor('999999999999.999999', 'USDT', 'to')).toBe(999_999_999_999_999_999n);
});

test('the merchant API counts USDT in ten-thousandths', () => {
  expect(10_000n * merchantAmountFactor('USDT')).toBe(1_000_000n);
  expect(merchantAmountFactor('INR')).toBe(1n);
});

test('times on the wire are Asia/Kolkata, and a day that does not exist is refused', () => {
  const moment = new Date('2026-11-15T18:30:00Z');
  expect(formatTime(moment)).toBe('2026-11-16 00:00:00');
  expect(businessDay(moment)).toBe('2026-11-16');
  expect(parseTime('2026-11-16 00:00:00')).toEqual(moment);
  expect(parseTime('2026-02-30')).toBeUndefined();
});
