import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getCallbackDetailList } from '@sangam/contract/endpoints/callback.ts';
import { sign } from '@sangam/contract/signature.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { recordCallbackOutcome } from '../collection/callback-outcome.ts';
import { callBack } from '../collection/call-back.ts';
import { readOrders } from '../collection/store.ts';
import { sql } from '../platform/db/database.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { ask } from '../testing/ask.ts';
import { setSecret } from '../testing/people.ts';
import { createOne, creditSms, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, viewerOf } from '../testing/world.ts';
import type { ClaimedCallback } from './callback.ts';
import { startDispatcher } from './dispatch.ts';
import { deliver } from './record.ts';
import { SCHEDULE } from './schedule.ts';
import { createSender, type Sender } from './send.ts';
import { enqueueCallbacks } from './enqueue.ts';
import { callbacksOfOrder } from './of-order.ts';
import { claimCallbacks } from './store.ts';

let world: TestPlatform;
let sender: Sender;
let server: Server;
let url: string;
let received: { path: string; body: string; type: string }[];
let answer: { status: number; body: string; headers?: Record<string, string>; hang?: boolean };

beforeAll(async () => {
  world = await createTestPlatform();
  sender = createSender(true);
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ path: request.url!, body, type: request.headers['content-type'] ?? '' });
      if (!answer.hang) response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`;
});
afterAll(async () => {
  await sender.close();
  server.closeAllConnections();
  server.close();
  await world.close();
});
beforeEach(async () => {
  received = [];
  answer = { status: 200, body: ' Success\n' };
  await world.platform.db.query(sql`delete from callback_queue`);
});

async function paidOrder(shop: Shop, notifyUrl = url): Promise<bigint> {
  const order = await createOne(world.platform, shop.merchantId, { notifyUrl, param1: 'a b&c' });
  await receiveMessages(world.platform, shop.monitor, [creditSms(world.platform, shop, order.payable!)]);
  return order.id;
}

async function sendDue(): Promise<string[]> {
  const limits = { total: 64, perMerchant: 4, leaseMs: 30 * SECOND };
  const claimed = await claimCallbacks(world.platform, limits);
  return Promise.all(
    claimed.map((callback) => deliver(world.platform, sender, callback, recordCallbackOutcome)),
  );
}

const status = async (id: bigint) => (await readOrders(world.platform.db, [id]))[0]!.status;

async function fresh(): Promise<Shop> {
  await world.platform.db.query(sql`update resources set state = 1`);
  return makeShop(world.platform);
}

test("'success' in any case ends the order; the notification is signed and its status a number", async () => {
  const shop = await fresh();
  await world.platform.db.query(sql`update merchants set sign_type = 'md5' where id = ${shop.merchantId}`);
  await setSecret(world.platform, shop.merchantId, 'TOPSECRET');
  const id = await paidOrder(shop);
  expect([await sendDue(), await status(id)]).toEqual([['succeeded'], 3]);
  const told = JSON.parse(received[0]!.body) as Record<string, string | number>;
  const { sign: signature, ...fields } = told;
  const asText = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  expect(signature).toBe(sign(asText, 'md5', 'TOPSECRET'));
  expect(told).toMatchObject({
    status: 1,
    payOrderId: String(id),
    amount: '50000',
    realAmount: '50000',
    income: '48500',
    param1: 'a b&c',
  });
  await expectShown(id, received[0]!.body);
});

test.each([
  ['form', 'application/x-www-form-urlencoded'],
  ['query', ''],
] as const)('a merchant may take its notifications as %s', async (transport, type) => {
  const shop = await fresh();
  await world.platform.db.query(
    sql`update merchants set callback_transport = ${transport} where id = ${shop.merchantId}`,
  );
  const id = await paidOrder(shop, `${url}?own=1#part`);
  await sendDue();
  const text = transport === 'query' ? received[0]!.path : received[0]!.body;
  expect(received[0]!.path.startsWith('/notify?own=1')).toBe(true);
  expect(text).toContain(`payOrderId=${id}`);
  expect(text).toContain('param1=a+b%26c');
  expect(received[0]!.type).toBe(type);
  await expectShown(id, transport === 'query' ? url.replace('/notify', text) : text);
});

/** What an operator sees of the newest attempt, in the order's story and in the list of attempts. */
async function expectShown(orderId: bigint, request: string): Promise<void> {
  const { attempts } = await callbacksOfOrder(world.platform.db, orderId);
  expect(attempts.at(-1)!.request).toBe(request);
  const boss = viewerOf(world.platform, { role: 'superAdmin' });
  const { list } = await ask(world.platform, boss, getCallbackDetailList, { orderCode: String(orderId) });
  expect(list[0]!.request).toBe(request);
}

