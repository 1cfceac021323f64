import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';

/** Callers that send one byte at a time to each kind of route. Their connections are cut, and other callers are served meanwhile. */

let node: TestPlatform;
let port: number;
beforeAll(async () => {
  node = await createTestPlatform();
  const app = await node.app();
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => node.close());

/** Announces a body and sends one byte of it a second. Answers how long until the node cut the connection, and what the node said first. */
function drip(path: string, type: string): Promise<{ seconds: number; said: string }> {
  const began = Date.now();
  const socket: Socket = connect(port, '127.0.0.1');
  let said = '';
  socket.on('data', (bytes: Buffer) => (said += bytes.toString('latin1')));
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 4000\r\n\r\n`);
  const timer = setInterval(() => socket.write('{'), 1_000);
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ seconds: (Date.now() - began) / 1_000, said });
    });
  });
}

const DOORS = [
  ['the console', '/v1.0/user/login', 'application/json'],
  ['merchants', createOrder.path, 'application/x-www-form-urlencoded'],
  ['a merchant’s file', createOrder.path, 'multipart/form-data; boundary=x'],
  ['monitors', '/v1.0/monitor/heartbeat', 'application/json'],
  ['webhooks', '/v1.0/webhook/payout/x', 'application/json'],
  ['the payer', `/v1.0/pay/${'x'.repeat(32)}/paid`, 'application/json'],
] as const;

test(
  'a body that drips in is cut after 20 seconds at every door, and headers that drip too',
  { timeout: 40_000 },
  async () => {
    const dripping = Promise.all(DOORS.map(([, path, type]) => drip(path, type)));
    const headers = new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('GET /healthz HTTP/1.1\r\n');
      const timer = setInterval(() => socket.write('x'), 1_000);
      socket.on('close', () => {
        clearInterval(timer);
        resolve();
      });
    });
    const health = fetch(`http://127.0.0.1:${port}/healthz`);
    expect(await Promise.race([health.then(({ status }) => status), dripping])).toBe(200);
    const cut = await dripping;
    cut.forEach(({ seconds }, index) => {
      const [door] = DOORS[index]!;
      expect([door, seconds > 15]).toEqual([door, true]);
    });
    await headers;
  },
);
