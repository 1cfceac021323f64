import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { loopbackUrl } from './loopback.ts';
import { createMonitorClient } from './monitor/monitor-client.ts';
import { createPatientCaller } from './patient-caller.ts';

let stop = async (): Promise<void> => undefined;
afterEach(() => stop());

/** A server that gives the listed answers in turn, and keeps what it was sent. */
async function startServer(answers: readonly { readonly status: number; readonly body: object }[]) {
  const seen: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    const answer = answers[seen.length - 1] ?? answers.at(-1)!;
    request.resume().on('end', () => response.writeHead(answer.status).end(JSON.stringify(answer.body)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const fine = { status: 200, body: { code: 200, msg: 'ok', data: { results: [] } } };

describe('loopbackUrl', () => {
  test.each(['http://10.0.0.1', 'https://example.com', 'http://127.0.0.1.example.com', 'nonsense'])(
    'refuses %s',
    (url) => {
      expect(() => loopbackUrl(url)).toThrow('127.0.0.1 only');
    },
  );

  test('accepts an address of this machine', () => {
    expect(loopbackUrl('http://127.0.0.1:8080/x')).toBe('http://127.0.0.1:8080');
  });
});

describe('a patient caller', () => {
  test('retries while the server is overloaded, with a fresh attempt each time', async () => {
    const { url } = await startServer([{ status: 503, body: {} }, { status: 429, body: {} }, fine]);
    let attempts = 0;
    const answer = await createPatientCaller([url]).call(() => ({
      method: 'GET',
      path: `/${(attempts += 1)}`,
    }));
    expect(answer.code).toBe(200);
    expect(attempts).toBe(3);
  });

  test('goes to the next node when one is down', async () => {
    const { url } = await startServer([fine]);
    const statistics = { calls: 0, retries: 0 };
    const caller = createPatientCaller(['http://127.0.0.1:9', url], statistics);
    expect((await caller.call(() => ({ method: 'GET', path: '/' }))).code).toBe(200);
    expect(statistics).toEqual({ calls: 1, retries: 1 });
  });

  test('gives up in the end', async () => {
    const caller = createPatientCaller(['http://127.0.0.1:9'], undefined, 150);
    await expect(caller.call(() => ({ method: 'GET', path: '/x' }))).rejects.toThrow('no answer to /x');
  });
});

describe('a monitor', () => {
  test('takes a new sequence number for every try, above the one the server knows', async () => {
    const far = String(BigInt(Date.now()) + 1_000_000n);
    const repeated = { status: 409, body: { code: 409, msg: 'again', data: { lastSequence: far } } };
    const { url, seen } = await startServer([{ status: 500, body: {} }, repeated, fine]);
    const monitor = createMonitorClient({ url, monitorId: '30001', secret: 'S' });
    await monitor.report([{ messageId: 'a', sender: 'X', text: 'y', receivedAt: new Date() }]);
    const sequences = seen.map((headers) => BigInt(headers['x-monitor-sequence'] as string));
    expect(sequences[1]).toBe(sequences[0]! + 1n);
    expect(sequences[2]).toBe(BigInt(far) + 1n);
  });
});
