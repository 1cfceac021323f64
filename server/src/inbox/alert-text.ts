import type { AlertKind } from '@sangam/contract/alerts.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { TEXTS } from '../platform/texts.ts';

export interface AlertWords {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly data: Readonly<Record<string, string | number>>;
}

/** An alert as one sentence in a language. */
export function alertText(alert: AlertWords, locale: Locale): string {
  const { alerts, approvalKinds } = TEXTS[locale];
  const values: Readonly<Record<string, string | number>> = { ...alert.data, subject: alert.subject };
  return alerts[alert.kind].replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    if (name !== 'request') return value;
    return Object.entries(approvalKinds).find(([key]) => key === value)?.[1] ?? value;
  });
}

/** Name of an alert's kind in a language. */
export function alertName(kind: AlertKind, locale: Locale): string {
  return TEXTS[locale].alertKinds[kind];
}
