import { expect, it } from 'vitest';
import { parseTime } from '@sangam/contract/time.ts';
import { dateText, relativeText } from './moment-text.ts';

const now = parseTime('2026-11-20 12:00:00')!.getTime();
const ago = (text: string) => relativeText(parseTime(text)!, now, 'en-US');

it('says how long ago within a day', () => {
  expect(ago('2026-11-20 11:59:30')).toBe('30 sec. ago');
  expect(ago('2026-11-20 11:57:01')).toBe('2 min. ago');
  expect(ago('2026-11-19 12:00:01')).toBe('23 hr. ago');
  expect(ago('2026-11-20 12:05:00')).toBe('in 5 min.');
});

it('returns nothing for older moments, which show their date', () => {
  expect(ago('2026-11-19 12:00:00')).toBeUndefined();
});

it('names the year where it is another one', () => {
  expect(dateText('2026-10-23 15:41:07', '2026-11-22 18:00:00')).toBe('10-23 15:41');
  expect(dateText('2027-10-23 15:41:07', '2026-11-22 18:00:00')).toBe('2027-10-23');
});
