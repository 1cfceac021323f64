import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { type Listening, listenWidely } from './listen.ts';

const LOCAL = { host: '127.0.0.1', port: 0 };
const open: Listening[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

async function listen(app: FastifyInstance, port = 0): Promise<Listening> {
  const node = await listenWidely(app, { ...LOCAL, port });
  open.push(node);
  return node;
}

const answering = () => Fastify().get('/', () => 'here');

/** Opens connections on another thread, and signals when the system has accepted all of them. */
const CALLERS = `
  const { connect } = require('node:net');
  const { workerData: { port, count, said } } = require('node:worker_threads');
  let open = 0;
  const opened = () => {
    open += 1;
    if (open < count) return;
    Atomics.store(said, 0, 1);
    Atomics.notify(said, 0);
  };
  for (let each = 0; each < count; each += 1) connect(port, '127.0.0.1', opened);`;

test.runIf(process.platform === 'linux')(
  'a busy node takes several new connections in a round of its event loop',
  { timeout: 20_000 },
  async () => {
    const app = answering();
    const { address } = await listen(app);
    let taken = 0;
    app.server.on('connection', () => (taken += 1));
    const count = 160;
    const said = new Int32Array(new SharedArrayBuffer(4));
    const callers = new Worker(CALLERS, {
      eval: true,
      workerData: { count, said, port: Number(new URL(address).port) },
    });
    // Blocks this thread until all connections wait in the queues of the sockets.
    Atomics.wait(said, 0, 0, 15_000);
    let rounds = 0;
    while (taken < count) {
      await new Promise((resolve) => setImmediate(resolve));
      rounds += 1;
    }
    await callers.terminate();
    // With one socket there are 160 rounds. The shares of eight sockets are never quite even.
    expect(rounds).toBeLessThan(count / 2);
  },
);

test('each connection is answered, whichever socket took it', async () => {
  const { address } = await listen(answering());
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      fetch(address, { headers: { connection: 'close' } }).then((response) => response.text()),
    ),
  );
  expect(new Set(answers)).toEqual(new Set(['here']));
});

test('an address that another node has is refused', async () => {
  const { address } = await listen(answering());
  await expect(listenWidely(answering(), { ...LOCAL, port: Number(new URL(address).port) })).rejects.toThrow(
    'EADDRINUSE',
  );
});

test('closing waits for the answers under way', async () => {
  const app = Fastify();
  let begun = 0;
  const { promise: allBegun, resolve: haveBegun } = Promise.withResolvers<void>();
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  app.get('/', async () => {
    if (++begun === 16) haveBegun();
    await gate;
    return 'done';
  });
  const node = await listenWidely(app, LOCAL);
  const answers = Array.from({ length: 16 }, () => fetch(node.address).then((response) => response.text()));
  await allBegun;
  let isClosed = false;
  const closing = node.close().then(() => (isClosed = true));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isClosed).toBe(false);
  openGate();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['done']));
  await closing;
  await expect(fetch(node.address)).rejects.toThrow();
});

test('an answer that a slow caller has not read yet is sent to its end', async () => {
  const app = Fastify();
  const size = 10_000_000;
  const { promise: asked, resolve: hasAsked } = Promise.withResolvers<void>();
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  app.get('/', async () => {
    hasAsked();
    await gate;
    return Buffer.alloc(size);
  });
  const node = await listenWidely(app, LOCAL);
  const socket = connect(Number(new URL(node.address).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked;
  socket.pause();
  const closing = node.close();
  await sleep(50);
  openGate();
  // Longer than several rounds in which idle connections are closed.
  await sleep(300);
  let read = 0;
  socket.on('data', (data) => (read += data.length));
  socket.resume();
  await once(socket, 'close');
  expect(read).toBeGreaterThan(size);
  await closing;
});
