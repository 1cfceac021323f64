import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';

const cellsOf = (text: string) => readCsv(text)?.map(({ cells }) => cells);

test('cells, quotes, doubled quotes and line breaks inside quotes', () => {
  expect(cellsOf('a,b\r\n"x, y","say ""hi""\nthere"\n,\nlast,')).toEqual([
    ['a', 'b'],
    ['x, y', 'say "hi"\nthere'],
    ['last', ''],
  ]);
  expect(cellsOf('')).toEqual([]);
  expect(cellsOf('one')).toEqual([['one']]);
  expect(cellsOf('a\n')).toEqual([['a']]);
});

test('rows keep their place in the file although empty ones are left out', () => {
  expect(readCsv('h\n\n\nx\n')).toEqual([
    { row: 1, cells: ['h'] },
    { row: 4, cells: ['x'] },
  ]);
});

test.each(['"open', 'a"b,c', '"a"b,c'])('%s has no certain columns', (text) => {
  expect(readCsv(text)).toBeUndefined();
});
