import { deleteCallbacks } from '@sangam/contract/endpoints/callback.ts';
import { getList } from '@sangam/contract/endpoints/order.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { acknowledge } from '../testing/acknowledge.ts';
import { ask } from '../testing/ask.ts';
import { createOne, creditSms, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import { expireDue } from './expire.ts';

/** One order in each lasting status, brought there by ordinary commands. */
const { allocated, timedOut, callbackSucceeded, callbackFailed, allocationFailed, paid } = COLLECTION_STATUS;
const orders = new Map<number, string>();

let node: TestPlatform;

beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  const shop = await makeShop(platform);
  const create = (fields = {}) => createOne(platform, shop.merchantId, fields);
  orders.set(timedOut, String((await create()).id));
  node.clock.advance(HOUR);
  await expireDue(platform);
  orders.set(allocationFailed, String((await create()).id));
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);

  for (const status of [callbackSucceeded, callbackFailed, paid]) {
    const order = await create();
    orders.set(status, String(order.id));
    await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
    if (status === callbackSucceeded) await acknowledge(node.platform, 1);
    if (status === callbackFailed) await giveUp(order.id);
  }
  orders.set(allocated, String((await create()).id));
});
afterAll(() => node.close());

const boss = () => viewerOf(node.platform, { role: 'superAdmin' });

async function giveUp(orderId: bigint): Promise<void> {
  const [callback] = await node.platform.db.query<{ id: bigint }>(
    sql`select id from callbacks where order_id = ${orderId}`,
  );
  await ask(node.platform, boss(), deleteCallbacks, { ids: [String(callback!.id)] });
}

test('any set of statuses lists the orders that are in one of them', async () => {
  const statuses = [...orders.keys()];
  expect(new Set(statuses)).toEqual(
    new Set([allocated, timedOut, callbackSucceeded, callbackFailed, allocationFailed, paid]),
  );
  for (let set = 1; set < 2 ** statuses.length; set += 1) {
    const wanted = statuses.filter((_, n) => set & (2 ** n));
    const { list } = await ask(node.platform, boss(), getList, { orderStatusId: wanted.join(',') });
    const found = list.map(({ orderCode }) => orderCode).toSorted();
    expect(found, wanted.join()).toEqual(wanted.map((status) => orders.get(status)!).toSorted());
  }
});
