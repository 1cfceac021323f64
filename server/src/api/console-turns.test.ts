import { once } from 'node:events';
import { connect } from 'node:net';
import { payPage } from '@sangam/contract/endpoints/outside.ts';
import { getPayoutList } from '@sangam/contract/endpoints/payout.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { newToken } from '../access/secret-token.ts';
import { createTestSupplier, createTestUser, signedIn } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { call } from '../testing/call.ts';
import { publicRoute, viewerRoute } from '../http/route.ts';
import { refuse } from '../platform/refusal.ts';

/** A supplier's robot sends more and more calls at once. It waits behind its own calls, and other users are served. */

let world: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  world = await createTestPlatform();
  app = await world.app();
});
afterAll(() => world.close());

const CALLS = 300;

test('a flood of calls delays only its own session, and calls beyond the limit are refused', async () => {
  const robot = await signedIn(world.platform, (await createTestSupplier(world.platform)).user);
  const admin = await signedIn(world.platform, await createTestUser(world.platform, 'admin'));
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  const flooded = await world.app([
    viewerRoute(getPayoutList, async (_, viewer) => {
      if (viewer.role === 'supplier') await gate;
      return refuse('notFound');
    }),
  ]);
  const answered: number[] = [];
  const ask = async ({ token }: { readonly token: string }) =>
    (await call(flooded, 'GET', getPayoutList.path, {}, { token })).status;
  const flood = Array.from({ length: CALLS }, async () => answered.push(await ask(robot)));
  expect(await ask(admin)).toBe(404);
  // Calls beyond the waiting limit are refused at once, before any of the others was served.
  expect(new Set(answered)).toEqual(new Set([429]));
  openGate();
  await Promise.all(flood);
  expect(new Set(answered)).toEqual(new Set([404, 429]));
  expect(answered.filter((status) => status === 429)).toHaveLength(CALLS - 206);
});

test('a stranger with another made-up session in each call keeps no user out', async () => {
  const admin = await signedIn(world.platform, await createTestUser(world.platform, 'admin'));
  const ask = async (from: string, token: string) => {
    const headers = { token, 'x-forwarded-for': from };
    return (await call(app, 'GET', getPayoutList.path, {}, headers)).status;
  };
  expect(await ask('203.0.113.8', admin['token']!)).toBe(200);
  // While nobody can read sessions, every call waits.
  const holder = new pg.Client({ connectionString: world.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table sessions in access exclusive mode');
  const flood = Array.from({ length: 1_200 }, () => ask('203.0.113.9', newToken()));
  const mine = ask('203.0.113.8', admin['token']!);
  const refused = (await Promise.all(flood.slice(-100))).filter((status) => status === 429);
  await holder.query('commit');
  await holder.end();
  const [answered] = await Promise.all([mine, ...flood]);
  expect(answered).toBe(200);
  expect(refused).toHaveLength(100);
});

test('payers behind one address do not wait for each other', async () => {
  const pages = Array.from({ length: CALLS }, (_, n) =>
    call(app, 'GET', `/v1.0/pay/${String(n).padStart(27, 'A')}`),
  );
  const statuses = (await Promise.all(pages)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toEqual([]);
});

test('a call whose caller is gone before its turn comes is not worked on', async () => {
  let begun = 0;
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  const slow = await world.app([
    publicRoute(payPage, async () => {
      begun += 1;
      await gate;
      return refuse('notFound');
    }),
  ]);
  const port = Number(new URL(await slow.listen({ host: '127.0.0.1', port: 0 })).port);
  let closedCalls = 0;
  slow.server.on('connection', (socket) => socket.once('close', () => (closedCalls += 1)));
  const ask = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${payPage.path.replace(':token', 'x'.repeat(27))} HTTP/1.1\r\nHost: here\r\n\r\n`);
    return socket;
  };
  // Two calls of a page run at once. The third and the fourth wait.
  const running = await Promise.all(Array.from({ length: 2 }, ask));
  await expect.poll(() => begun).toBe(2);
  const impatient = await ask();
  const patient = await ask();
  // Waits until both calls have been read: a node reads calls as they come.
  await new Promise((resolve) => setTimeout(resolve, 100));
  impatient.destroy();
  await expect.poll(() => closedCalls).toBe(1);
  openGate();
  await once(patient, 'data');
  expect(begun).toBe(3);
  for (const socket of [...running, patient]) socket.destroy();
});
