import { ALERT_KINDS } from '@sangam/contract/alerts.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { TEXTS } from '../platform/texts.ts';
import { alertText, filled } from './alert-text.ts';
import type { InboxMessage } from './store.ts';

const LONGEST_TITLE = 80;

/** The message as plain text: a letter as written, a notification in the reader's language. */
export function contentOf({ kind, data }: Pick<InboxMessage, 'kind' | 'data'>, locale: Locale): string {
  const texts = TEXTS[locale];
  const alert = kind === 'alert' ? ALERT_KINDS.find((each) => each === data['alert']) : undefined;
  if (alert) return alertText({ kind: alert, subject: String(data['subject']), data }, locale);
  const wording = Object.entries(texts.notices).find(([name]) => name === kind)?.[1];
  // A letter, or a notification from a newer version of the server.
  if (wording === undefined) return String(data['content'] ?? kind);
  return filled(wording, data, locale);
}

/** The first line, shortened if it is long. */
export function titleOf(content: string): string {
  const [line = ''] = content.split('\n', 1);
  const letters = Array.from(line);
  return letters.length > LONGEST_TITLE ? `${letters.slice(0, LONGEST_TITLE - 1).join('')}…` : line;
}
