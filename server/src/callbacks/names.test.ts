import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNames } from '../platform/net/names.ts';
import { guardedLookup } from '../platform/net/target.ts';
import { type NameServer, startNameServer } from '../testing/name-server.ts';
import { createSender, type Sender } from './send.ts';

let server: Server;
let port: number;
let names: NameServer;
let sender: Sender;
beforeAll(async () => {
  server = createServer((_, response) => response.end('success'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  names = await startNameServer((name) =>
    name.startsWith('hang') ? undefined : name.startsWith('none') ? null : '127.0.0.1',
  );
  sender = createSender(true, createNames([names.address]));
});
afterAll(async () => {
  await sender.close();
  await names.close();
  server.closeAllConnections();
  server.close();
});

const send = (host: string, by = sender) =>
  by.send(
    {
      url: `http://${host}:${port}/`,
      transport: 'json',
      fields: { status: '1' },
      signType: 'md5',
      secret: 'secret',
    },
    new Date(),
  );

test('names whose server never answers delay no other merchant, and are not asked for again', async () => {
  const hanging = Array.from({ length: 4 }, (_, n) => `hang${n}.test`);
  let lostEnded = 0;
  const lose = async (host: string) => {
    const outcome = await send(host);
    lostEnded += 1;
    return outcome;
  };
  const lost = Promise.all(Array.from({ length: 32 }, (_, n) => lose(hanging[n % 4]!)));
  const good = await Promise.all(Array.from({ length: 40 }, (_, n) => send(`good${n}.test`)));
  expect(lostEnded).toBe(0);
  expect(good.every(({ acknowledged }) => acknowledged)).toBe(true);

  expect((await lost).every(({ acknowledged, error }) => !acknowledged && error !== null)).toBe(true);
  const questions = () => hanging.map((name) => names.asked.get(name));
  const before = questions();
  const fresh = lose('hang-again.test');
  await Promise.all(hanging.map((host) => send(host)));
  expect(lostEnded).toBe(32);
  await fresh;
  expect(questions()).toEqual(before);
}, 30_000);

test('an answer is cached, a name without address is reported as such, localhost needs no query', async () => {
  expect(await send('kept.test')).toMatchObject({ acknowledged: true });
  expect(await send('kept.test')).toMatchObject({ acknowledged: true });
  // One query for IPv4 and one for IPv6.
  expect(names.asked.get('kept.test')).toBe(2);
  expect((await send('none.test')).error).toContain('ENODATA');
  expect(await send('localhost')).toMatchObject({ acknowledged: true });
  expect(names.asked.has('localhost')).toBe(false);
});

test('a name that resolves to a private address is refused, and the checked address is the one connected to', async () => {
  const guard = guardedLookup(false, createNames([names.address]));
  const refused = await new Promise<string>((resolve) =>
    guard('private.test', { all: true }, (error) => resolve(error?.message ?? 'let through')),
  );
  expect(refused).toContain('not public');
  // The merchant's callback is not sent there either.
  const strict = createSender(false, createNames([names.address]));
  const result = await send('private.test', strict);
  expect(result).toMatchObject({ acknowledged: false, status: null });
  expect(result.error).toContain('not public');
  await strict.close();
});
