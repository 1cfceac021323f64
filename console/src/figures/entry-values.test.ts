import { expect, test } from 'vitest';
import { entryText, entryValue } from './entry-values.ts';

test('changes are shown in words: kinds and states of requests, sums, settings', () => {
  const words: Readonly<Record<string, string>> = {
    'approvalKinds.batchCancel': 'Exported batch cancelled',
    'approvalStatus.refused': 'Rejected',
    'units.min': 'min',
  };
  const name = (group: string, key: string | number) => words[`${group}.${key}`] ?? String(key);
  const text = (action: string, subject: string, after: object, field: keyof typeof after) =>
    entryValue(name, { action, subject, before: null, after, order: null }, field, after[field]);
  const of = (action: string, field: string, value: unknown, others: object = {}) =>
    text(action, 'x:1', { [field]: value, ...others }, field as never);
  expect(of('approval.start', 'kind', 'batchCancel')).toBe('Exported batch cancelled');
  expect(of('approval.refuse', 'status', 'refused')).toBe('Rejected');
  expect(of('monitor.update', 'kind', 'batchCancel')).toBe('batchCancel');
  expect(of('order.reverse', 'status', 3)).toBe('3');
  expect(of('terms.set', 'maxAmount', 100_000_00, { currency: 'INR' })).toBe('₹1,00,000.00');
  expect(of('terms.set', 'maxAmount', 100_000_00)).toBe('10000000');
  expect(text('setting.change', 'setting:OrderTimeoutMinutes', { value: 20 }, 'value' as never)).toBe(
    '20 min',
  );
});

test('of an order, the status has its name and an amount its currency', () => {
  const name = (group: string, key: string | number) => `${group}.${key}`;
  const after = { status: 3, mark: 1, received: '50000' };
  const text = (direction: 'in' | 'out', field: keyof typeof after) =>
    entryValue(
      name,
      {
        action: 'order.reverse',
        subject: 'order:1',
        before: null,
        after,
        order: { direction, currency: 'INR' },
      },
      field,
      after[field],
    );
  expect(text('in', 'status')).toBe('collectionStatus.3');
  expect(text('out', 'status')).toBe('payoutStatus.3');
  expect(text('in', 'mark')).toBe('orderMark.1');
  expect(text('in', 'received')).toBe('₹500.00');
});

test('a whole entry is one line', () => {
  const name = (group: string, key: string | number) => `${group}.${key}`;
  const entry = { action: 'order.reverse', subject: 'order:1', before: { status: 3 }, after: 'x' } as const;
  const of = { ...entry, order: { direction: 'out', currency: null } } as const;
  expect(entryText(name, of, of.before)).toBe('auditFields.status: payoutStatus.3');
  expect(entryText(name, of, of.after)).toBe('x');
  expect(entryText(name, of, null)).toBe('–');
});
