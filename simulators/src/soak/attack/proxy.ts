import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { ADDRESSES } from './network.ts';
import { NODE_PORT, PROXY_PORT } from './wire.ts';

const THREAD = 'proxy';
/** So long a connection to the node waits for another call. */
const KEPT_MS = 2_000;

/**
 * A reverse proxy on another address, as an operator has one for TLS: it adds the caller's address behind what the caller claims. It has
 * a thread of its own, so that the attackers' own work keeps no honest call waiting in it.
 */
export async function startProxy(): Promise<{ stop(): Promise<void> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: THREAD });
  await once(worker, 'message');
  return { stop: async () => void (await worker.terminate()) };
}

if (workerData === THREAD) {
  // Closed before the node closes it, which would do so in the moment it is used.
  const kept = new Agent({ keepAlive: true, timeout: KEPT_MS });
  const server = createServer((asked, answer) => {
    const claimed = asked.headers['x-forwarded-for'];
    const caller = asked.socket.remoteAddress!.replace('::ffff:', '');
    const on = request(
      {
        host: ADDRESSES.node,
        port: NODE_PORT,
        localAddress: ADDRESSES.proxy,
        agent: kept,
        method: asked.method,
        path: asked.url,
        headers: {
          ...asked.headers,
          'x-forwarded-for': claimed === undefined ? caller : `${String(claimed)}, ${caller}`,
          'x-forwarded-proto': 'https',
        },
      },
      (reply) => {
        answer.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(answer);
      },
    );
    on.on('error', () => answer.destroy());
    answer.on('close', () => on.destroy());
    asked.pipe(on);
  });
  // Slow callers are the node's matter here.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  server.listen(PROXY_PORT, ADDRESSES.proxy, () => parentPort!.postMessage('listening'));
}
