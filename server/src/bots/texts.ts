import type { Locale } from '@sangam/contract/locale.ts';
import { TEXTS } from '../platform/texts.ts';

/** A text of the bots in a language, with its fields filled in. */
export function botText(
  locale: Locale,
  key: keyof (typeof TEXTS)['en-US']['bots'],
  values: Readonly<Record<string, string | number>> = {},
): string {
  return TEXTS[locale].bots[key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
