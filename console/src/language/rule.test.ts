import { expect, it } from 'vitest';
import { chooseLocale } from './rule.ts';

it('takes an explicit choice over the browser', () => {
  expect(chooseLocale('zh-TW', 'en-US')).toBe('zh-TW');
  expect(chooseLocale('zh-CN', 'en-US')).toBe('zh-CN');
});

it('takes the browser where it is exactly zh-CN or en-US', () => {
  expect(chooseLocale(null, 'en-US')).toBe('en-US');
  expect(chooseLocale(null, 'zh-CN')).toBe('zh-CN');
});

it('falls back to zh-CN', () => {
  expect(chooseLocale(null, 'en-GB')).toBe('zh-CN');
  expect(chooseLocale(null, 'zh-TW')).toBe('zh-CN');
  expect(chooseLocale('fr-FR', 'hi-IN')).toBe('zh-CN');
});
