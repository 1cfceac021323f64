import type { SettingName, SettingValues } from '@sangam/contract/settings.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { matchDelayed } from '../../evidence/matching/delayed.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { createOne, creditSms, makeShop, withoutReference } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeMerchant } from '../../testing/world.ts';
import { dayOfSlot, dueDays } from '../../treasury/settlement/due-day.ts';

/** Settings about waiting for banks. The other settings: effects.test.ts. */

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

const set = <Name extends SettingName>(name: Name, value: SettingValues[Name]) =>
  node.platform.settings.write(name, value, null);

test('MessageDelay: credits wait for late messages, and the one that says more is matched', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const [order, other] = [
    await createOne(platform, shop.merchantId, { amount: 500_00n }),
    await createOne(platform, shop.merchantId, { amount: 500_00n }),
  ];
  const told = creditSms(platform, shop, order.payable!);
  await set('MessageDelay', 30);
  // One payment reported twice: first without a reference, then in full.
  const bare = { ...withoutReference(told), messageId: 'bare' };
  const receive = (...messages: (typeof told)[]) => receiveMessages(platform, shop.monitor, messages);
  expect(await receive(bare)).toMatchObject([{ state: 'held', orderId: null }]);
  node.clock.advance(20 * SECOND);
  expect(await receive(told)).toMatchObject([{ state: 'held' }]);
  expect(await matchDelayed(platform)).toBe(0);
  node.clock.advance(31 * SECOND);
  await Promise.all([matchDelayed(platform), matchDelayed(node.anotherNode())]);
  expect(await receive(told)).toMatchObject([{ state: 'matched', orderId: order.id }]);
  expect(await receive(bare)).toMatchObject([{ state: 'ambiguous', orderId: null }]);
  await set('MessageDelay', 0);
  node.clock.advance(16 * MINUTE);
  expect(await receive(creditSms(platform, shop, other.payable!))).toMatchObject([{ state: 'matched' }]);
});

test('BankHolidays: T+1 is the next day on which banks work', async () => {
  const { platform } = node;
  const due = async () =>
    (await dueDays(platform, platform.db, [merchantId], node.clock.now())).get(merchantId);
  const { merchantId } = await makeMerchant(platform);
  await platform.db.query(sql`update merchants set settlement_days = 1 where id = ${merchantId}`);
  const next = await due();
  await set('BankHolidays', [dayOfSlot(next!)]);
  expect(await due()).toBeGreaterThan(next!);
});
