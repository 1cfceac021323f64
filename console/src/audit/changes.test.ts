import { expect, test } from 'vitest';
import { changesOf, changeText } from './changes.ts';

test('only fields that differ are changes; an added or removed field has a value on one side only', () => {
  expect(changesOf({ before: { a: 1, b: 2, c: [1] }, after: { a: 1, b: 3, c: [1], d: 'x' } })).toEqual([
    { field: 'b', before: 2, after: 3 },
    { field: 'd', before: undefined, after: 'x' },
  ]);
  expect(changesOf({ before: null, after: { name: 'x' } })).toEqual([
    { field: 'name', before: undefined, after: 'x' },
  ]);
  expect(changesOf({ before: [1], after: [2] })).toEqual([{ field: 'value', before: [1], after: [2] }]);
});

test('no value before and no value after is no change', () => {
  expect(changesOf({ before: { a: 1 }, after: { a: 2, reason: null } })).toEqual([
    { field: 'a', before: 1, after: 2 },
  ]);
});

test('a field whose value is hidden before and after may have changed, so it is shown', () => {
  expect(changesOf({ before: { name: '***' }, after: { name: '***' } })).toEqual([
    { field: 'name', before: '***', after: '***' },
  ]);
});

test('changes are shown in words: kinds and states of requests, sums, settings', () => {
  const words: Readonly<Record<string, string>> = {
    'approvalKinds.batchCancel': 'Exported batch cancelled',
    'approvalStatus.refused': 'Rejected',
    'units.min': 'min',
  };
  const name = (group: string, key: string | number) => words[`${group}.${key}`] ?? String(key);
  const text = (action: string, subject: string, after: object, field: keyof typeof after) =>
    changeText(name, { action, subject, before: null, after }, field, after[field]);
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
