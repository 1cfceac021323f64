import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A merchant endpoint that answers `success`, and one that never answers. It runs in its own process and sends its addresses to the
 * parent.
 */
const answer: RequestListener = (request, response) => {
  request.resume();
  request.on('end', () => response.end('success'));
};

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.send!({ answering: await listen(answer), silent: await listen(() => undefined) });
process.on('disconnect', () => process.exit(0));
