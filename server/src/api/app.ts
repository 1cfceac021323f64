import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  LogController,
} from 'fastify';
import { SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { createHub } from './realtime/hub.ts';
import { stopFloods } from '../http/call-rates.ts';
import { localeOf, send } from '../http/caller.ts';
import { registerConsole } from './console.ts';
import { registerDocs } from './docs.ts';
import { plainAnswer } from '../http/envelope.ts';
import { createHealth } from './health.ts';
import { failureAnswer } from '../http/failure.ts';
import { logRequest } from '../http/access-log.ts';
import { limitPipelining } from '../http/pipelining.ts';
import { registerMerchant } from './merchant.ts';
import { registerMonitor } from './monitor.ts';
import { BUILT_PAGES, type PageFolders, registerPages } from './pages.ts';
import { registerRealtime } from './realtime.ts';
import type { Route } from '../http/route.ts';
import { noteOpened } from '../traffic/visits.ts';
import { registerWebhooks } from './webhook.ts';

/** How long a request may take to arrive completely (uploads have at most a few megabytes). After that its connection is cut (408). */
const LONGEST_REQUEST = 20 * SECOND;

/**
 * Builds the whole HTTP side of a node without listening, so that tests can inject requests without a port. Each kind of route has its own
 * Fastify scope, with its own way to read bodies and check signatures.
 */
export async function buildApp(
  platform: Platform,
  routes: readonly Route[],
  folders: PageFolders = BUILT_PAGES,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: platform.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: a logger for each would cost more than checking its signature, and only failures are logged.
    childLoggerFactory: (logger) => logger,
    // Only these proxies may say who the caller is. Without them all users would share a proxy's address.
    trustProxy: platform.config.trustedProxies.length > 0 ? [...platform.config.trustedProxies] : false,
    bodyLimit: 1024 * 1024,
    requestTimeout: LONGEST_REQUEST,
    http: { headersTimeout: LONGEST_REQUEST, connectionsCheckingInterval: SECOND },
  });
  limitPipelining(app.server);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
    // Other hosts under the operator's domain are not ours to decide about.
    strictTransportSecurity: { includeSubDomains: false },
  });
  await app.register(cookie);
  app.setErrorHandler((error: FastifyError, request, reply) => send(reply, failureAnswer(error, request)));
  app.setNotFoundHandler((request, reply) => send(reply, plainAnswer('notFound', localeOf(request))));

  app.addHook('onRequest', async (request, reply) => {
    // PostgreSQL text cannot hold U+0000.
    if (/%00/.test(request.url))
      return send(reply, plainAnswer('invalidInput', localeOf(request), { fields: 'url' }));
    return undefined;
  });
  if (platform.config.accessLog) app.addHook('onResponse', logRequest(platform));
  const isHealthy = createHealth(platform);
  app.get('/healthz', { onRequest: stopFloods(platform, 'health') }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return (await isHealthy())
      ? reply.send({ status: 'ok' })
      : reply.code(503).send({ status: 'no database' });
  });
  const hub = createHub(platform);
  app.addHook('onClose', () => hub.stop());
  await app.register(async (scope) => {
    const kinds = routes.filter((route) => route.kind === 'viewer' || route.kind === 'public');
    registerConsole(scope, platform, kinds, hub.remembered);
  });
  await registerRealtime(app, platform, hub);
  await app.register(async (scope) => {
    registerMerchant(
      scope,
      platform,
      routes.filter((route) => route.kind === 'merchant'),
    );
  });
  await app.register(async (scope) => {
    registerMonitor(
      scope,
      platform,
      routes.filter((route) => route.kind === 'monitor'),
    );
  });
  await app.register(async (scope) => {
    registerWebhooks(
      scope,
      platform,
      routes.filter((route) => route.kind === 'webhook'),
    );
  });
  registerDocs(app, routes);
  await registerPages(app, platform, folders, {
    stopFloods: stopFloods(platform, 'payPage'),
    onOpened: (token, request) =>
      noteOpened(platform, token, {
        userAgent: request.headers['user-agent'] ?? '',
        referrer: request.headers.referer,
        ownHost: request.hostname.toLowerCase(),
      }),
  });
  return app;
}
