import { CODES } from '@sangam/contract/codes.ts';
import { type Locale, pickLocale } from '@sangam/contract/locale.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../platform/platform.ts';
import { isFromBrowser, setSessionCookie } from './browser.ts';
import type { Answer } from './envelope.ts';
import type { Caller } from './route.ts';

/** The language of answers. A program that names none is a merchant's and gets English. A browser always names one. */
export function localeOf(request: FastifyRequest): Locale {
  const wanted = request.headers['accept-language'];
  return wanted === undefined || wanted === '*' ? 'en-US' : pickLocale(wanted);
}

export function callerOf(
  { config }: Pick<Platform, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Caller {
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    locale: localeOf(request),
    isBrowser: isFromBrowser(request),
    setSessionCookie: (value) => setSessionCookie(request, reply, value, config.isProduction),
  };
}

/** The value of a header. Undefined when it is missing, empty or repeated. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Sends an answer. No cache may keep it, because it is about money and people. A 429 gets a retry-after header. */
export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.body.code === CODES.tooMany.code) {
    const { retryAfterSeconds } = (answer.body.data ?? {}) as { readonly retryAfterSeconds?: number };
    void reply.header('retry-after', String(retryAfterSeconds ?? 1));
  }
  return reply.code(answer.status).header('cache-control', 'no-store').send(answer.body);
}
