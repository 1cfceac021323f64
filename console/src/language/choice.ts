import { LOCALES, type Locale } from '@sangam/contract/locale.ts';
import { chooseLocale } from './rule.ts';

/** Where this browser keeps it. */
export const LANGUAGE_KEY = 'sangam.language';

/** Each language in its own script, so that whoever reads it finds it. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
};

export const localeOf = (text: string): Locale | undefined => LOCALES.find((locale) => locale === text);

export const chosenLanguage = (): Locale =>
  chooseLocale(localStorage.getItem(LANGUAGE_KEY), navigator.language);

/** The operator's own choice: kept, and from then on above the browser's. */
export const keepLanguage = (locale: Locale): void => localStorage.setItem(LANGUAGE_KEY, locale);
