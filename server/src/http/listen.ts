import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Listening sockets on a node's address. Node accepts one new connection per listening socket in each round of its event loop (since libuv
 * 1.46). So a node whose rounds take 20 ms accepts only 50 a second on one socket. Callers that waited 15 s then try again, and the node
 * never catches up (measured with rounds of 10 ms: 96 a second with one socket, 755 with eight).
 */
const SOCKETS = 8;

export interface Listening {
  /** The address as Fastify writes it. */
  readonly address: string;
  /** Accepts no more connections. Resolves when the connections under way have ended. */
  close(): Promise<void>;
}

/**
 * Listens on one address with several sockets; Linux shares new connections out among them (SO_REUSEPORT). Other systems get one socket.
 * Rejects with EADDRINUSE when another program listens there.
 */
export async function listenWidely(
  app: FastifyInstance,
  address: { readonly host: string; readonly port: number },
): Promise<Listening> {
  if (process.platform !== 'linux') return { address: await app.listen(address), close: () => app.close() };
  const others: Server[] = [];
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const close = async () => {
    // A connection stays open after its last answer for a next request, which may never come. Node also counts a connection as idle while
    // its last answer is still being sent.
    const idle = setInterval(() => {
      const isSending = [...sockets].some(({ writableLength }) => writableLength > 0);
      if (!isSending) app.server.closeIdleConnections();
    }, 50);
    try {
      await Promise.all([app.close(), ...others.map(closed)]);
    } finally {
      clearInterval(idle);
    }
  };
  try {
    // Otherwise a second node with another data folder would silently share the address and its callers.
    if (address.port !== 0) await failIfTaken(address);
    // Fastify passes the option on, but its types do not know it.
    const shared = { ...address, reusePort: true };
    const main = await app.listen(shared);
    const port = Number(new URL(main).port);
    for (let count = 1; count < SOCKETS; count += 1) {
      // Opened in the way that http's own server opens its sockets. Each connection goes to that server.
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
