import { expect, test } from 'vitest';
import { bytesText, spanText } from '../figures/span.ts';

test('spans and sizes read at a glance', () => {
  expect([0, 59.6, 61, 3723].map(spanText)).toEqual(['00:00', '01:00', '01:01', '1:02:03']);
  expect([0, 1023, 1536, 5 * 1024 ** 3].map(bytesText)).toEqual(['0 B', '1023 B', '1.5 KB', '5 GB']);
});
