import { createBatch, createOrder } from '@sangam/contract/endpoints/outside.ts';
import type { FastifyInstance } from 'fastify';
import { HOUR, SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';

const CALLS: readonly string[] = [createOrder.path, createBatch.path];

/**
 * Lets the console call the merchant API from another origin (CORS). The browser shows the answers only to pages of the console's origin.
 * The signature admits these calls, so no cookie is sent.
 */
export function letConsoleCreate(scope: FastifyInstance, { config }: Platform): void {
  const { consoleOrigin } = config;
  if (consoleOrigin === undefined) return;
  scope.addHook('onRequest', async ({ routeOptions, headers }, reply) => {
    if (!CALLS.includes(routeOptions.url ?? '')) return;
    reply.header('vary', 'origin');
    if (headers.origin === consoleOrigin) reply.header('access-control-allow-origin', consoleOrigin);
  });
  for (const url of CALLS)
    scope.options(url, (request, reply) => {
      if (request.headers.origin !== consoleOrigin) return reply.code(403).send();
      return reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': String(HOUR / SECOND),
        })
        .send();
    });
}