test('after any other answer the callback is tried again on the schedule, each attempt is kept, until retries are used up', async () => {
  const shop = await fresh();
  const id = await paidOrder(shop);
  answer = { status: 500, body: 'x'.repeat(5000) };
  const outcomes: string[] = [];
  for (const wait of SCHEDULE) {
    world.clock.advance(wait);
    outcomes.push(...(await sendDue()));
    expect(await sendDue()).toEqual([]);
  }
  expect(outcomes).toEqual([...SCHEDULE.slice(1).map(() => 'failed'), 'exhausted']);
  expect(await status(id)).toBe(4);
  const { attempts } = await callbacksOfOrder(world.platform.db, id);
  expect(attempts).toHaveLength(SCHEDULE.length);
  expect(attempts[0]).toMatchObject({ status: 500, answer: 'x'.repeat(2048) });

  answer = { status: 200, body: 'success' };
  await callBack(
    world.platform,
    viewerOf(world.platform, { role: 'merchant', merchantId: shop.merchantId }),
    id,
  );
  expect(await status(id)).toBe(6);
  await sendDue();
  expect(await status(id)).toBe(3);
});

test('two nodes send one callback after a lease ran out: the first acknowledgement ends the order; both attempts are kept', async () => {
  const { platform } = world;
  const id = await paidOrder(await fresh());
  const [callback] = await claimCallbacks(platform, { total: 1, perMerchant: 1, leaseMs: 1 });
  for (const body of ['success', 'success', 'no']) {
    answer = { status: 200, body };
    await deliver(platform, sender, { ...callback!, attempts: 99 }, recordCallbackOutcome);
  }
  const events = await platform.db.query(
    sql`select kind from order_events where order_id = ${id} and kind like 'callback%'`,
  );
  expect(events).toEqual([{ kind: 'callbackSucceeded' }]);
  expect(await platform.db.query(sql`select from callback_attempts where order_id = ${id}`)).toHaveLength(3);
});

test('a redirect is not followed, and only the word success acknowledges', async () => {
  const shop = await fresh();
  answer = { status: 302, body: 'success', headers: { location: `${url}/elsewhere` } };
  await paidOrder(shop);
  expect(await sendDue()).toEqual(['failed']);
  answer = { status: 200, body: '{"msg":"success"}' };
  world.clock.advance(MINUTE);
  expect(await sendDue()).toEqual(['failed']);
  expect(received.map(({ path }) => path)).toEqual(['/notify', '/notify']);
});

test('callbacks of one order go out in the order they were written, whichever node made their ids', async () => {
  const shop = await fresh();
  const { id: orderId } = await createOne(world.platform, shop.merchantId, { notifyUrl: url });
  const notice = { orderId, merchantId: shop.merchantId, url, fields: {} };
  // The second node has the higher ids while the clock stands still.
  for (const [platform, kind] of [
    [world.anotherNode(), 'paid'],
    [world.platform, 'reversed'],
  ] as const)
    await platform.db.tx((tx) => enqueueCallbacks(platform, tx, [{ ...notice, kind }]));
  const limits = { total: 64, perMerchant: 4, leaseMs: 30 * SECOND };
  const claimed = await claimCallbacks(world.platform, limits);
  expect(claimed.map(({ kind }) => kind)).toEqual(['paid']);
});

test('claims of several nodes at once lease nothing twice; only recorded callbacks become free', async () => {
  const shop = await fresh();
  await world.platform.db.query(
    sql`update merchants set callback_waits = '{0, 0, 0}' where id = ${shop.merchantId}`,
  );
  for (let n = 0; n < 12; n += 1) await paidOrder(shop);
  const limits = { total: 64, perMerchant: 4, leaseMs: 30 * SECOND };
  const nodes = [world.platform, world.anotherNode(), world.anotherNode(), world.anotherNode()];
  const claimed: ClaimedCallback[] = [];
  // A node whose claim meets another claim gets nothing and tries again.
  for (let tries = 0; tries < 20 && claimed.length < 12; tries += 1)
    claimed.push(...(await Promise.all(nodes.map((node) => claimCallbacks(node, limits)))).flat());
  expect(claimed).toHaveLength(12);
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(12);

  answer = { status: 500, body: '' };
  const [first, second, ...held] = claimed;
  // Two nodes record two callbacks of one claim at once.
  await Promise.all(
    [first!, second!].map((callback, n) => deliver(nodes[n]!, sender, callback, recordCallbackOutcome)),
  );
  const again = await claimCallbacks(world.platform, limits);
  expect(new Set(again.map(({ id }) => id))).toEqual(new Set([first!.id, second!.id]));
  answer = { status: 200, body: 'success' };
  for (const callback of [...held, ...again])
    expect(await deliver(world.platform, sender, callback, recordCallbackOutcome)).toBe('succeeded');
  expect(
    await world.platform.db.query(sql`
      select from callback_leases where merchant_id = ${shop.merchantId} and callback_ids <> '{}'`),
  ).toEqual([]);
});

