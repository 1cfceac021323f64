import { createServer, type Server, type Socket } from 'node:net';
import { ADDRESSES } from './network.ts';
import { TRAP_PORTS } from './targets.ts';

export interface Trap {
  /** Addresses and ports that the node was led to. */
  readonly caught: readonly string[];
  /** The number of calls at the server on the internet. */
  readonly honest: () => number;
  stop(): Promise<void>;
}

/**
 * Listens at every address of the network. One of them, on the internet, is a merchant's server; all others are inside somebody's
 * network.
 */
export async function startTrap(): Promise<Trap> {
  const caught: string[] = [];
  let honest = 0;
  const serve = (socket: Socket) => {
    const at = socket.localAddress!.replace('::ffff:', '');
    socket.on('error', () => undefined);
    if (at !== ADDRESSES.internet) {
      caught.push(`${at}:${socket.localPort}`);
      socket.destroy();
      return;
    }
    socket.on('data', (chunk) => {
      if (!/^(GET|POST) /.test(chunk.toString('latin1'))) return;
      honest += 1;
      const [, to] = /^\w+ \/to\?([^ &]+)/.exec(chunk.toString('latin1')) ?? [];
      const head =
        to === undefined
          ? 'HTTP/1.1 200 OK\r\nContent-Length: 7'
          : `HTTP/1.1 302 Found\r\nLocation: ${decodeURIComponent(to)}\r\nContent-Length: 7`;
      socket.end(`${head}\r\nConnection: close\r\n\r\nsuccess`);
    });
  };
  const servers = await Promise.all(
    TRAP_PORTS.map(
      (port) =>
        new Promise<Server>((resolve, reject) => {
          const server = createServer(serve).once('error', reject);
          server.listen(port, '0.0.0.0', () => resolve(server));
        }),
    ),
  );
  return {
    caught,
    honest: () => honest,
    stop: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
