import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordCallbackOutcome } from '../collection/callback-outcome.ts';
import { SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { WAIT_FOR_CLAIMS } from './claim-lock.ts';
import { enqueueCallbacks, withdrawTimeoutCallbacks } from './enqueue.ts';
import { callbacksOfOrder } from './of-order.ts';
import { deliver } from './record.ts';
import { SCHEDULE } from './schedule.ts';
import { createSender, type Sender } from './send.ts';
import { claimCallbacks } from './store.ts';

const LIMITS = { total: 8, perMerchant: 8, leaseMs: 30 * SECOND };

let world: TestPlatform;
let sender: Sender;
let server: Server;
let url: string;
/** What the merchant received last, and what it answers. */
let received: string;
let answer: string;
let orderId: bigint;

beforeAll(async () => {
  world = await createTestPlatform();
  sender = createSender(true);
  server = createServer((request, response) => {
    received = '';
    request.on('data', (chunk: Buffer) => (received += chunk.toString()));
    request.on('end', () => response.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`;
});
afterAll(async () => {
  await sender.close();
  server.close();
  await world.close();
});
let merchantId: bigint;
beforeEach(async () => {
  answer = 'success';
  await world.platform.db.query(sql`delete from callback_queue`);
  ({ merchantId } = await makeShop(world.platform));
  ({ id: orderId } = await createOne(world.platform, merchantId, { notifyUrl: url }));
});

const enqueue = (kind: 'timeout' | 'paid') =>
  world.platform.db.tx((tx) =>
    enqueueCallbacks(world.platform, tx, [{ orderId, merchantId, url, kind, fields: { status: '1' } }]),
  );
const claim = (node = world.platform) => claimCallbacks(node, LIMITS);

test('a timeout that is being sent is not taken back, and the payment is reported after it', async () => {
  const withdraw = () =>
    world.platform.db.tx(async (tx) => withdrawTimeoutCallbacks(tx, [orderId], world.clock.now()));
  await enqueue('timeout');
  const [sent] = await claim();
  await withdraw();
  await enqueue('paid');
  const other = world.anotherNode();
  expect(await claim(other)).toEqual([]);
  await deliver(world.platform, sender, sent!, recordCallbackOutcome);
  const [attempt] = await world.platform.db.query(
    sql`select request from callback_attempts where callback_id = ${sent!.id}`,
  );
  expect(attempt).toEqual({ request: received });
  const after = await claim(other);
  expect(after.map(({ kind }) => kind)).toEqual(['paid']);

  // While another node claims, that node might be leasing it: it stays. Untried and not leased, it is taken back.
  const queued = () =>
    world.platform.db.query(
      sql`select from callback_queue q join callbacks c on c.id = q.callback_id where c.kind = 'timeout'`,
    );
  await enqueue('timeout');
  await other.db.tx(async (tx) => {
    await tx.query(WAIT_FOR_CLAIMS);
    await withdraw();
  });
  expect(await queued()).toHaveLength(1);
  await withdraw();
  expect(await queued()).toEqual([]);
});

test('a timeout that the merchant does not acknowledge is given up for the payment, also when both are due', async () => {
  await enqueue('timeout');
  answer = 'fail';
  const [tried] = await claim();
  expect(await deliver(world.platform, sender, tried!, recordCallbackOutcome)).toBe('failed');
  await enqueue('paid');
  // By now the timeout is due again.
  world.clock.advance(SCHEDULE[1]!);
  const [claimed, ...others] = await claim();
  expect([claimed!.kind, others]).toEqual(['paid', []]);
  const { callbacks } = await callbacksOfOrder(world.platform.db, orderId);
  expect(callbacks.map(({ kind, state }) => [kind, state])).toEqual([
    ['timeout', 3],
    ['paid', 0],
  ]);
});
