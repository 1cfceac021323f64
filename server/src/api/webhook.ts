import type { FastifyInstance } from 'fastify';
import type { Platform } from '../platform/platform.ts';
import { stopFloods } from '../http/call-rates.ts';
import { headerOf } from '../http/caller.ts';
import type { WebhookRoute } from '../http/route.ts';

/** The largest events of gateways are a few kilobytes. */
const BODY_LIMIT = 256 * 1024;
const NOTHING = Buffer.alloc(0);

/** One value for each name: the last one if there are several. */
function plain(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      return typeof last === 'string' ? [[name, last]] : [];
    }),
  );
}

/** Registers the calls of outside services. Signatures cover the raw bytes, so each handler reads its body itself. */
export function registerWebhooks(
  scope: FastifyInstance,
  platform: Platform,
  routes: readonly WebhookRoute[],
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  for (const route of routes) {
    scope.route({
      method: route.endpoint.method,
      url: route.endpoint.path,
      onRequest: stopFloods(platform, 'webhook'),
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        const { status, body } = await route.handle(platform, {
          method: request.method,
          params: request.params as Record<string, string>,
          query: plain(request.query as object),
          headers: plain(request.headers),
          header: (name) => headerOf(request, name),
          body: Buffer.isBuffer(request.body) ? request.body : NOTHING,
          ip: request.ip,
        });
        return reply.code(status).header('cache-control', 'no-store').send(body);
      },
    });
  }
}
