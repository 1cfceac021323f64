import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callbacksOfOrder } from '../callbacks/of-order.ts';
import { deliver } from '../callbacks/record.ts';
import { createSender } from '../callbacks/send.ts';
import { claimCallbacks } from '../callbacks/store.ts';
import { lastAllocation } from '../collection/allocation-runs.ts';
import { recordCallbackOutcome } from '../collection/callback-outcome.ts';
import { submitUtr } from '../evidence/matching/payer-utr.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { entriesOfOrder } from '../ledger/order-entries.ts';
import { isCompletedByGateway } from '../payout/contradicted.ts';
import { SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { readOrder } from '../collection/read.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { createOne, creditSms, makeShop, newReference } from '../testing/payments.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { setFrozen } from './holds/set-hold.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';

let world: TestPlatform;
let ahead: Platform;
let behind: Platform;
let server: Server;
beforeAll(async () => {
  world = await createTestPlatform();
  [ahead, behind] = [world.anotherNode(30 * SECOND), world.anotherNode(-30 * SECOND)];
  server = createServer((_, response) => response.end('success'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await world.close();
});

test('events that a node 60 s behind wrote about an order are found', async () => {
  const shop = await makeShop(world.platform);
  const notifyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const order = await createOne(ahead, shop.merchantId, { notifyUrl });
  world.clock.advance(10 * SECOND);
  await receiveMessages(behind, shop.monitor, [creditSms(behind, shop, order.payable!)]);
  expect((await entriesOfOrder(behind.db, order.id)).length).toBeGreaterThan(2);
  expect(await lastAllocation(behind.db, order.id)).toBeDefined();

  world.clock.advance(60 * SECOND);
  const sender = createSender(true);
  const [claimed] = await claimCallbacks(behind, { total: 1, perMerchant: 1, leaseMs: 30 * SECOND });
  await deliver(behind, sender, claimed!, recordCallbackOutcome);
  expect((await callbacksOfOrder(behind.db, order.id)).attempts).toHaveLength(1);
  await sender.close();
});

test("a gateway's completion that was written by a node behind counts as its own", async () => {
  const orderId = ahead.ids.next();
  await behind.db.tx((tx) =>
    writeEvents(behind, tx, [
      { orderId, kind: 'completed', from: 1, to: 2, actor: SYSTEM, data: { by: 'gateway' } },
    ]),
  );
  expect(await behind.db.tx((tx) => isCompletedByGateway(tx, orderId))).toBe(true);
});

/** An order that one node made, and the message of its payment, which the other node received. */
const WAYS = [
  ['behind', () => [ahead, behind] as const],
  ['ahead', () => [behind, ahead] as const],
] as const;

const staff = async (node: Platform) =>
  viewerOf(node, { role: 'superAdmin', userId: (await makeUser(world.platform, { role: 'superAdmin' })).id });
const stateOf = async (reference: string) =>
  (
    await world.platform.db.query<{ state: string; orderId: bigint | null }>(
      sql`select state, order_id as "orderId" from messages where utr = ${reference}`,
    )
  )[0];
const statusOf = async (id: bigint) => (await readOrder(world.platform.db, id))!.status;

test.each(WAYS)('a credit that a node %s held for a frozen order completes it', async (_, nodes) => {
  const [one, other] = nodes();
  const shop = await makeShop(world.platform);
  const admin = await staff(one);
  const { id, payable } = await createOne(one, shop.merchantId);
  const order = { subjectKind: 'order', subjectId: String(id), reason: 'asked' } as const;
  expect(isRefusal(await setFrozen(one, admin, { ...order, frozen: true }))).toBe(false);
  const reference = newReference();
  await receiveMessages(other, shop.monitor, [creditSms(world.platform, shop, payable!, { reference })]);
  expect(await stateOf(reference)).toMatchObject({ state: 'held' });
  expect(isRefusal(await setFrozen(one, admin, { ...order, frozen: false }))).toBe(false);
  expect(await stateOf(reference)).toMatchObject({ state: 'matched', orderId: id });
});

test.each(WAYS)(
  'a credit that a node %s took in pays the order whose payer names its UTR',
  async (_, nodes) => {
    const [one, other] = nodes();
    const shop = await makeShop(world.platform);
    const reference = newReference();
    await receiveMessages(other, shop.monitor, [creditSms(world.platform, shop, 700_00n, { reference })]);
    const { id, payable } = await createOne(one, shop.merchantId, { amount: 700_00n });
    expect(payable).toBeDefined();
    await submitUtr(one, one.vault.payToken(id), reference, '10.0.0.9');
    expect(await stateOf(reference)).toMatchObject({ state: 'matched', orderId: id });
  },
);

test.each(WAYS)('a supplement takes, and a reversal frees, the message of a node %s', async (_, nodes) => {
  const [one, other] = nodes();
  const shop = await makeShop(world.platform);
  const admin = await staff(one);
  const { id, payable } = await createOne(one, shop.merchantId, { amount: 800_00n });
  const reference = newReference();
  const sms = creditSms(world.platform, shop, payable! + 1n, { reference });
  await receiveMessages(other, shop.monitor, [sms]);
  expect(isRefusal(await supplement(one, admin, { orderId: id, utr: reference, offset: false }))).toBe(false);
  expect(await stateOf(reference)).toMatchObject({ state: 'matched', orderId: id });
  expect((await readOrder(world.platform.db, id))!.received).toBe(payable! + 1n);
  expect(isRefusal(await reverseByTwo(other, { orderId: id, reason: 'refunded' }))).toBe(false);
  expect(await stateOf(reference)).toMatchObject({ state: 'unmatched', orderId: null });
  expect(await statusOf(id)).toBe(6);
  expect(await brokenChecks(world.platform)).toEqual([]);
});
