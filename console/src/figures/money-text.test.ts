import { expect, it } from 'vitest';
import { moneyText, shortMoneyText } from './money-text.ts';

it('groups rupees by lakh and crore', () => {
  expect(moneyText(0, 'INR')).toBe('₹0.00');
  expect(moneyText(99_900, 'INR')).toBe('₹999.00');
  expect(moneyText(100_000, 'INR')).toBe('₹1,000.00');
  expect(moneyText(12_345_678_901, 'INR')).toBe('₹12,34,56,789.01');
  expect(moneyText(-1_234_567, 'INR')).toBe('−₹12,345.67');
});

it('leaves the fraction out of sums', () => {
  expect(moneyText(2_350_640_699, 'INR', true)).toBe('₹2,35,06,406');
});

it('groups other currencies by thousands and keeps the digits USDT has', () => {
  expect(moneyText(1_234_567_00, 'KES')).toBe('KSh 1,234,567.00');
  expect(moneyText(1_234_500_000, 'USDT')).toBe('₮ 1,234.50');
  expect(moneyText(1_000_001, 'USDT')).toBe('₮ 1.000001');
});

it('shortens a sum, and never shows more than it is', () => {
  expect(shortMoneyText(9_999_999, 'INR')).toBe('₹99,999');
  expect(shortMoneyText(12_345_678, 'INR')).toBe('₹1.23 L');
  expect(shortMoneyText(999_999_999, 'INR')).toBe('₹99.99 L');
  expect(shortMoneyText(-123_456_789_012_99, 'INR')).toBe('−₹12,345.67 Cr');
  expect(shortMoneyText(1_234_567, 'KES')).toBe('KSh 12.34 K');
  expect(shortMoneyText(1_999_999_999_999, 'USDT')).toBe('₮ 1.99 M');
});