test('a claim with marks starts where the last one ended; a claim of all finds what was passed over', async () => {
  const shop = await fresh();
  const orders: bigint[] = [];
  for (let n = 0; n < 4; n += 1) orders.push(await paidOrder(shop));
  const other = await makeShop(world.platform);
  const [late] = await world.platform.db.query<{ id: bigint; at: Date }>(sql`
    delete from callback_queue where order_id = ${orders[0]!} returning callback_id as id, next_at as at`);
  const limits = { total: 64, perMerchant: 2, leaseMs: 30 * SECOND };
  const claimed = await claimCallbacks(world.platform, limits);
  expect(claimed.map(({ orderId }) => orderId)).toEqual(orders.slice(1, 3));
  const others = await paidOrder(other);
  // Committed after callbacks that were due later.
  await world.platform.db.query(sql`
    insert into callback_queue select id, order_id, merchant_id, place, ${late!.at} from callbacks where id = ${late!.id}`);
  const after = new Map([[shop.merchantId, claimed.at(-1)!]]);
  const more = await claimCallbacks(world.platform, { ...limits, after });
  expect(more.map(({ orderId }) => orderId)).toEqual(orders.slice(3));
  const rest = await claimCallbacks(world.platform, limits);
  expect(new Set(rest.map(({ orderId }) => orderId))).toEqual(new Set([orders[0], others]));
});

test("'send again' makes a waiting callback due now instead of queueing a second", async () => {
  const shop = await fresh();
  answer = { status: 500, body: '' };
  const id = await paidOrder(shop);
  await sendDue();
  await callBack(world.platform, viewerOf(world.platform, { role: 'admin' }), id);
  answer = { status: 200, body: 'SUCCESS' };
  expect(await sendDue()).toEqual(['succeeded']);
  expect((await callbacksOfOrder(world.platform.db, id)).callbacks).toHaveLength(1);
});

test('without the allow flag a private target is never connected to, and the attempt gives the reason', async () => {
  const shop = await fresh();
  const id = await paidOrder(shop);
  const strict = createSender(false);
  const [claimed] = await claimCallbacks(world.platform, {
    total: 1,
    perMerchant: 1,
    leaseMs: 1000,
  });
  expect(await deliver(world.platform, strict, claimed!, recordCallbackOutcome)).toBe('failed');
  await strict.close();
  expect(received).toEqual([]);
  const { attempts } = await callbacksOfOrder(world.platform.db, id);
  expect(attempts[0]).toMatchObject({ status: null, error: 'address is not public' });
});

test('one merchant in ten that never answers keeps none of the others waiting', async () => {
  const shop = await fresh();
  const others = await Promise.all(Array.from({ length: 9 }, () => makeMerchant(world.platform)));
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  // The dead merchant has more callbacks due than the node has places, and all are due before those of the others.
  const due = (merchantId: bigint, count: number, to: string) =>
    world.platform.db.tx((tx) =>
      enqueueCallbacks(
        world.platform,
        tx,
        Array.from({ length: count }, () => ({
          orderId: world.platform.ids.next(),
          merchantId,
          kind: 'paid' as const,
          url: to,
          fields: { status: '1' },
        })),
      ),
    );
  await due(shop.merchantId, 1_200, silentUrl);
  world.clock.advance(SECOND);
  for (const { merchantId } of others) await due(merchantId, 30, url);
  const hasty = createSender(true);
  const dispatcher = startDispatcher(world.platform, hasty, recordCallbackOutcome);
  const waiting = async () => {
    const [row] = await world.platform.db.query<{ others: number; dead: number }>(sql`
      select count(*) filter (where merchant_id <> ${shop.merchantId})::int as others,
        count(*) filter (where merchant_id = ${shop.merchantId} and attempts = 0)::int as dead
      from callback_queue`);
    return row!;
  };
  try {
    // All callbacks of the others are sent before the first attempt at the dead merchant times out (10 s).
    await expect.poll(waiting, { timeout: 9_000 }).toEqual({ others: 0, dead: 1_200 });
    expect(received).toHaveLength(270);
  } finally {
    silent.closeAllConnections();
    silent.close();
    await dispatcher.stop();
    await hasty.close();
  }
});

test('a paused merchant gets no callbacks and loses none; resumed, it gets them in the order they were due', async () => {
  const shop = await fresh();
  const ids: bigint[] = [];
  for (let n = 0; n < 3; n += 1) {
    ids.push(await paidOrder(shop));
    world.clock.advance(SECOND);
  }
  const pause = (paused: boolean) =>
    world.platform.db.query(
      sql`update merchants set callbacks_paused = ${paused} where id = ${shop.merchantId}`,
    );
  await pause(true);
  expect(await sendDue()).toEqual([]);
  await pause(false);
  const first = await claimCallbacks(world.platform, {
    total: 64,
    perMerchant: 2,
    leaseMs: SECOND,
  });
  expect(new Set(first.map(({ orderId }) => orderId))).toEqual(new Set(ids.slice(0, 2)));
  world.clock.advance(2 * SECOND);
  expect(await sendDue()).toEqual(['succeeded', 'succeeded', 'succeeded']);
});

test("a merchant's own schedule takes the place of the usual one", async () => {
  const shop = await fresh();
  await world.platform.db.query(
    sql`update merchants set callback_waits = '{0, 5}' where id = ${shop.merchantId}`,
  );
  answer = { status: 500, body: '' };
  await paidOrder(shop);
  expect(await sendDue()).toEqual(['failed']);
  world.clock.advance(4 * SECOND);
  expect(await sendDue()).toEqual([]);
  world.clock.advance(SECOND);
  expect(await sendDue()).toEqual(['exhausted']);
});
