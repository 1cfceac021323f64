import { ALERT_KINDS, type AlertKind } from '@sangam/contract/alerts.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { TEXTS } from '../platform/texts.ts';
import { alertText, filled } from './alert-text.ts';
import type { InboxMessage } from './store.ts';

/** Longer than any notice. A letter may have a line of thousands of letters, and a list has hundreds of letters. */
const LONGEST_TITLE = 500;

type Worded = Pick<InboxMessage, 'kind' | 'data'>;

/** What the alert that a message tells of is about. Undefined for any other message. */
export function alertOf({
  kind,
  data,
}: Worded): { readonly kind: AlertKind; readonly subject: string } | undefined {
  const alert = kind === 'alert' ? ALERT_KINDS.find((each) => each === data['alert']) : undefined;
  return alert && { kind: alert, subject: String(data['subject']) };
}

/** The message as plain text: a letter as written, a notification in the reader's language. */
export function contentOf({ kind, data }: Worded, locale: Locale): string {
  const texts = TEXTS[locale];
  const alert = alertOf({ kind, data });
  if (alert) return alertText({ ...alert, data }, locale);
  const wording = Object.entries(texts.notices).find(([name]) => name === kind)?.[1];
  // A letter, or a notification from a newer version of the server.
  if (wording === undefined) return String(data['content'] ?? kind);
  return filled(wording, data, locale);
}

/** The first line, shortened if it is very long. */
export function titleOf(content: string): string {
  const [line = ''] = content.split('\n', 1);
  const letters = Array.from(line);
  return letters.length > LONGEST_TITLE ? `${letters.slice(0, LONGEST_TITLE - 1).join('')}…` : line;
}
