import { LOCALES, type Locale } from '@sangam/contract/locale.ts';
import { chooseLocale } from './rule.ts';

/** Key of the choice in this browser's storage. */
export const LANGUAGE_KEY = 'sangam.language';

/** The name of each language in its own script, so that its readers find it. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
};

export const localeOf = (text: string): Locale | undefined => LOCALES.find((locale) => locale === text);

export const chosenLanguage = (): Locale =>
  chooseLocale(localStorage.getItem(LANGUAGE_KEY), navigator.language);

/** Stores the operator's choice. From then on it counts more than the browser's language. */
export const keepLanguage = (locale: Locale): void => localStorage.setItem(LANGUAGE_KEY, locale);
