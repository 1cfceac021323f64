import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface LossyProxy {
  readonly url: string;
  /** The share of calls whose answer is cut off. The server has done its work, but the caller gets no answer. */
  loss: number;
  close(): Promise<void>;
}

/** A proxy that loses answers: it cuts the connection when the first byte of an answer comes back. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      // Cut connections are the purpose of this proxy.
      socket.on('error', () => undefined);
    }
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (chunk) => {
      if (Math.random() < proxy.loss) client.destroy();
      else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const proxy: LossyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loss: 0,
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
