import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY, SECOND } from '../platform/clock.ts';

const COOKIE = 'sid';

/**
 * Whether a browser sent this request. A browser sends cookies by itself, so its session calls need both the cookie and the header. A
 * program shows none of the marks of a browser and has no cookie that another site could abuse.
 */
export function isFromBrowser(request: FastifyRequest): boolean {
  const { headers } = request;
  return (
    headers['sec-fetch-site'] !== undefined ||
    headers.origin !== undefined ||
    (headers['user-agent']?.startsWith('Mozilla') ?? false)
  );
}

/** Whether another site made the browser send this request. That is always refused, also for sign-in. */
export function isCrossSite(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] === 'cross-site';
}

export function sessionCookie(request: FastifyRequest, production: boolean): string | undefined {
  return request.cookies[cookieName(production)];
}

/** `__Host-`: browsers accept the cookie only over TLS and for this host alone, and no other host of the domain can set it. */
const cookieName = (production: boolean) => (production ? `__Host-${COOKIE}` : COOKIE);

/** Sets the session's cookie; null removes it. In production the cookie travels over TLS only. */
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
