import { expect, test } from 'vitest';
import { changesOf, textOf } from './changes.ts';

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
