import { expect, test } from 'vitest';
import { ordersOf } from './orders-of-alert.ts';

const openTime = '2026-11-30 12:00:00';

test('an alert about a rate links to the orders created around it, also where lists go by completion', () => {
  const created = {
    counted: 'created',
    filing: 'created',
    period: '2026-11-30 11:15:00~2026-11-30 12:15:00',
  };
  expect(ordersOf({ kind: 'successRateFall', subject: 'bank State Bank INR', openTime })).toEqual({
    ...created,
    currency: 'INR',
    bank: 'State Bank',
  });
  expect(ordersOf({ kind: 'timeToPayDoubled', subject: 'product 1010 INR', openTime })).toEqual({
    ...created,
    currency: 'INR',
    productId: '1010',
  });
  expect(ordersOf({ kind: 'accountAlone', subject: '77', openTime })).toEqual({
    ...created,
    resourceId: '77',
  });
});

test('the fall of an account links to its orders, and other alerts have none', () => {
  expect(ordersOf({ kind: 'successRateFall', subject: 'account 77 INR', openTime })).toMatchObject({
    counted: 'created',
    currency: 'INR',
    resourceId: '77',
  });
  expect(ordersOf({ kind: 'clockSkew', subject: 'node-1', openTime })).toBeUndefined();
});
