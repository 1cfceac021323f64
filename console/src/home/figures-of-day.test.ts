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
  expect(values.filter((value) => value !== 0)).toEqual([4]);
  expect(hourValues(day, 'successRate')[3]).toBe(75);
});

it('has no success rate in an hour without orders: a gap, not 0 %', () => {
  const hours = [...day.hours, { hour: 5, created: 2, paid: 0, paidAmount: 0 }];
  const values = hourValues({ ...day, hours }, 'successRate');
  expect(values).toHaveLength(24);
  expect(values.slice(2, 7)).toEqual([null, 75, null, 0, null]);
});

it('has no success rate before the first order', () => {
  expect(successRate(day)).toBe(0.75);
  expect(successRate({ ...day, created: 0, paid: 0 })).toBeUndefined();
});
