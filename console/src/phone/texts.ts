import type { Locale } from '@sangam/contract/locale.ts';
import type { PhoneTexts } from 'virtual:phone-texts/en-US';

export type { PhoneTexts };

/** Each language is in a file of its own, because a supplier reads only one. */
const LOADERS: Readonly<Record<Locale, () => Promise<{ readonly texts: PhoneTexts }>>> = {
  'en-US': () => import('virtual:phone-texts/en-US'),
  'zh-CN': () => import('virtual:phone-texts/zh-CN'),
  'zh-TW': () => import('virtual:phone-texts/zh-TW'),
};

export const loadTexts = async (locale: Locale): Promise<PhoneTexts> => (await LOADERS[locale]()).texts;

/** Fills in the {{names}} of a text. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
