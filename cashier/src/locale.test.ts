import { expect, test } from 'vitest';
import { startLocale, translator } from './locale.ts';
import en from './locales/en-US.json';
import hi from './locales/hi-IN.json';
import sw from './locales/sw-KE.json';
import zhCN from './locales/zh-CN.json';
import zhTW from './locales/zh-TW.json';

test.each([
  [undefined, ['hi-IN', 'ta'], 'hi-IN'],
  [undefined, ['ta', 'sw'], 'sw-KE'],
  [undefined, ['ta-IN'], 'en-US'],
  ['sw-KE', ['en-IN'], 'sw-KE'],
  [undefined, [], 'en-US'],
  [undefined, ['ta-IN', 'zh-HK', 'en'], 'zh-TW'],
  [undefined, ['zh-SG'], 'zh-CN'],
  ['zh-CN', ['en-IN'], 'zh-CN'],
  ['fr-FR', ['en-IN'], 'en-US'],
])('choice %j and languages %j give %s', (chosen, languages, locale) => {
  expect(startLocale(chosen, languages)).toBe(locale);
});

test('values are filled in', () => {
  expect(translator('en-US')('copyName', { name: 'IFSC' })).toBe('Copy IFSC');
});

const shape = (texts: Record<string, string>): [string, string[]][] =>
  Object.entries(texts).map(([key, text]) => [key, (text.match(/\{\{\w+\}\}/g) ?? []).toSorted()]);

test('all languages hold the same keys with the same values to fill in', () => {
  expect(shape(zhCN)).toEqual(shape(en));
  expect(shape(zhTW)).toEqual(shape(en));
  expect(shape(hi)).toEqual(shape(en));
  expect(shape(sw)).toEqual(shape(en));
});
