import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signMonitorCall } from '@sangam/contract/signature.ts';
import { readOrders } from '../../collection/store.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { signedMonitor } from '../monitors/signed-monitor.ts';
import { receiveMessages } from './receive.ts';

let world: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(world.platform);
});

/** Signs and reports one credit of the amount, as a phone whose clock is behind by `behindMs`. */
async function reportFromPhone(amount: bigint, behindMs: number, receivedAgoMs = 0) {
  const phoneNow = world.clock.now().getTime() - behindMs;
  const [timestamp, sequence, body] = [String(phoneNow), '1', Buffer.from('')];
  const monitor = await signedMonitor(world.platform, {
    monitorId: String(shop.monitor.id),
    timestamp,
    sequence,
    signature: signMonitorCall(shop.monitorSecret, timestamp, sequence, body),
    body,
  });
  if (isRefusal(monitor)) throw new Error(monitor.code);
  const receivedAt = new Date(phoneNow - receivedAgoMs);
  return receiveMessages(world.platform, monitor, [creditSms(world.platform, shop, amount, { receivedAt })]);
}

test.each([3 * MINUTE, -3 * MINUTE])(
  'a phone whose clock is %d ms behind pays the order',
  async (behindMs) => {
    const order = await createOne(world.platform, shop.merchantId);
    expect(await reportFromPhone(order.payable!, behindMs)).toMatchObject([{ state: 'matched' }]);
    expect((await readOrders(world.platform.db, [order.id]))[0]!.status).toBe(6);
  },
);

test('a payment before the order is not for it, though the clock of a phone that is ahead says after', async () => {
  const order = await createOne(world.platform, shop.merchantId);
  expect(await reportFromPhone(order.payable!, -4 * MINUTE, 3 * MINUTE)).toMatchObject([
    { state: 'unmatched' },
  ]);
  expect((await readOrders(world.platform.db, [order.id]))[0]!.status).toBe(1);
});
