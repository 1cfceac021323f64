import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';

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
