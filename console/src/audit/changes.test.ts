import { expect, test } from 'vitest';
import { changesOf, textOf, valueText } from './changes.ts';

test('only what differs is a change; a field that came or went has no value on one side', () => {
  expect(changesOf({ before: { a: 1, b: 2, c: [1] }, after: { a: 1, b: 3, c: [1], d: 'x' } })).toEqual([
    { field: 'b', before: 2, after: 3 },
    { field: 'd', before: undefined, after: 'x' },
  ]);
  expect(changesOf({ before: null, after: { name: 'x' } })).toEqual([
    { field: 'name', before: undefined, after: 'x' },
  ]);
  expect(changesOf({ before: [1], after: [2] })).toEqual([{ field: 'value', before: [1], after: [2] }]);
});

test('nothing before and nothing after is no change', () => {
  expect(changesOf({ before: { a: 1 }, after: { a: 2, reason: null } })).toEqual([
    { field: 'a', before: 1, after: 2 },
  ]);
});

test('the kinds and states of requests have their names', () => {
  const words: Readonly<Record<string, string>> = {
    'approvalKinds.batchCancel': 'Exported batch cancelled',
    'approvalStatus.refused': 'Rejected',
  };
  const name = (group: string, key: string | number) => words[`${group}.${key}`] ?? String(key);
  expect(valueText(name, 'approval.start', 'kind', 'batchCancel')).toBe('Exported batch cancelled');
  expect(valueText(name, 'approval.refuse', 'status', 'refused')).toBe('Rejected');
  expect(valueText(name, 'monitor.update', 'kind', 'batchCancel')).toBe('batchCancel');
});

test('a value is one line', () => {
  expect([undefined, null, '', false, 0, 'x', { a: 1 }].map(textOf)).toEqual([
    '–',
    '–',
    '–',
    'false',
    '0',
    'x',
    '{"a":1}',
  ]);
});
