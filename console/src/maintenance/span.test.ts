import { expect, test } from 'vitest';
import { bytesText, spanText } from '../figures/span.ts';

test('durations and sizes are written short', () => {
  expect([0, 59.6, 61, 3723, 152_999].map((seconds) => spanText(seconds, 'en-US'))).toEqual([
    '00:00',
    '01:00',
    '01:01',
    '1:02:03',
    '42:29:59',
  ]);
  expect(['en-US', 'zh-CN', 'zh-TW'].map((language) => spanText(4_837_682, language))).toEqual([
    '55 days',
    '55天',
    '55 天',
  ]);
  expect([0, 1023, 1536, 5 * 1024 ** 3].map(bytesText)).toEqual(['0 B', '1023 B', '1.5 KB', '5 GB']);
});
