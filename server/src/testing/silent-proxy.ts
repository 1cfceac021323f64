import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SilentProxy {
  /** The target's URL through the proxy. */
  readonly url: string;
  /** While true nothing passes in either direction. Connections stay open and new ones are accepted, like a network that drops packets. */
  swallows: boolean;
  close(): Promise<void>;
}

/** A proxy that acts like a network. Swallowed data is lost, so a connection that lost data never works again. */
export async function startSilentProxy(target: string): Promise<SilentProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isDead = false;
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (chunk) => {
        isDead ||= proxy.swallows;
        if (!isDead) to.write(chunk);
      });
      from.on('close', () => {
        open.delete(from);
        isDead ||= proxy.swallows;
        if (!isDead) to.destroy();
      });
      from.on('error', () => undefined);
      open.add(from);
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const proxy: SilentProxy = {
    url: url.href,
    swallows: false,
    async close() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
  return proxy;
}
