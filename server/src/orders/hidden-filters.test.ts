import { getList, getStatusSummary } from '@sangam/contract/endpoints/order.ts';
import { getPayoutList, getPayoutStatusSummary } from '@sangam/contract/endpoints/payout.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOrder } from '../collection/read.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { ask } from '../testing/ask.ts';
import { createOne, makeShop, newReference } from '../testing/payments.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';

/** A filter does not reveal a value that the viewer's rows hide: the right value finds no more than a wrong one. */

let node: TestPlatform;
let shop: PayoutShop;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makePayoutShop(node.platform, 10n ** 12n);
});
afterAll(() => node.close());

const merchant = (merchantId: bigint) => viewerOf(node.platform, { role: 'merchant', merchantId });
const supplier = (supplierId: bigint) => viewerOf(node.platform, { role: 'supplier', supplierId });

/** Number of rows of the list, and of status cards of the summary. */
async function found(direction: 'in' | 'out', viewer: Viewer, filters: object): Promise<[number, number]> {
  const query = { ...filters };
  const [{ list: rows }, { list: cards }] =
    direction === 'in'
      ? [
          await ask(node.platform, viewer, getList, query),
          await ask(node.platform, viewer, getStatusSummary, query),
        ]
      : [
          await ask(node.platform, viewer, getPayoutList, query),
          await ask(node.platform, viewer, getPayoutStatusSummary, query),
        ];
  return [rows.length, cards.length];
}

test('collections: no filter reveals the merchant, the payer’s address or name to a supplier, or the supplier to a merchant', async () => {
  const pays = await makeShop(node.platform);
  const { id } = await createOne(node.platform, pays.merchantId, {
    userName: 'Asha Rao',
    clientIp: '203.0.113.7',
  });
  const order = (await readOrder(node.platform.db, id))!;
  const orderCode = String(id);
  const of = (viewer: Viewer, filters: object) => found('in', viewer, { orderCode, ...filters });
  const taker = supplier(order.supplierId!);
  const owner = merchant(pays.merchantId);
  const staff = viewerOf(node.platform, { role: 'customerService' });
  for (const filters of [
    { merchantId: String(pays.merchantId) },
    { ipAddress: '203.0.113.7' },
    { userName: 'sha r' },
    { validateUserName: 'Asha Rao' },
  ]) {
    expect(await of(taker, filters)).toEqual([0, 0]);
    expect(await of(staff, filters)).toEqual([1, 1]);
  }
  for (const filters of [
    { supplierId: String(order.supplierId) },
    { isProxy: false },
    { resourceId: String(order.accountId) },
    { userName: 'sha r' },
  ]) {
    expect(await of(owner, filters)).toEqual([0, 0]);
    expect(await of(staff, filters)).toEqual([1, 1]);
  }
  // They can filter by values that they see.
  expect(await of(taker, { supplierId: String(order.supplierId) })).toEqual([1, 1]);
  expect(await of(taker, { resourceId: String(order.accountId) })).toEqual([1, 1]);
  expect(await of(owner, { ipAddress: '203.0.113.7', validateUserName: 'asha rao' })).toEqual([1, 1]);
});

test('payouts: no filter reveals to a merchant which supplier took one, or to a supplier which merchant it is of', async () => {
  const { id } = await payOut(node.platform, shop.merchantId, { clientIp: '203.0.113.7' });
  const of = (viewer: Viewer, filters: object) => found('out', viewer, { orderCode: String(id), ...filters });
  const taker = supplier(shop.supplierId);
  await claim(node.platform, taker, id);
  const owner = merchant(shop.merchantId);
  expect(await of(owner, { supplierId: String(shop.supplierId) })).toEqual([0, 0]);
  expect(await of(owner, { isProxy: true })).toEqual([0, 0]);
  expect(await of(taker, { merchantId: String(shop.merchantId) })).toEqual([0, 0]);
  expect(await of(taker, { ipAddress: '203.0.113.7' })).toEqual([0, 0]);
  expect(await of(owner, { merchantId: String(shop.merchantId) })).toEqual([1, 1]);
  expect(await of(taker, { supplierId: String(shop.supplierId) })).toEqual([1, 1]);
});

test('payouts: a masked value finds a payee only while the claimer sees it unmasked', async () => {
  const { id } = await payOut(node.platform, shop.merchantId);
  const of = (viewer: Viewer, filters: object) => found('out', viewer, { orderCode: String(id), ...filters });
  const taker = supplier(shop.supplierId);
  const byPayee = [{ userName: 'sha r' }, { validateUserName: 'asha rao' }, { cardNumber: '50100123456789' }];
  for (const filters of byPayee) expect(await of(taker, filters)).toEqual([0, 0]);
  await claim(node.platform, taker, id);
  for (const filters of byPayee) expect(await of(taker, filters)).toEqual([1, 1]);
  await confirmPaid(node.platform, taker, { orderId: id, utr: newReference() });
  for (const filters of byPayee) expect(await of(taker, filters)).toEqual([0, 0]);

  const owner = merchant(shop.merchantId);
  expect(await of(owner, { userName: 'sha r' })).toEqual([0, 0]);
  expect(await of(owner, { cardNumber: '50100123456789' })).toEqual([1, 1]);
});
