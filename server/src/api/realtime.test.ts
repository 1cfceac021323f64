import type { RealtimeAnswer, RealtimeCommand } from '@sangam/contract/realtime.ts';
import { REALTIME_PATH } from '@sangam/contract/realtime.ts';
import type { FastifyInstance } from 'fastify';
import { connect } from 'node:net';
import { WebSocket } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { sql } from '../platform/db/database.ts';
import { call, post } from '../testing/call.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { createTestMerchant, createTestSupplier, createTestUser, signedIn } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';

let node: TestPlatform;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws') + REALTIME_PATH;
});
afterAll(() => node.close());
// Makes the events of one test old for the next test.
beforeEach(() => node.clock.advance(MINUTE));

interface Console {
  readonly heard: RealtimeAnswer[];
  readonly closed: () => boolean;
  send(command: Partial<RealtimeCommand>): void;
  /** The first answer that fits, now or within two seconds. */
  hears(fits: (answer: RealtimeAnswer) => boolean): Promise<RealtimeAnswer | undefined>;
}

async function open(headers: Record<string, string> = {}): Promise<Console> {
  const socket = new WebSocket(url, { headers });
  const heard: RealtimeAnswer[] = [];
  let closed = false;
  socket.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data)) as RealtimeAnswer));
  socket.addEventListener('close', () => {
    closed = true;
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', ({ message }) => reject(new Error(message)));
  });
  return {
    heard,
    closed: () => closed,
    send: (command) => socket.send(JSON.stringify({ requestId: '1', ...command })),
    async hears(fits) {
      for (let tries = 0; tries < 100; tries += 1) {
        const found = heard.find(fits);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return undefined;
    },
  };
}

async function connected(token: string): Promise<Console> {
  const console_ = await open();
  console_.send({ commandType: 'ack', token });
  expect(await console_.hears(({ requestId }) => requestId === '1')).toMatchObject({ code: 200 });
  return console_;
}

const ofType = (type: RealtimeAnswer['commandType']) => (answer: RealtimeAnswer) =>
  answer.commandType === type;
const a1003 = ({ code }: RealtimeAnswer) => code === 1003;

test('the acknowledgement gives a key, an old key is accepted again, and every heartbeat needs it', async () => {
  const { token } = await signedIn(node.platform, await createTestUser(node.platform, 'admin'));
  const first = await connected(token);
  const { key } = first.heard[0]!.data as { key: string };
  first.send({ requestId: '2', commandType: 'heartbeat', token, data: { key } });
  expect(await first.hears(({ requestId }) => requestId === '2')).toMatchObject({ code: 200 });
  first.send({ requestId: '3', commandType: 'heartbeat', token, data: { key: 'another' } });
  expect(await first.hears(({ requestId }) => requestId === '3')).toMatchObject({
    code: 400,
    msg: 'Invalid input: data.key',
  });

  const again = await open();
  again.send({ commandType: 'ack', token, data: { key } });
  expect(await again.hears(({ requestId }) => requestId === '1')).toMatchObject({ code: 200, data: { key } });
});

test('a stranger, a browser without its cookie and a heartbeat before the acknowledgement are refused', async () => {
  const { token } = await signedIn(node.platform, await createTestUser(node.platform, 'admin'));
  const nobody = await open();
  nobody.send({ commandType: 'ack', token: 'nonsense' });
  expect(await nobody.hears(a1003)).toBeDefined();
  const browser = await open({ origin: new URL(url.replace('ws', 'http')).origin });
  browser.send({ commandType: 'ack', token });
  expect(await browser.hears(a1003)).toBeDefined();
  const silent = await open();
  silent.send({ commandType: 'heartbeat', token });
  expect(await silent.hears(a1003)).toBeDefined();
  await expect.poll(() => [nobody.closed(), browser.closed(), silent.closed()]).toEqual([true, true, true]);
});

test("another site's page opens no socket", async () => {
  await expect(open({ origin: 'https://elsewhere.example' })).rejects.toThrow();
});

test('nonsense gets an answer, a flood closes the connection', async () => {
  const { token } = await signedIn(node.platform, await createTestUser(node.platform, 'admin'));
  const line = await connected(token);
  line.send({ commandType: 'dance' as 'ack' });
  expect(await line.hears(({ code }) => code === 400)).toBeDefined();
  for (let n = 0; n < 30; n += 1) line.send({ commandType: 'heartbeat', token });
  expect(await line.hears(({ code }) => code === 429)).toBeDefined();
  await expect.poll(line.closed).toBe(true);
});

