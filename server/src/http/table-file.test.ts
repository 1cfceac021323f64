import { expect, test } from 'vitest';
import { csvLine } from './table-file.ts';

test('what a spreadsheet would round or read as another number is written as text', () => {
  const cells = ['910057621422080054', '007', '12E5', 'E5', '12.50'];
  expect(csvLine(cells, [false, false, false, false, true])).toBe(
    '"=""910057621422080054""","=""007""","=""12E5""",E5,12.50\r\n',
  );
});
