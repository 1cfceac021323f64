import type { CodeName } from '@sangam/contract/codes.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { TEXTS } from '../platform/texts.ts';

/** The text of a code in the caller's language, its {{names}} filled in. */
export function messageOf(code: CodeName, params: Readonly<Record<string, string>>, locale: Locale): string {
  return TEXTS[locale].codes[code].replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '');
}
