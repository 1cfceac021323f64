import { CODES, type CodeName } from '@sangam/contract/codes.ts';
import type { Envelope } from '@sangam/contract/endpoint.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import { messageOf, refusalText } from './messages.ts';

/** What goes back to a caller: HTTP status and body. */
export interface Answer {
  readonly status: number;
  readonly body: Envelope<unknown>;
}

export function successAnswer(data: unknown, locale: Locale): Answer {
  return { status: CODES.ok.http, body: { code: CODES.ok.code, msg: messageOf('ok', {}, locale), data } };
}

export function refusalAnswer(refusal: Refusal, locale: Locale): Answer {
  const { code, http } = CODES[refusal.code];
  const msg = refusalText(refusal, locale);
  return {
    status: http,
    body: refusal.data === undefined ? { code, msg } : { code, msg, data: refusal.data },
  };
}

/** The answer to a refusal that no command made: not found, malformed, failed. */
export function plainAnswer(
  code: CodeName,
  locale: Locale,
  params: Readonly<Record<string, string>> = {},
): Answer {
  return refusalAnswer(refuse(code, params), locale);
}