test('events of orders go only to those whose lists show the orders', async () => {
  const shop = await makeShop(node.platform);
  const userOf = async (table: 'merchants' | 'suppliers', id: bigint) => {
    const from = table === 'merchants' ? sql`merchants` : sql`suppliers`;
    const [row] = await node.platform.db.query<{ id: bigint }>(
      sql`select user_id as id from ${from} where id = ${id}`,
    );
    return { id: row!.id, account: '', role: 'merchant' as const, googleSecret: '' };
  };
  const merchant = await userOf('merchants', shop.merchantId);
  const supplier = await userOf('suppliers', shop.supplierId);
  const agent = await createTestSupplier(node.platform);
  await node.platform.db.query(
    sql`update suppliers set agent_id = ${agent.id} where id = ${shop.supplierId}`,
  );
  const strangers = [
    (await createTestMerchant(node.platform)).user,
    (await createTestSupplier(node.platform)).user,
  ];
  const listen = async (user: typeof merchant | (typeof strangers)[0]) =>
    connected((await signedIn(node.platform, user)).token);
  const desk = await listen(await createTestUser(node.platform, 'customerService'));
  const [own, owner, above] = [await listen(merchant), await listen(supplier), await listen(agent.user)];
  const others = [await listen(strangers[0]!), await listen(strangers[1]!)];

  const order = await createOne(node.platform, shop.merchantId);
  const orderCode = String(order.id);
  for (const line of [desk, own, owner, above]) {
    expect(await line.hears(ofType('orderChanged'))).toMatchObject({
      data: { direction: 'in', orderCodes: [orderCode], more: false },
    });
  }
  for (const line of [desk, owner]) {
    expect(await line.hears(ofType('newOrder'))).toMatchObject({ data: { orderCode } });
  }
  for (const line of [own, above]) expect(line.heard.filter(ofType('newOrder'))).toEqual([]);
  for (const line of others) expect(line.heard.filter(({ commandType }) => commandType)).toEqual([]);
  // Only once, although each round looks back over the last seconds.
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(desk.heard.filter(ofType('newOrder'))).toHaveLength(1);

  // A suspicion reaches staff alone: whoever it is about must not notice it.
  const told = [own, owner, above].map((line) => line.heard.length);
  await node.platform.db.tx((tx) =>
    writeEvents(node.platform, tx, [
      { orderId: order.id, kind: 'marked', from: null, to: null, actor: SYSTEM },
    ]),
  );
  await expect.poll(() => desk.heard.filter(ofType('orderChanged')).length).toBe(2);
  expect([own, owner, above].map((line) => line.heard.length)).toEqual(told);
});

test('an ended session is told at once, on whichever node it ends', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { token } = await signedIn(node.platform, user);
  const line = await connected(token);
  const elsewhere = await node.app(undefined, node.anotherNode());
  const [session] = await node.platform.db.query<{ id: bigint }>(
    sql`select id from sessions where user_id = ${user.id}`,
  );
  const boss = await signedIn(node.platform, await createTestUser(node.platform, 'superAdmin'));
  expect(
    (await post(elsewhere, '/v1.0/user/forceLogout', { token: String(session!.id) }, { ...boss })).code,
  ).toBe(200);
  expect(await line.hears(a1003)).toBeDefined();
  await expect.poll(line.closed).toBe(true);
});

test('polls of a connected console ask the database nothing about its session, until it ends', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { token } = await signedIn(node.platform, user);
  const poll = async () => (await call(app, 'GET', '/v1.0/order/getLastOrder', {}, { token })).code;
  const line = await connected(token);
  await new Promise((resolve) => setTimeout(resolve, 500));
  // Changed behind the server's back: a check in the database would now answer 1003.
  await node.platform.db.query(sql`update sessions set token_hash = '\\x00' where user_id = ${user.id}`);
  expect(await poll()).toBe(200);
  expect((await post(app, '/v1.0/user/getInfo', {}, { token })).code).toBe(1003);
  await node.platform.db.query(
    sql`update sessions set ended_at = ${node.clock.now()} where user_id = ${user.id}`,
  );
  expect(await line.hears(a1003)).toBeDefined();
  expect(await poll()).toBe(1003);
});

test('a changed setting is announced to those who may read settings', async () => {
  const listen = async (role: 'superAdmin' | 'admin') =>
    connected((await signedIn(node.platform, await createTestUser(node.platform, role))).token);
  const [top, admin] = [await listen('superAdmin'), await listen('admin')];
  await node.platform.settings.write('OrderTimeoutMinutes', 20, null);
  expect(await top.hears(ofType('config'))).toMatchObject({ data: { names: ['OrderTimeoutMinutes'] } });
  expect(admin.heard.filter(ofType('config'))).toEqual([]);
});

test('rubbish frames and pings count like commands, and beyond the limit nothing is answered', async () => {
  const line = await open();
  for (let n = 0; n < 60; n += 1) line.send({ requestId: 'x'.repeat(100) });
  await expect.poll(line.closed).toBe(true);
  expect(line.heard.filter(({ code }) => code === 400)).toHaveLength(20);
  expect(line.heard.filter(({ code }) => code === 429)).toHaveLength(1);

  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let isClosed = false;
  socket.on('error', () => undefined).on('close', () => (isClosed = true));
  socket.write(
    `GET ${REALTIME_PATH} HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await new Promise((resolve) => socket.once('data', resolve));
  // Masked pings without content.
  for (let n = 0; n < 100; n += 1) socket.write(Buffer.from([0x89, 0x80, 1, 2, 3, 4]));
  await expect.poll(() => isClosed).toBe(true);
});
