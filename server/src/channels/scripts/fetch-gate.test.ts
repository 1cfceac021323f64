import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchGate } from './fetch-gate.ts';
import { LIMITS } from './sandbox/limits.ts';
import { runScript } from './sandbox/sandbox.ts';

let reached: string[] = [];
const server = createServer((request, response) => {
  reached.push(`${request.method} ${request.url}`);
  if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  else if (request.url === '/flood') {
    response.on('error', () => {});
    const chunk = Buffer.alloc(64 * 1024);
    const pour = () => {
      while (response.write(chunk));
    };
    response.on('drain', pour);
    pour();
  } else request.pipe(response);
});
let origin: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (
  url: string,
  {
    origins = [URL.parse(url)?.origin ?? ''],
    allowPrivate = false,
    ...request
  }: {
    origins?: string[];
    allowPrivate?: boolean;
    method?: string;
    headers?: Record<string, string>;
    body?: string;
  } = {},
) =>
  fetchGate({ origins, allowPrivate })(
    { url, method: request.method ?? 'GET', headers: request.headers ?? {}, body: request.body ?? null },
    AbortSignal.timeout(5000),
  );

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://10.1.2.3/',
  'http://192.168.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost/',
  'file:///etc/passwd',
  'https://user:secret@example.com/',
  'not an address',
])('%s is out of reach, even from the list', async (url) => {
  expect(await ask(url)).toHaveProperty('error');
});

test('a private server is never connected to, under any of its names', async () => {
  reached = [];
  const { port } = new URL(origin);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '127.0.0.1.'])
    expect(await ask(`http://${host}:${port}/`)).toHaveProperty('error');
  expect(reached).toEqual([]);
});

test('only origins on the list are fetched: scheme, host and port must fit', async () => {
  const refused = { error: expect.stringMatching(/not on the script's list/) as string };
  expect(await ask(`${origin}/`, { allowPrivate: true, origins: [] })).toEqual(refused);
  expect(
    await ask(`${origin}/`, { allowPrivate: true, origins: [origin.replace('http:', 'https:')] }),
  ).toEqual(refused);
  expect(await ask(`${origin}/`, { allowPrivate: true, origins: ['http://127.0.0.1:1'] })).toEqual(refused);
});

test('an origin on the list answers, and a redirect is an answer', async () => {
  const allowPrivate = true;
  expect(await ask(`${origin}/x`, { allowPrivate, method: 'POST', body: 'a=1' })).toMatchObject({
    status: 200,
    body: 'a=1',
  });
  reached = [];
  const away = await ask(`${origin}/away`, { allowPrivate });
  expect(away).toMatchObject({ status: 302, headers: { location: 'http://169.254.169.254/' } });
  expect(reached).toEqual(['GET /away']);
});

test('a request that is too large or sets a header of the connection is refused', async () => {
  const allowPrivate = true;
  expect(await ask(`${origin}/flood`, { allowPrivate })).toHaveProperty('error');
  expect(
    await ask(origin, { allowPrivate, method: 'POST', body: 'x'.repeat(LIMITS.requestBytes + 1) }),
  ).toHaveProperty('error');
  for (const name of [
    'host',
    'content-length',
    'transfer-encoding',
    'x-forwarded-for',
    'Host',
    'X-Forwarded-For',
  ])
    expect(await ask(origin, { allowPrivate, headers: { [name]: '1' } })).toHaveProperty('error');
  expect(await ask(origin, { allowPrivate, method: 'CONNECT' })).toHaveProperty('error');
});

test('a script that redefines toLowerCase cannot set the host header', async () => {
  reached = [];
  const { error } = await runScript({
    of: 'an account',
    code: `async function query() {
      String.prototype.toLowerCase = function () { return String(this); };
      await fetch('${origin}/', { headers: { Host: 'inner.test' } });
    }`,
    call: 'query',
    args: [],
    fetch: fetchGate({ origins: [origin], allowPrivate: true }),
  });
  expect([error?.message, reached]).toEqual(["the header Host is not a script's to set", []]);
});
