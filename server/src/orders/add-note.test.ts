import { addNote, getDetail } from '@sangam/contract/endpoints/order.ts';
import { getPayoutDetail } from '@sangam/contract/endpoints/payout.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createOne, makeShop, type Shop } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';

let node: TestPlatform;
let shop: Shop;
let clerk: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  const { id: userId } = await makeUser(node.platform, { role: 'customerService', account: 'Meera' });
  clerk = viewerOf(node.platform, { role: 'customerService', userId });
});
afterAll(() => node.close());

const notes = (story: { events: { kind: string; reason: string | null; actor: string }[] }) =>
  story.events.filter(({ kind }) => kind === 'noted').map(({ reason, actor }) => ({ reason, actor }));

test('a note stands in the history for staff alone, with who wrote it, and in the audit', async () => {
  const { platform } = node;
  const order = await createOne(platform, shop.merchantId);
  const orderCode = String(order.id);
  await ask(platform, clerk, addNote, { orderCode, note: '  Payer called, will send a screenshot ' });
  expect(notes(await ask(platform, clerk, getDetail, { orderCode }))).toEqual([
    { reason: 'Payer called, will send a screenshot', actor: 'Meera' },
  ]);
  const merchant = viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId });
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  for (const viewer of [merchant, supplier])
    expect(notes(await ask(platform, viewer, getDetail, { orderCode }))).toEqual([]);
  expect(
    await platform.db.query(sql`
      select action, user_id as "userId" from audit_log where subject = ${`order:${orderCode}`}`),
  ).toEqual([{ action: 'order.addNote', userId: clerk.userId }]);
});

test('payouts take notes too; an unknown order, and a user who is not of the desk, are refused', async () => {
  const { platform } = node;
  const { merchantId } = await makePayoutShop(platform);
  const payout = await payOut(platform, merchantId);
  const orderCode = String(payout.id);
  await ask(platform, clerk, addNote, { orderCode, note: 'Bank asks for the branch' });
  expect(notes(await ask(platform, clerk, getPayoutDetail, { orderCode }))).toHaveLength(1);
  expect((await askRefused(platform, clerk, addNote, { orderCode: '12', note: 'x' })).code).toBe('notFound');
  const merchant = viewerOf(platform, { role: 'merchant', merchantId });
  expect((await askRefused(platform, merchant, addNote, { orderCode, note: 'x' })).code).toBe('forbidden');
});
