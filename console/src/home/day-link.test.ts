import { expect, it } from 'vitest';
import { ROLES } from '@sangam/contract/roles.ts';
import { screenFor } from '@sangam/contract/screens.ts';
import { dayLink, hourSpan } from './day-link.ts';

const morning = { startTime: '2026-11-30', endTime: '2026-11-30 10:30:00' };

it('leads to the orders of the figure: the counted set, the currency and the time', () => {
  const link = dayLink('admin', 'completed', 'INR', morning, 'paid')!;
  expect(Object.fromEntries(new URLSearchParams(link.query))).toEqual({
    ct: 'paid',
    fg: 'completed',
    t: '2026-11-30 00:00:00~2026-11-30 10:29:59',
    cu: 'INR',
  });
  // Fees are those of payments that stand; a rate links to the paid orders.
  const countedBy = (measure: 'fee' | 'successRate') =>
    new URLSearchParams(dayLink('admin', 'created', 'INR', morning, measure)!.query).get('ct');
  expect([countedBy('fee'), countedBy('successRate')]).toEqual(['netPaid', 'paid']);
});

it('leads to the orders of one hour, also of the last', () => {
  const timeOf = (hour: number) =>
    new URLSearchParams(
      dayLink('admin', 'created', 'INR', hourSpan('2026-11-30', hour), 'created')!.query,
    ).get('t');
  expect(timeOf(9)).toBe('2026-11-30 09:00:00~2026-11-30 09:59:59');
  expect(timeOf(23)).toBe('2026-11-30 23:00:00~2026-11-30 23:59:59');
});

it('is there for each role that has a list of collection orders', () => {
  for (const role of ROLES)
    expect([role, dayLink(role, 'created', 'INR', morning, 'paid')?.path]).toEqual([
      role,
      screenFor(role, 'collectionOrders')?.path,
    ]);
});

it('shows a supplier its own orders, as home does', () => {
  expect(new URLSearchParams(dayLink('supplier', 'created', 'INR', morning, 'paid')!.query).get('cs')).toBe(
    'own',
  );
});
