import { createServer, request } from 'node:http';
import { ADDRESSES } from './network.ts';
import { NODE_PORT, PROXY_PORT } from './wire.ts';

/** A reverse proxy on another address, as an operator has one for TLS: it adds the caller's address behind what the caller claims. */
export async function startProxy(): Promise<{ stop(): Promise<void> }> {
  const server = createServer((asked, answer) => {
    const claimed = asked.headers['x-forwarded-for'];
    const caller = asked.socket.remoteAddress!.replace('::ffff:', '');
    const on = request(
      {
        host: ADDRESSES.node,
        port: NODE_PORT,
        localAddress: ADDRESSES.proxy,
        // One that is kept may be closed by the node in the moment it is used.
        agent: false,
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
  await new Promise<void>((resolve) => server.listen(PROXY_PORT, ADDRESSES.proxy, resolve));
  return {
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
