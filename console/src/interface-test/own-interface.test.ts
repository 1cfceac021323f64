import { expect, it } from 'vitest';
import { unitsOf, wireAmount } from './own-interface.ts';

it('amounts are sent in hundredths, for USDT in ten-thousandths', () => {
  expect([unitsOf('INR'), unitsOf('KES'), unitsOf('USDT')]).toEqual([100, 100, 10_000]);
  expect(wireAmount(1_234_50, 'INR')).toBe(1_234_50);
  expect(wireAmount(12_500_000, 'USDT')).toBe(125_000);
});
