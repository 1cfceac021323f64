import { expect, test } from 'vitest';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { sql } from '../platform/db/database.ts';
import { brokenChecks } from '../testing/books.ts';
import { creditSms, makeShop, newReference } from '../testing/payments.ts';
import { createTestPlatform } from '../testing/platform.ts';

test('a repeat of a credit that was settled outside, and is archived, contradicts nothing', async () => {
  const node = await createTestPlatform();
  const { platform } = node;
  const shop = await makeShop(platform);
  const utr = newReference();
  // The settled message itself has moved to the archive.
  const settled = platform.ids.next();
  await platform.db.query(sql`
    insert into utr_uses (family, utr, order_id, used_at) values ('UPI', ${utr}, ${settled}, ${platform.clock.now()})`);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, 500_00n, { reference: utr })]);
  expect(await platform.db.query(sql`select state, reason from messages where utr = ${utr}`)).toEqual([
    { state: 'duplicate', reason: 'utrUsed' },
  ]);
  expect(await brokenChecks(platform)).not.toContainEqual(expect.stringContaining('is filed as a repeat'));
  await node.close();
});
