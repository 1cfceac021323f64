import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql, type Sql } from '../platform/db/database.ts';
import { acceptProof } from '../payout/accept-proof.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { newReference } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeUser, viewerOf } from '../testing/world.ts';

let world: TestPlatform;
beforeEach(async () => {
  world = await createTestPlatform();
});
afterEach(() => world.close());

test.each([
  [
    'a fee one paisa off',
    sql`update payout_orders set fee = fee + 1 where status = 0`,
    'frozen balance is what',
  ],
  [
    'an amount one paisa off',
    sql`update payout_orders set amount = amount - 1 where status = 3`,
    'took its amount',
  ],
  [
    'an end nobody posted',
    sql`update payout_orders set status = 4, finished_at = created_at where status = 0`,
    'the postings of its status',
  ],
  ['a UTR given free', sql`delete from utr_uses`, 'holds that UTR'],
  [
    'a status nothing led to',
    sql`update payout_orders set status = 7 where status = 0`,
    'history leads to its status',
  ],
] as const)('%s is found and named', async (_name, damage: Sql, check) => {
  const { platform } = world;
  const shop = await makePayoutShop(platform);
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  const open = await payOut(platform, shop.merchantId);
  const paid = await payOut(platform, shop.merchantId);
  await claim(platform, supplier, paid.id);
  await confirmPaid(platform, supplier, { orderId: paid.id, utr: newReference() });
  // A confirmed payout claims its UTR only once it is proven.
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  await acceptProof(platform, viewerOf(platform, { role: 'admin', userId }), {
    orderId: paid.id,
    reason: 'seen',
  });
  expect(await brokenChecks(platform)).toEqual([]);
  await platform.db.query(damage);
  const broken = (await brokenChecks(platform)).find((line) => line.includes(check));
  expect(broken).toBeDefined();
  expect([open.id, paid.id, shop.merchantId].some((id) => broken!.includes(String(id)))).toBe(true);
});
