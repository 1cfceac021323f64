import type { CodeName } from '@sangam/contract/codes.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import type { Refusal } from '../platform/refusal.ts';
import { TEXTS } from '../platform/texts.ts';

/** The text of a code in the caller's language, its {{names}} filled in. */
export function messageOf(code: CodeName, params: Readonly<Record<string, string>>, locale: Locale): string {
  return TEXTS[locale].codes[code].replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '');
}

/** Codes that say no more than 'not now' and 'not you': with a reason in `data`, the reason is the text. */
const REASONED: readonly CodeName[] = ['conflict', 'forbidden'];

/** Text of a refusal in the caller's language: what a person wrote for it, or of its reason where that has one, else of its code. */
export function refusalText({ code, params, data }: Refusal, locale: Locale): string {
  const { reason, texts: written } = (data ?? {}) as {
    readonly reason?: unknown;
    readonly texts?: Readonly<Record<Locale, string>>;
  };
  if (written) return written[locale];
  const texts: Readonly<Record<string, string>> = TEXTS[locale].refusals;
  const known = REASONED.includes(code) && typeof reason === 'string' && Object.hasOwn(texts, reason);
  return known ? texts[reason]! : messageOf(code, params, locale);
}
