import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../platform/platform.ts';

const callers = new WeakMap<FastifyRequest, string>();

/** Who made a request, once that is proven: `user:ID` or `merchant:ID`. */
export function noteCaller(request: FastifyRequest, caller: string): void {
  callers.set(request, caller);
}

/**
 * A line for each request that was answered: which route, how, for whom, in how many milliseconds. The route's pattern stands for the
 * address, whose parts and query may be secrets (payment pages, M-Pesa's paths) or people's names.
 */
export function logRequest({ log }: Pick<Platform, 'log'>) {
  // None of its fields is a secret; to look for some takes 42 µs of a line's 48.
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
