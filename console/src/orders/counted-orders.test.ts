import { expect, test } from 'vitest';
import { createdInMinutes } from './counted-orders.ts';

test('a link to counted orders names what is counted, up to the end of the last minute', () => {
  expect(createdInMinutes('2026-11-30 12:00:00', '2026-11-30 12:09:00')).toEqual({
    counted: 'created',
    filing: 'created',
    period: '2026-11-30 12:00:00~2026-11-30 12:09:59',
  });
});
