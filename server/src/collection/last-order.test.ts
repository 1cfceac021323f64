import { getLastOrder } from '@sangam/contract/endpoints/order.ts';
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

test('one statement a second answers everybody, each with the newest order of their own', async () => {
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
