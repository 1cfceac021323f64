import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { drawChain } from '../chain-patches/list.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { readOrder } from '../../collection/read.ts';
import { createOne, makeShop, type Shop, statedSms } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { receiveMessages } from './receive.ts';
import { releaseHeld } from './release-held.ts';

/** Forged messages with balances of their own, reported beside an account's genuine ones. */

let node: TestPlatform;
let shop: Shop;
let userId: bigint;
let real: bigint;
let forged: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  userId = (await makeUser(node.platform, { role: 'superAdmin' })).id;
});
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
  [real, forged] = [1_000_00n, 90_000_00n];
  for (let n = 0; n < 8; n += 1) await genuine();
});
afterAll(() => node.close());

async function tell(amount: bigint, balance: bigint): Promise<string[]> {
  node.clock.advance(MINUTE);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const told = statedSms(node.platform, shop, { amount, balance });
  const results = await receiveMessages(node.platform, shop.monitor, [told]);
  return results.map(({ state }) => state);
}
const genuine = () => tell(10_00n, (real += 10_00n));
const forge = (amount: bigint) => tell(amount, (forged += amount));
const warnings = () =>
  node.platform.db.query(sql`
    select data from inbox_messages where user_id = ${userId} and kind = 'chainQuarantined' and data->>'account' like '%' || (
      select account_tail from accounts where id = ${shop.accountId})`);
async function runs() {
  const viewer = viewerOf(node.platform, { role: 'superAdmin', userId });
  const chain = await drawChain(node.platform, viewer, { resourceId: String(shop.accountId) });
  return 'runs' in chain ? chain.runs.map(({ state, nodes }) => [state, nodes]) : chain;
}

test('a forged run between the genuine messages completes nothing, is reported to people once, and leaves the chain trusted', async () => {
  const [large, small] = [
    await createOne(node.platform, shop.merchantId, { amount: 50_000_00n }),
    await createOne(node.platform, shop.merchantId, { amount: 300_00n }),
  ];
  for (let n = 0; n < 4; n += 1) {
    await forge(1_00n);
    await genuine();
  }
  for (const amount of [small.payable!, large.payable!, 1_00n]) {
    await forge(amount);
    await genuine();
  }
  await releaseHeld(node.platform);
  const statuses = [large, small].map(async ({ id }) => (await readOrder(node.platform.db, id))!.status);
  expect(await Promise.all(statuses)).toEqual([1, 1]);
  expect(await runs()).toEqual([
    ['trusted', 15],
    ['suspect', 7],
  ]);
  expect(await warnings()).toHaveLength(1);
});

test('a forged run that is longer than the window of a chain stays quarantined', async () => {
  for (let n = 0; n < 25; n += 1) {
    await forge(1_00n);
    await genuine();
  }
  const order = await createOne(node.platform, shop.merchantId, { amount: 50_000_00n });
  expect(await forge(order.payable!)).toEqual(['held']);
  await forge(1_00n);
  await releaseHeld(node.platform);
  expect((await readOrder(node.platform.db, order.id))!.status).toBe(1);
  expect(await runs()).toEqual([
    ['trusted', 33],
    ['suspect', 27],
  ]);
  expect(await warnings()).toHaveLength(1);
  const paid = await createOne(node.platform, shop.merchantId, { amount: 400_00n });
  expect(await tell(paid.payable!, real + paid.payable!)).toEqual(['matched']);
});

test('two blind forgeries that follow each other are noticed when the account goes on without them', async () => {
  await forge(1_00n);
  await forge(2_00n);
  expect(await warnings()).toEqual([]);
  await genuine();
  expect(await runs()).toEqual([
    ['trusted', 9],
    ['suspect', 2],
  ]);
  expect(await warnings()).toHaveLength(1);
});
