import type { CodeName } from '@sangam/contract/codes.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import type { Refusal } from '../platform/refusal.ts';
import { TEXTS } from '../platform/texts.ts';

/** The text of a code in the caller's language, with its {{names}} filled in. */
export function messageOf(code: CodeName, params: Readonly<Record<string, string>>, locale: Locale): string {
  return TEXTS[locale].codes[code].replace(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '');
}

/** Codes whose own text is only 'not now' or 'not you'. When `data` has a reason, the text is that reason's. */
const REASONED: readonly CodeName[] = ['conflict', 'forbidden', 'tooMany'];

/** The text of a refusal in the caller's language: the text that a person wrote for it, else the text of its reason, else of its code. */
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
