import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../platform/platform.ts';

const callers = new WeakMap<FastifyRequest, string>();

/** Notes who made a request, once that is proven: `user:ID` or `merchant:ID`. */
export function noteCaller(request: FastifyRequest, caller: string): void {
  callers.set(request, caller);
}

/**
 * Makes the hook that logs a line for each answered request: route, method, status, caller and duration in ms. It logs the route's pattern
 * and not the URL, because paths and queries may hold secrets (payment pages, M-Pesa's paths) or people's names.
 */
export function logRequest({ log }: Pick<Platform, 'log'>) {
  // None of the fields is a secret. Searching for secrets takes 42 µs of a line's 48 µs.
  const lines = log.child({}, { redact: [] });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    lines.info(
      {
        request: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        caller: callers.get(request) ?? null,
        ip: request.ip,
      },
      'request',
    );
  };
}
