import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY, SECOND } from '../platform/clock.ts';

const COOKIE = 'sid';

/**
 * Whether a browser sent this. Browsers carry cookies by themselves, so their session calls need the cookie and the
 * header; a program shows none of these marks and has no cookie to be abused.
 */
export function isFromBrowser(request: FastifyRequest): boolean {
  const { headers } = request;
  return (
    headers['sec-fetch-site'] !== undefined ||
    headers.origin !== undefined ||
    (headers['user-agent']?.startsWith('Mozilla') ?? false)
  );
}

/** Another site made the browser send this: never wanted, sign-in included. */
export function isCrossSite(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] === 'cross-site';
}

export function sessionCookie(request: FastifyRequest, production: boolean): string | undefined {
  return request.cookies[cookieName(production)];
}

/** `__Host-`: browsers take it over TLS only, for this host alone, and let no other host of the domain set it. */
const cookieName = (production: boolean) => (production ? `__Host-${COOKIE}` : COOKIE);

/** Sets the session's cookie, or with null takes it away. In production it travels over TLS only. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  value: string | null,
  production: boolean,
): void {
  const options = {
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    secure: production || request.protocol === 'https',
  } as const;
  const name = cookieName(production);
  if (value === null) reply.clearCookie(name, options);
  else reply.setCookie(name, value, { ...options, maxAge: DAY / SECOND });
}
