import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { limitPipelining } from './pipelining.ts';

const MOST = 10;
const SENT = 20_000;

test('requests sent ahead wait in their socket; all are answered, in order', async () => {
  const open: ServerResponse[] = [];
  let taken = 0;
  const server = createServer((request, response) => {
    response.setHeader('x-number', request.url!.slice(1));
    taken += 1;
    open.push(response);
  });
  limitPipelining(server, MOST);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => (heard += data.toString('latin1')));
  const lines = Array.from({ length: SENT }, (_, number) => `GET /${number} HTTP/1.1\r\nHost: a\r\n\r\n`);
  socket.write(lines.join(''));
  await sleep(300);
  expect(taken).toBe(MOST);
  while (taken < SENT || open.length > 0) {
    for (const response of open.splice(0)) response.end();
    await sleep(1);
  }
  await expect.poll(() => heard.includes(`x-number: ${SENT - 1}\r\n`)).toBe(true);
  const numbers = [...heard.matchAll(/x-number: (\d+)/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: SENT }, (_, number) => number));
  socket.destroy();
});

// Reading a body makes Node resume the socket, even when somebody has paused it.
test('the same where bodies are read a while after their request', async () => {
  const open: ServerResponse[] = [];
  let taken = 0;
  const server = createServer((request, response) => {
    taken += 1;
    void sleep(1).then(async () => {
      for await (const piece of request) void piece;
      open.push(response);
    });
  });
  limitPipelining(server, MOST);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.on('data', (data) => (heard += data.toString('latin1')));
  const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n01234567890123456789';
  const sent = 10_000;
  socket.write(request.repeat(sent));
  await sleep(300);
  expect(taken).toBe(MOST);
  for (let ended = 0; ended < sent; await sleep(1)) {
    ended += open.length;
    for (const response of open.splice(0)) response.end();
  }
  await expect.poll(() => heard.split('HTTP/1.1 200').length - 1).toBe(sent);
  socket.destroy();
});
