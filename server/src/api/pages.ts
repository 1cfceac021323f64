import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { stopFloods } from '../http/call-rates.ts';
import { DAY } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { createBase } from '../platform/public-base.ts';

/** The folders of the built pages. */
export interface PageFolders {
  readonly console: string;
  /** The supplier's phone. */
  readonly phone: string;
  readonly cashier: string;
}

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
export const BUILT_PAGES: PageFolders = {
  console: join(REPOSITORY, 'console', 'dist'),
  phone: join(REPOSITORY, 'console', 'phone', 'dist'),
  cashier: join(REPOSITORY, 'cashier', 'dist'),
};

/** antd adds style elements to the page, so inline styles are allowed. The console creates orders under ApiUrl. */
async function consolePolicy(platform: Platform): Promise<string> {
  const base = await createBase(platform);
  return policy({
    styles: "'self' 'unsafe-inline'",
    calls: base === '' ? "'self'" : `'self' ${new URL(base).origin}`,
  });
}
const STRICT_POLICY = policy({ styles: "'self'", calls: "'self'" });

function policy({ styles, calls }: { readonly styles: string; readonly calls: string }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${calls}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join(';');
}

/** Further hooks for a call of the payment page. */
interface PayPageHooks {
  readonly stopFloods: ReturnType<typeof stopFloods>;
  onOpened(token: string, request: FastifyRequest): void;
}

const NOT_API = /^(?!\/(v1\.0|docs|pay|pay-assets|m|api)(\/|$))/;

/**
 * Serves the console at /, the supplier's phone at /m/, the payment page at /pay/TOKEN, and their assets. An index.html is always fetched
 * anew; files with a hash in their names are cached for ever.
 */
export async function registerPages(
  app: FastifyInstance,
  platform: Platform,
  folders: PageFolders,
  payPage: PayPageHooks,
): Promise<void> {
  // If a .br or .gz file stands beside a file, it is sent instead.
  await app.register(fastifyStatic, { serve: false, preCompressed: true });

  const sendConsole = async (reply: FastifyReply) =>
    sendIndex(reply, folders.console, 'console', await consolePolicy(platform));
  app.get('/', (_request, reply) => sendConsole(reply));
  app.get<{ Params: { token: string } }>(
    '/pay/:token',
    { onRequest: payPage.stopFloods },
    (request, reply) => {
      payPage.onOpened(request.params.token, request);
      return sendIndex(reply, folders.cashier, 'cashier', STRICT_POLICY);
    },
  );
  app.get<{ Params: { '*': string } }>('/pay-assets/*', (request, reply) =>
    sendFile(reply, folders.cashier, request.params['*']),
  );
  app.get('/m', (_request, reply) => reply.redirect('/m/', 308));
  app.get('/m/', (_request, reply) => sendIndex(reply, folders.phone, 'phone', STRICT_POLICY));
  app.get<{ Params: { '*': string } }>('/m/*', (request, reply) =>
    // The policy goes out with the service worker file as well, because it decides what the worker may fetch.
    sendFile(reply.header('content-security-policy', STRICT_POLICY), folders.phone, request.params['*']),
  );
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*'];
    if (isNavigation(request)) return sendConsole(reply);
    return NOT_API.test(request.url) ? sendFile(reply, folders.console, path) : notFound(reply);
  });
}

/** Whether a person opens an address of the console. The console's router then decides what to show. */
function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0]!;
  const hasFile = /\.\w{1,8}$/.test(path);
  return NOT_API.test(path) && !hasFile && (request.headers.accept ?? '').includes('text/html');
}

function sendIndex(reply: FastifyReply, folder: string, name: string, contentPolicy: string): FastifyReply {
  if (!existsSync(join(folder, 'index.html'))) {
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send(`The ${name} is not built yet: npm run build.\n`);
  }
  return reply
    .header('content-security-policy', contentPolicy)
    .header('cache-control', 'no-store')
    .sendFile('index.html', folder, { cacheControl: false });
}

function sendFile(reply: FastifyReply, folder: string, path: string): FastifyReply {
  if (!existsSync(folder) || path === 'index.html') return notFound(reply);
  // vite puts a hash of the content into the names under assets/.
  const caching = path.startsWith('assets/')
    ? { maxAge: 365 * DAY, immutable: true }
    : { maxAge: 0, immutable: false };
  return reply.sendFile(path, folder, caching);
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}
