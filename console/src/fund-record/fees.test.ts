import { expect, test } from 'vitest';
import { feeTable, monthsUntil } from './fees.ts';

test('months go back over the turn of the year', () => {
  expect(monthsUntil('2026-02-03 10:00:00').slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12']);
});

test('the file has decimals', () => {
  const line = {
    currency: 'INR' as const,
    productId: 1010,
    productName: 'UPI',
    paid: 2,
    amount: 1_234_50,
    fee: 5,
  };
  expect(feeTable([line], ({ productId, productName }) => `${productId} ${productName}`)).toEqual([
    ['currency', 'product', 'orders', 'amount', 'fee'],
    ['INR', '1010 UPI', '2', '1234.50', '0.05'],
  ]);
});
