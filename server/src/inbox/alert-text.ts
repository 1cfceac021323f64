import type { AlertKind } from '@sangam/contract/alerts.ts';
import { APPROVAL_KINDS, type ApprovalKind } from '@sangam/contract/approvals.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { TEXTS } from '../platform/texts.ts';

export interface AlertWords {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly data: Readonly<Record<string, string | number>>;
}

/** An alert as one sentence in a language. */
export function alertText(alert: AlertWords, locale: Locale): string {
  const { alerts } = TEXTS[locale];
  const values: Readonly<Record<string, string | number>> = { ...alert.data, subject: alert.subject };
  return alerts[alert.kind].replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    return name === 'request' ? requestName(value, locale) : value;
  });
}

/** Name of a request's kind in a language; a kind of a newer version than this node's stands as it is written. */
export function requestName(value: string, locale: Locale): string {
  const names: Readonly<Record<ApprovalKind, string>> = TEXTS[locale].approvalKinds;
  const kind = APPROVAL_KINDS.find((each) => each === value);
  return kind ? names[kind] : value;
}

/** Name of an alert's kind in a language. */
export function alertName(kind: AlertKind, locale: Locale): string {
  return TEXTS[locale].alertKinds[kind];
}
