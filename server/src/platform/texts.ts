import type { Locale } from '@sangam/contract/locale.ts';
import checks from '@sangam/contract/locales/checks.json' with { type: 'json' };
import enUS from '@sangam/contract/locales/en-US.json' with { type: 'json' };
import zhCN from '@sangam/contract/locales/zh-CN.json' with { type: 'json' };
import zhTW from '@sangam/contract/locales/zh-TW.json' with { type: 'json' };

/** The contract's texts for codes, statuses and marks, by language. */
export const TEXTS: Readonly<Record<Locale, typeof enUS>> = { 'en-US': enUS, 'zh-CN': zhCN, 'zh-TW': zhTW };

const CHECK_NAMES: Readonly<Record<string, Readonly<Partial<Record<Locale, string>>>>> = checks;

/** The name of a check of the books in a language. Where there is no translation it is the check's own name, in English. */
export const checkName = (name: string, locale: Locale): string => CHECK_NAMES[name]?.[locale] ?? name;
