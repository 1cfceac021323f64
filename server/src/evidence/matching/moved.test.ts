import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOrder } from '../../collection/read.ts';
import { reselect } from '../../collection/reselect.ts';
import { MINUTE } from '../../platform/clock.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import { createOne, makeShop, type Shop, statedSms } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeAccount, makeMonitor, makeSupplier, viewerOf } from '../../testing/world.ts';
import type { ReportedMessage } from './message.ts';
import { receiveMessages } from './receive.ts';
import { releaseHeld } from './release-held.ts';

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

const receive = (...messages: ReportedMessage[]) =>
  receiveMessages(node.platform, shop.monitor, messages).then((results) => results.map(({ state }) => state));
const deposit = async (supplierId: bigint) =>
  (await balancesIn(node.platform, 'supplier', supplierId))['deposit'];

test('a credit held for its chain does not pay an order that went to another account meanwhile', async () => {
  const { platform } = node;
  let balance = 1_000_00n;
  for (let n = 1; n <= 6; n += 1) {
    node.clock.advance(MINUTE);
    balance += 100_00n;
    await receive(statedSms(platform, shop, { amount: 100_00n, balance }));
  }
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(platform, shop.merchantId, { amount: 500_00n });
  expect(order.accountId).toBe(shop.accountId);
  const { supplierId } = await makeSupplier(platform, {});
  const { monitorId } = await makeMonitor(platform, { supplierId });
  const other = await makeAccount(platform, { supplierId, monitorId, maxWaiting: 1000 });
  await heartbeat(platform, { id: monitorId, supplierId }, { scriptVersion: '1' });

  const missing = statedSms(platform, shop, { amount: 700_00n, balance: balance + 700_00n });
  node.clock.advance(MINUTE);
  const paying = { amount: order.payable!, balance: balance + 700_00n + order.payable! };
  expect(await receive(statedSms(platform, shop, paying))).toEqual(['held']);
  const moved = await reselect(platform, viewerOf(platform, { role: 'customerService' }), order.id);
  if (isRefusal(moved)) throw new Error(moved.code);
  expect(moved.accountId).toBe(other.accountId);
  const before = await deposit(supplierId);
  await receive(missing);
  await releaseHeld(platform);
  expect(await deposit(supplierId)).toBe(before);
  expect((await readOrder(platform.db, order.id))!.status).toBe(1);
});
