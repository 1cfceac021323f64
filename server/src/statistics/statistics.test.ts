import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { createOne, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { addUp } from './keep.ts';
import { type Question, readFreshness, readSums, readTimes } from './read.ts';

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
});
afterAll(() => node.close());

const question = (fields: Partial<Question> = {}): Question => ({
  direction: 'in',
  filing: 'created',
  from: new Date(node.clock.now().getTime() - 86_400_000),
  to: new Date(node.clock.now().getTime() + 86_400_000),
  by: [],
  ...fields,
});

test('an order is counted once it is added up, and the answer says until when it is fresh', async () => {
  const order = await createOne(node.platform, shop.merchantId);
  const before = await readFreshness(node.platform);
  expect(before.asOf.getTime()).toBeLessThan(node.clock.now().getTime());
  expect(await addUp(node.platform)).toBeGreaterThan(0);
  const fresh = await readFreshness(node.platform);
  expect(fresh.asOf).toEqual(node.clock.now());
  const [group] = await readSums(node.platform.db, question(), fresh);
  expect(group).toMatchObject({
    currency: 'INR',
    sums: { created: 1, createdAmount: 50_000, allocated: 1, paid: 0 },
  });
  node.clock.advance(90_000);
  await node.platform.db.query(sql`
    update collection_orders set status = ${COLLECTION_STATUS.paid}, received = payable, fee = 700, supplier_commission = 200,
      agent_commission = 100, paid_at = ${node.clock.now()} where id = ${order.id}`);
  await addUp(node.platform);
  for (const by of [
    [],
    ['merchant'],
    ['supplier', 'bank'],
    ['product'],
    ['merchant', 'supplier'],
    ['day', 'halfHour'],
    ['merchant', 'account', 'halfHour'],
  ] as const) {
    const groups = await readSums(node.platform.db, question({ by }), fresh);
    expect(groups).toHaveLength(1);
    expect(groups[0]!.sums).toMatchObject({ created: 1, paid: 1, fee: 700, commission: 200, timedOut: 0 });
    const [times] = await readTimes(node.platform.db, question({ by }), fresh);
    expect(times!.times.pay).toEqual(new Map([[48, 1]]));
  }
});
