import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Sockets that listen on a node's address. Node takes one new connection of a listening socket in each round of its event
 * loop (libuv since 1.46: "don't accept() connections in a loop"), so that a node whose rounds take 20 ms takes fifty a
 * second of one socket, be there ever so many; callers who waited for 15 s then come again, and it never catches up
 * (measured with rounds of 10 ms: 96 a second with one socket, 755 with eight).
 */
const SOCKETS = 8;

export interface Listening {
  /** As Fastify names it. */
  readonly address: string;
  /** Takes no more connections; resolves when those under way have ended. */
  close(): Promise<void>;
}

/**
 * Listens on one address with several sockets, between which Linux shares new connections out (SO_REUSEPORT); elsewhere
 * with one. Rejects with EADDRINUSE where another program listens there.
 */
export async function listenWidely(
  app: FastifyInstance,
  address: { readonly host: string; readonly port: number },
): Promise<Listening> {
  if (process.platform !== 'linux') return { address: await app.listen(address), close: () => app.close() };
  const others: Server[] = [];
  const close = async () => {
    // A connection stays open after its last answer, for a next request that nobody may make any more.
    const idle = setInterval(() => app.server.closeIdleConnections(), 50);
    try {
      await Promise.all([app.close(), ...others.map(closed)]);
    } finally {
      clearInterval(idle);
    }
  };
  try {
    // A second node of another folder would share the address, and the callers, without a word.
    if (address.port !== 0) await failIfTaken(address);
    // Fastify hands the option on; its types do not know it.
    const shared = { ...address, reusePort: true };
    const main = await app.listen(shared);
    const port = Number(new URL(main).port);
    for (let count = 1; count < SOCKETS; count += 1) {
      // As http's own server opens its sockets; what comes is a connection of that server.
      const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        app.server.emit('connection', socket),
      );
      await once(other.listen({ ...shared, port }), 'listening');
      others.push(other);
    }
    return { address: main, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function failIfTaken(address: { readonly host: string; readonly port: number }): Promise<void> {
  const probe = createServer();
  await once(probe.listen(address), 'listening');
  await closed(probe);
}

const closed = (server: Server) => once(server.close(), 'close');
