import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { limitPipelining } from './pipelining.ts';

const MOST = 10;
const SENT = 20_000;

/** A server whose requests `handle` answers, and a caller's connection to it. */
async function connected(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  limits: readonly [most?: number, longestWait?: number],
): Promise<{ readonly server: Server; readonly socket: Socket; readonly heard: () => string }> {
  const server = createServer(handle);
  limitPipelining(server, ...limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => (heard += data.toString('latin1')));
  onTestFinished(() => void socket.destroy());
  return { server, socket, heard: () => heard };
}

const lineOf = (path: string, more = '') => `GET /${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

test('requests sent ahead wait in their socket; all are answered, in order', async () => {
  const open: ServerResponse[] = [];
  let taken = 0;
  const { socket, heard } = await connected(
    (request, response) => {
      response.setHeader('x-number', request.url!.slice(1));
      taken += 1;
      open.push(response);
    },
    [MOST],
  );
  const lines = Array.from({ length: SENT }, (_, number) => lineOf(String(number)));
  socket.write(lines.join(''));
  await sleep(300);
  expect(taken).toBe(MOST);
  while (taken < SENT || open.length > 0) {
    for (const response of open.splice(0)) response.end();
    await sleep(1);
  }
  await expect.poll(() => heard().includes(`x-number: ${SENT - 1}\r\n`)).toBe(true);
  const numbers = [...heard().matchAll(/x-number: (\d+)/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: SENT }, (_, number) => number));
});

// Reading a body makes Node resume the socket, even when somebody has paused it.
test('the same where bodies are read a while after their request', async () => {
  const open: ServerResponse[] = [];
  let taken = 0;
  const { socket, heard } = await connected(
    (request, response) => {
      taken += 1;
      void sleep(1).then(async () => {
        for await (const piece of request) void piece;
        open.push(response);
      });
    },
    [MOST],
  );
  const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n01234567890123456789';
  const sent = 10_000;
  socket.write(request.repeat(sent));
  await sleep(300);
  expect(taken).toBe(MOST);
  for (let ended = 0; ended < sent; await sleep(1)) {
    ended += open.length;
    for (const response of open.splice(0)) response.end();
  }
  await expect.poll(() => heard().split('HTTP/1.1 200').length - 1).toBe(sent);
});

test('no request waits so long for earlier ones that Node would cut the connection for it', async () => {
  let taken = 0;
  const { socket } = await connected(() => (taken += 1), [2, 200]);
  socket.write([1, 2, 3, 4, 5].map((number) => lineOf(String(number))).join(''));
  await expect.poll(() => taken).toBe(2);
  await expect.poll(() => taken).toBe(5);
});

test('a request for a WebSocket before an earlier answer leaves no open socket', async () => {
  const { server, socket } = await connected(() => undefined, []);
  server.on('upgrade', () => undefined);
  socket.write(lineOf('never') + lineOf('socket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'));
  await once(socket, 'close');
});

test('the connection is cut where an answer behind others was given up', async () => {
  const open: ServerResponse[] = [];
  const { socket, heard } = await connected((_request, response) => open.push(response), []);
  socket.write(lineOf('slow') + lineOf('given-up') + lineOf('next'));
  await expect.poll(() => open.length).toBe(3);
  open[1]!.write('begun');
  open[1]!.destroy();
  await sleep(20);
  open[0]!.end('first');
  await once(socket, 'close');
  expect(heard()).toContain('first');
});
