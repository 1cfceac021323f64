import { payerPaid } from '@sangam/contract/endpoints/outside.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { post } from '../testing/call.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { readOrder } from './read.ts';

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

const utrOf = (n: number) => `6320${String(n).padStart(8, '0')}`;

test('a payer may state ten UTRs for an order; then the last one stays, and another order has its own ten', async () => {
  const shop = await makeShop(node.platform);
  const [order, other] = [
    await createOne(node.platform, shop.merchantId),
    await createOne(node.platform, shop.merchantId),
  ];
  const say = async (id: bigint, utr: string) => {
    const path = payerPaid.path.replace(':token', node.platform.vault.payToken(id));
    return (await post(app, path, { utr })).code;
  };
  const codes: number[] = [];
  for (let n = 1; n <= 12; n += 1) codes.push(await say(order.id, utrOf(n)));
  expect(codes).toEqual([...Array<number>(10).fill(200), 429, 429]);
  expect((await readOrder(node.platform.db, order.id))!.payerUtr).toBe(utrOf(10));
  // The same UTR again does not count.
  expect(await say(order.id, utrOf(10))).toBe(200);
  expect(await say(order.id, utrOf(1))).toBe(429);
  expect(await say(other.id, utrOf(13))).toBe(200);
  expect(
    await node.platform.db.query(sql`
      select count(*)::int as said from order_events where order_id = ${order.id} and kind = 'utrSubmitted'`),
  ).toEqual([{ said: 10 }]);
});
