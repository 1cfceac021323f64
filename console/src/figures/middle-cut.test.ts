import { expect, it } from 'vitest';
import { middleCut } from './middle-cut.ts';

it('keeps both ends of a long id and all of a short one', () => {
  expect(middleCut('M2026112004789107', 16)).toBe('M20261120…789107');
  expect(middleCut('412977535730', 16)).toBe('412977535730');
  expect(middleCut('123456789', 5)).toBe('12…89');
});
