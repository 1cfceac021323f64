import type { AlertKind } from '@sangam/contract/alerts.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { checkName, TEXTS } from '../platform/texts.ts';

export interface AlertWords {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly data: Readonly<Record<string, string | number>>;
}

/** An alert as one sentence in a language. */
export function alertText({ kind, subject, data }: AlertWords, locale: Locale): string {
  return filled(TEXTS[locale].alerts[kind], { ...data, subject }, locale);
}

/** Name of an alert's kind in a language. */
export function alertName(kind: AlertKind, locale: Locale): string {
  return TEXTS[locale].alertKinds[kind];
}

/** A text with its {{fields}} filled in. A value that has a name is shown by that name. */
export function filled(text: string, values: AlertWords['data'], locale: Locale): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, field: string) => {
    const value = String(values[field] ?? '');
    return NAMED[field]?.(value, locale) ?? value;
  });
}

const nameIn =
  (group: 'approvalKinds' | 'nameLists' | 'sealedThings' | 'sealFaults') =>
  (value: string, locale: Locale): string | undefined =>
    (TEXTS[locale][group] as Readonly<Record<string, string>>)[value];

/** Fields whose values have names. A value that a newer version wrote is shown as it is. */
const NAMED: Readonly<Record<string, (value: string, locale: Locale) => string | undefined>> = {
  request: nameIn('approvalKinds'),
  check: checkName,
  list: nameIn('nameLists'),
  sealed: nameIn('sealedThings'),
  fault: nameIn('sealFaults'),
};
