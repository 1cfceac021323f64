import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callbacksOfOrder } from '../callbacks/of-order.ts';
import { deliver } from '../callbacks/record.ts';
import { createSender } from '../callbacks/send.ts';
import { claimCallbacks } from '../callbacks/store.ts';
import { lastAllocation } from '../collection/allocation-runs.ts';
import { recordCallbackOutcome } from '../collection/callback-outcome.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { entriesOfOrder } from '../ledger/order-entries.ts';
import { isCompletedByGateway } from '../payout/contradicted.ts';
import { SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { createOne, creditSms, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';

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

test('what a node 60 s behind wrote about an order is found', async () => {
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
