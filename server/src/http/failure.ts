import type { CodeName } from '@sangam/contract/codes.ts';
import type { FastifyError, FastifyRequest } from 'fastify';
import { localeOf } from './caller.ts';
import { type Answer, plainAnswer } from './envelope.ts';

/**
 * The answer to an exception. Errors of HTTP itself (malformed, too large, unknown type) keep their status. Everything else is our bug or
 * an outage: the log gets all of it, the caller one sentence.
 */
export function failureAnswer(error: FastifyError, request: FastifyRequest): Answer {
  const locale = localeOf(request);
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    const code: CodeName = status === 429 ? 'tooMany' : 'invalidInput';
    return { status, body: plainAnswer(code, locale, { fields: 'body' }).body };
  }
  // The route's pattern, not the URL, because the URL may hold a pay token.
  request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'call failed');
  return plainAnswer('internal', locale);
}
