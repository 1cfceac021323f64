import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('quotes what needs it and takes the force out of formulas', () => {
  expect(
    csvOf([
      ['a', 'b,c', 'say "x"'],
      ['=1+1', -3, 'two\nlines'],
    ]),
  ).toBe('\u{feff}a,"b,c","say ""x"""\r\n\'=1+1,-3,"two\nlines"\r\n');
});
