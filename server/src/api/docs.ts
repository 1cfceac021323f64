import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { getDocument } from '@sangam/contract/endpoints/docs.ts';
import { openApiOf } from './openapi.ts';
import { type Route, viewerRoute } from '../http/route.ts';

const JSON_PATH = '/docs/openapi.json';
const SCRIPT_PATH = '/docs/js/scalar.js';

/**
 * Serves the merchant API's description at /docs/openapi.json and as a page (by Scalar, from this server) at /docs. Only staff get the
 * description of the other calls (`withDocument`), because it shows an attacker what to try.
 */
export function registerDocs(scope: FastifyInstance, routes: readonly Route[]): void {
  const document = openApiOf(routes.filter(({ kind }) => kind === 'merchant'));
  scope.get(JSON_PATH, (_request, reply) => reply.send(document));
  scope.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));

  let reader: Promise<Reader> | undefined;
  scope.get('/docs/', async (_request, reply) => {
    reader ??= loadReader();
    const { page, policy } = await reader;
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
  });
  scope.get(SCRIPT_PATH, async (_request, reply) => {
    reader ??= loadReader();
    const { script } = await reader;
    return reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(script);
  });
}

/** Adds the route that describes all these routes and itself. */
export function withDocument(routes: readonly Route[]): readonly Route[] {
  const all: Route[] = [...routes];
  let document: ReturnType<typeof openApiOf> | undefined;
  all.push(viewerRoute(getDocument, async () => (document ??= openApiOf(all))));
  return all;
}

interface Reader {
  readonly page: string;
  readonly policy: string;
  readonly script: string;
}

/** Scalar is 4 MB and takes 0.3 s to load, so it is loaded when somebody first opens the page. */
async function loadReader(): Promise<Reader> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const inner = Fastify();
  await inner.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: JSON_PATH,
      pageTitle: 'Sangam API',
      favicon: '/mark.svg',
      withDefaultFonts: false,
      hideTestRequestButton: true,
      hideClientButton: true,
      showDeveloperTools: 'never',
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      cdn: SCRIPT_PATH,
    },
  });
  const [page, script] = await Promise.all([inner.inject('/docs/'), inner.inject(SCRIPT_PATH)]);
  await inner.close();
  return { page: page.body, script: script.body, policy: policyOf(page.body) };
}

/** Allows the page's own inline scripts by their hashes. Nothing is loaded from elsewhere. */
function policyOf(page: string): string {
  const hashes = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) => `'sha256-${createHash('sha256').update(match[1]!).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
  ].join(';');
}
