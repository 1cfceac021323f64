import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** The answers to calls, by `GET /path`; the query is ignored. */
export type Answers = Record<string, unknown>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const TEXTS = new Set(['.html', '.js', '.css', '.json', '.svg']);

export interface FolderServer {
  readonly url: string;
  /** `GET /path` of calls without an answer. */
  readonly unanswered: ReadonlySet<string>;
  /** With an origin: sends calls there and keeps the answers, until `record` is called without one. */
  record(origin: string | undefined): void;
  close(): Promise<void>;
}

/**
 * Serves a folder of static files as a usual front server does: texts as brotli at the highest level (compressed once, kept in
 * memory), hashed files cached for ever, index.html for every address that is no file. Calls are answered from `answers`, as JSON
 * with gzip.
 */
export async function serveFolder(folder: string, answers: Answers): Promise<FolderServer> {
  const files = new Map<string, { readonly body: Buffer; readonly type: string; readonly isText: boolean }>();
  const unanswered = new Set<string>();
  let recorded: string | undefined;

  function fileAt(path: string) {
    const known = files.get(path);
    if (known) return known;
    const file = join(folder, normalize(path));
    if (!existsSync(file) || !statSync(file).isFile()) return undefined;
    const ending = extname(path);
    const isText = TEXTS.has(ending);
    const bytes = readFileSync(file);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    const body = isText ? brotliCompressSync(bytes, { params }) : bytes;
    const made = { body, type: TYPES[ending] ?? 'application/octet-stream', isText };
    files.set(path, made);
    return made;
  }

  async function call(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const name = `${request.method} ${path}`;
    if (recorded && !(name in answers)) {
      const {
        host: _host,
        connection: _connection,
        'accept-encoding': _encoding,
        ...headers
      } = request.headers;
      const answer = await fetch(recorded + request.url, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(request.method === 'GET' ? {} : { body: await text(request) }),
      });
      answers[name] = await answer.json();
    }
    if (!(name in answers)) unanswered.add(name);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-encoding', 'gzip');
    response.statusCode = name in answers ? 200 : 404;
    response.end(gzipSync(JSON.stringify(answers[name] ?? {})));
  }

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://folder').pathname;
    const isPage = (request.headers.accept ?? '').includes('text/html') && extname(path) === '';
    const file = fileAt(isPage ? '/index.html' : path);
    if (!file) {
      call(request, response, path).catch((error: unknown) => response.destroy(error as Error));
      return;
    }
    response.setHeader('content-type', file.type);
    response.setHeader('cache-control', isPage ? 'no-store' : 'public, max-age=31536000, immutable');
    if (file.isText) response.setHeader('content-encoding', 'br');
    response.end(file.body);
  });
  // There is no realtime socket here, so consoles poll.
  server.on('upgrade', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unanswered,
    record: (origin) => {
      recorded = origin;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
