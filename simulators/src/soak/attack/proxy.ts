import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { ADDRESSES } from './network.ts';
import { NODE_PORT, PROXY_PORT } from './wire.ts';

const THREAD = 'proxy';
/** How long an idle connection to the node is kept. */
const KEPT_MS = 2_000;

/**
 * A reverse proxy on another address, as operators use for TLS. It appends the caller's address to the addresses that the caller
 * claims. It has a thread of its own, so that the attackers' work does not delay honest calls in it.
 */
export async function startProxy(): Promise<{ stop(): Promise<void> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: THREAD });
  await once(worker, 'message');
  return { stop: async () => void (await worker.terminate()) };
}

if (workerData === THREAD) {
  // Closed before the node closes it: otherwise the node might close it just when it is used.
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
  // Slow callers are tested at the node, not here.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  server.listen(PROXY_PORT, ADDRESSES.proxy, () => parentPort!.postMessage('listening'));
}
