import { expect, it } from 'vitest';
import { drillQuery } from './drill-link.ts';

const parts = (query: string | undefined) => Object.fromEntries(new URLSearchParams(query));

it('keeps what was asked, and shows the merchant or supplier by product', () => {
  const search = '?t=lastWeek&g=merchant&cu=INR';
  expect(parts(drillQuery(search, 'merchant', { merchantId: '901', supplierId: null }))).toEqual({
    t: 'lastWeek',
    cu: 'INR',
    m: '901',
    g: 'product',
  });
  // A screen that groups by supplier within one merchant keeps the merchant.
  expect(parts(drillQuery('?m=901', 'supplier', { merchantId: null, supplierId: '77' }))).toEqual({
    m: '901',
    sp: '77',
    g: 'product',
  });
});

it('is there only for rows of a merchant or supplier', () => {
  expect(drillQuery('', 'day', { merchantId: '901', supplierId: null })).toBeUndefined();
  expect(drillQuery('', 'supplier', { merchantId: null, supplierId: '0' })).toBeUndefined();
});
