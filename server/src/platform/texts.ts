import type { Locale } from '@sangam/contract/locale.ts';
import enUS from '@sangam/contract/locales/en-US.json' with { type: 'json' };
import zhCN from '@sangam/contract/locales/zh-CN.json' with { type: 'json' };
import zhTW from '@sangam/contract/locales/zh-TW.json' with { type: 'json' };

/** Names of codes, statuses and marks as the contract words them, by language. */
export const TEXTS: Readonly<Record<Locale, typeof enUS>> = { 'en-US': enUS, 'zh-CN': zhCN, 'zh-TW': zhTW };
