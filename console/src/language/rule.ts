import { DEFAULT_LOCALE, LOCALES, type Locale } from '@sangam/contract/locale.ts';

/** A choice of the user wins. Without one: the browser's language if it is exactly zh-CN or en-US, else zh-CN. */
export function chooseLocale(chosen: string | null, browser: string): Locale {
  return LOCALES.find((locale) => locale === chosen) ?? (browser === 'en-US' ? browser : DEFAULT_LOCALE);
}
