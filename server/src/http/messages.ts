import type { CodeName } from '@sangam/contract/codes.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import enUS from '@sangam/contract/locales/en-US.json' with { type: 'json' };
import zhCN from '@sangam/contract/locales/zh-CN.json' with { type: 'json' };
import zhTW from '@sangam/contract/locales/zh-TW.json' with { type: 'json' };

const TEXTS: Readonly<Record<Locale, Readonly<Record<CodeName, string>>>> = {
  'en-US': enUS.codes,
  'zh-CN': zhCN.codes,
  'zh-TW': zhTW.codes,
};

/** The text of a code in the caller's language, its {{names}} filled in. */
export function messageOf(code: CodeName, params: Readonly<Record<string, string>>, locale: Locale): string {
  return TEXTS[locale][code].replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '');
}
