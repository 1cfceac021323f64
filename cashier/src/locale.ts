import { LOCALES, pickLocale, type Locale } from '@sangam/contract/locale.ts';
import en from './locales/en-US.json';
import zhCN from './locales/zh-CN.json';
import zhTW from './locales/zh-TW.json';
import { recall, remember } from './memory.ts';

export type TextKey = keyof typeof en;
export type Translate = (key: TextKey, values?: Readonly<Record<string, string>>) => string;

const TEXTS: Record<Locale, Record<TextKey, string>> = { 'zh-CN': zhCN, 'zh-TW': zhTW, 'en-US': en };
const CHOICE = 'sangam.cashier.locale';

/** The payer's own choice, else the first of the browser's languages we speak, else English: payers are in India. */
export function startLocale(chosen: string | undefined, languages: readonly string[]): Locale {
  return LOCALES.find((locale) => locale === chosen) ?? pickLocale([...languages, 'en-US']);
}

export function recallLocale(): Locale {
  return startLocale(recall('browser', CHOICE), navigator.languages);
}

export function rememberLocale(locale: Locale): void {
  remember('browser', CHOICE, locale);
}

export function translator(locale: Locale): Translate {
  return (key, values = {}) =>
    TEXTS[locale][key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
