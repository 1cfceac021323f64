import type { Locale } from '@sangam/contract/locale.ts';
import checks from '@sangam/contract/locales/checks.json' with { type: 'json' };
import enUS from '@sangam/contract/locales/en-US.json' with { type: 'json' };
import zhCN from '@sangam/contract/locales/zh-CN.json' with { type: 'json' };
import zhTW from '@sangam/contract/locales/zh-TW.json' with { type: 'json' };

/** Names of codes, statuses and marks as the contract words them, by language. */
export const TEXTS: Readonly<Record<Locale, typeof enUS>> = { 'en-US': enUS, 'zh-CN': zhCN, 'zh-TW': zhTW };

const CHECK_NAMES: Readonly<Record<string, Readonly<Partial<Record<Locale, string>>>>> = checks;

/** Name of a check of the books in a language; its own name is English, and stands where there is no other. */
export const checkName = (name: string, locale: Locale): string => CHECK_NAMES[name]?.[locale] ?? name;
