import { expect, it } from 'vitest';
import { hourValues, successRate, type DayFigures } from './figures-of-day.ts';

const day: DayFigures = {
  hours: [{ hour: 3, created: 4, paid: 3, paidAmount: 900 }],
  created: 4,
  paid: 3,
  amount: 1200,
  paidAmount: 900,
};

it('fills the hours without orders', () => {
  const values = hourValues(day, 'created');
  expect(values).toHaveLength(24);
  expect(values[3]).toBe(4);
  expect(values.reduce((sum, value) => sum + value, 0)).toBe(4);
  expect(hourValues(day, 'successRate')[3]).toBe(75);
});

it('has no success rate before the first order', () => {
  expect(successRate(day)).toBe(0.75);
  expect(successRate({ ...day, created: 0, paid: 0 })).toBeUndefined();
});
