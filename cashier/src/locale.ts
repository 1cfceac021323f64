import { LOCALES, pickLocale, type Locale } from '@sangam/contract/locale.ts';
import en from './locales/en-US.json';
import hi from './locales/hi-IN.json';
import sw from './locales/sw-KE.json';
import zhCN from './locales/zh-CN.json';
import zhTW from './locales/zh-TW.json';
import { recall, remember } from './memory.ts';

/** Payers have two more languages than the console. The server answers in English for these two. */
export const PAYER_LOCALES = [...LOCALES, 'hi-IN', 'sw-KE'] as const;

export type PayerLocale = Locale | 'hi-IN' | 'sw-KE';
export type TextKey = keyof typeof en;
export type Translate = (key: TextKey, values?: Readonly<Record<string, string>>) => string;

const TEXTS: Record<PayerLocale, Record<TextKey, string>> = {
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': en,
  'hi-IN': hi,
  'sw-KE': sw,
};
const CHOICE = 'sangam.cashier.locale';

/** The payer's own choice, else the first of the browser's languages that the page has, else English, because payers are in India. */
export function startLocale(chosen: string | undefined, languages: readonly string[]): PayerLocale {
  const known = PAYER_LOCALES.find((locale) => locale === chosen);
  if (known) return known;
  const spoken = languages.find((language) => /^(?:en|hi|sw|zh)\b/i.test(language)) ?? 'en-US';
  if (/^hi/i.test(spoken)) return 'hi-IN';
  return /^sw/i.test(spoken) ? 'sw-KE' : pickLocale([spoken]);
}

/** The languages that the server is asked to answer in. */
export const serverLanguages = (locale: string): string => `${locale}, en;q=0.5`;

export function recallLocale(): PayerLocale {
  return startLocale(recall('browser', CHOICE), navigator.languages);
}

export function rememberLocale(locale: PayerLocale): void {
  remember('browser', CHOICE, locale);
}

export function translator(locale: PayerLocale): Translate {
  return (key, values = {}) =>
    TEXTS[locale][key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
