import { SETTINGS } from '@sangam/contract/settings.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { createOne, makeShop, statedSms } from '../../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';

/** Settings of the trusted chain. Each is flipped, and the test checks the difference. */

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.db.query(sql`update resources set state = 1`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

/** An account's last message is a credit of 20,000, and no message follows it. Answers what happens to it. */
async function largeCredit() {
  const { platform } = node;
  const shop = await makeShop(platform);
  let balance = 1_000_00n;
  const report = (amount: bigint) => {
    balance += amount;
    return receiveMessages(platform, shop.monitor, [statedSms(platform, shop, { amount, balance })]);
  };
  for (let n = 0; n < 6; n += 1) {
    node.clock.advance(MINUTE);
    await report(100_00n);
  }
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  const { payable } = await createOne(platform, shop.merchantId, { amount: 20_000_00n });
  const [result] = await report(payable!);
  const [hold] = await platform.db.query<{ until: Date }>(
    sql`select until from chain_holds where account_id = ${shop.accountId}`,
  );
  return { state: result!.state, waits: hold && hold.until.getTime() - node.clock.now().getTime() };
}

test('SecurityFreqParameters: from which amount a credit needs proof by the message after it', async () => {
  expect((await largeCredit()).state).toBe('held');
  await node.platform.settings.write(
    'SecurityFreqParameters',
    { ...SETTINGS.SecurityFreqParameters.fallback, minReliableCheckAmount: 50_000_00 },
    null,
  );
  expect((await largeCredit()).state).toBe('matched');
});

test('GlobalSecuritySetting: how long a credit waits for its chain', async () => {
  expect(await largeCredit()).toEqual({ state: 'held', waits: 10 * MINUTE });
  await node.platform.settings.write(
    'GlobalSecuritySetting',
    { ...SETTINGS.GlobalSecuritySetting.fallback, lookForwardMinutes: 3 },
    null,
  );
  expect(await largeCredit()).toEqual({ state: 'held', waits: 3 * MINUTE });
});
