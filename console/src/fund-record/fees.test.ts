import { expect, test } from 'vitest';
import { feeLines, feeTable, monthsUntil, spanOf } from './fees.ts';

test('months go back over the turn of the year; a month ends with its last second', () => {
  expect(monthsUntil('2026-02-03 10:00:00').slice(0, 3)).toEqual(['2026-02', '2026-01', '2025-12']);
  expect(spanOf('2028-02')).toEqual({ startTime: '2028-02-01 00:00:00', endTime: '2028-02-29 23:59:59' });
});

test('a line counts payments without reversed ones, and the file has decimals', () => {
  const [inr, none] = [
    { paid: 3, reversed: 1, netPaidAmount: 1_234_50, fee: 5 },
    { paid: 0, fee: 0 },
  ].map((measures) => ({ currency: 'INR' as const, productId: 1010, name: 'UPI', measures }));
  const lines = feeLines([inr!, none!]);
  expect(lines).toEqual([
    { currency: 'INR', productId: 1010, productName: 'UPI', paid: 2, amount: 1_234_50, fee: 5 },
  ]);
  expect(feeTable(lines, ({ productId, productName }) => `${productId} ${productName}`)).toEqual([
    ['currency', 'product', 'orders', 'amount', 'fee'],
    ['INR', '1010 UPI', '2', '1234.50', '0.05'],
  ]);
});
