import { getLastOrder, getNewOrders } from '@sangam/contract/endpoints/order.ts';
import { MOST_NEW_ORDERS } from '@sangam/contract/orders.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SECOND } from '../platform/clock.ts';
import { ask } from '../testing/ask.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeSupplier, viewerOf } from '../testing/world.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

test('one statement a second answers every caller with the newest of its own orders', async () => {
  const { platform, clock } = node;
  const shop = await makeShop(platform);
  const { supplierId: other } = await makeSupplier(platform);
  const desk = viewerOf(platform, { role: 'admin' });
  const owner = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  const stranger = viewerOf(platform, { role: 'supplier', supplierId: other });
  const codes = async () => {
    const answers = [desk, owner, stranger].map((viewer) => ask(platform, viewer, getLastOrder));
    return (await Promise.all(answers)).map(({ orderCode }) => orderCode);
  };
  expect(await codes()).toEqual([null, null, null]);
  const first = String((await createOne(platform, shop.merchantId)).id);
  clock.advance(SECOND);
  expect(await codes()).toEqual([first, first, null]);

  const query = vi.spyOn(platform.db, 'query');
  await createOne(platform, shop.merchantId);
  query.mockClear();
  for (let n = 0; n < 20; n += 1) expect(await codes()).toEqual([first, first, null]);
  expect(query).not.toHaveBeenCalled();
  clock.advance(SECOND);
  expect((await codes())[0]).not.toBe(first);
  expect(query).toHaveBeenCalledTimes(1);
});

test('the notice of new orders names amount and merchant, as far as the role sees them', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const seen = await createOne(platform, shop.merchantId);
  const next = await createOne(platform, shop.merchantId);
  const tell = (role: Role, more: { readonly supplierId?: bigint } = {}) =>
    ask(platform, viewerOf(platform, { role, ...more }), getNewOrders, { after: String(seen.id) });
  const row = { orderCode: String(next.id), amount: Number(next.amount), currency: 'INR' };
  expect(await tell('admin')).toMatchObject({
    count: 1,
    list: [{ ...row, merchantName: expect.any(String) }],
  });
  const own = await tell('supplier', { supplierId: next.supplierId! });
  expect(own).toMatchObject({ count: 1, list: [row] });
  expect(own.list[0]).not.toHaveProperty('merchantName');
  expect(Object.keys((await tell('technicalSupport')).list[0]!)).toEqual(['orderCode', 'createTime']);
  const { supplierId } = await makeSupplier(platform);
  expect(await tell('supplier', { supplierId })).toEqual({ count: 0, list: [] });
  for (let n = 0; n <= MOST_NEW_ORDERS; n += 1) await createOne(platform, shop.merchantId);
  node.clock.advance(SECOND);
  const many = await tell('admin');
  expect([many.count, many.list.length]).toEqual([MOST_NEW_ORDERS + 1, 20]);
});
