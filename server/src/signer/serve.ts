import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../platform/clock.ts';
import { parseJson } from '../channels/gateway/wire.ts';
import type { Signing } from './signing.ts';
import { isMarked, type Path, QUESTIONS } from '../channels/usdt/signer-wire.ts';

export interface SignerServer {
  readonly url: string;
  /** Answers the calls under way, then closes. */
  stop(): Promise<void>;
}

/** Longer than any call of the platform. */
const MOST_BYTES = 4_096;

/**
 * Listens for calls of the platform. A call without a valid mark (`isMarked`) is answered 401, one with invalid content 400, without a
 * reason.
 */
export async function serveSigner(options: {
  readonly signing: Signing;
  readonly secret: Buffer;
  readonly clock: Clock;
  readonly host: string;
  readonly port: number;
  /** PEM. Undefined: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly onError: (error: unknown) => void;
}): Promise<SignerServer> {
  const { signing, secret, clock, host, port, tls, onError } = options;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request);
    const end = (status: number, content: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    const path = (request.url ?? '') as Path;
    const header = (name: string) => request.headers[name]?.toString();
    const call = { at: header('x-signer-time'), mark: header('x-signer-mark'), path, body: body ?? '' };
    if (body === undefined || !isMarked(secret, call, clock.now())) return end(401, {});
    const question = Object.hasOwn(QUESTIONS, path) && QUESTIONS[path].safeParse(parseJson(body)).data;
    if (!question) return end(400, {});
    end(200, await signing[path](question as never));
  }

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch((error: unknown) => {
      onError(error);
      response.destroy();
    });
  };
  const server = tls ? createTlsServer({ ...tls, minVersion: 'TLSv1.3' }, listener) : createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${address.port}`,
    async stop() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** The body of a call; undefined when it is longer than `MOST_BYTES`. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
