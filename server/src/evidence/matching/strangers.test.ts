import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatTime } from '@sangam/contract/time.ts';
import { readOrders } from '../../collection/store.ts';
import { sql } from '../../platform/db/database.ts';
import { brokenChecks } from '../../testing/books.ts';
import { createOne, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeAccount } from '../../testing/world.ts';
import { submitUtr } from './payer-utr.ts';
import { receiveMessages } from './receive.ts';

/** What a payer writes beside a payment is printed by the bank, and moves no money. */

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  const { supplierId, monitor, ...made } = await makeShop(node.platform);
  await node.platform.db.query(sql`update resources set state = 1`);
  const account = await makeAccount(node.platform, {
    supplierId,
    monitorId: monitor.id,
    bank: 'SBIN',
    senderHeader: 'SBIINB',
    accountNumber: '30100000003571',
  });
  shop = { ...made, supplierId, monitor, ...account };
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

test('one rupee pays no order of 9,000 rupees, whatever its remark says', async () => {
  const { id } = await createOne(node.platform, shop.merchantId, { amount: 9_000_00n });
  const utr = 'HDFCN52026040412345678';
  const day = formatTime(node.platform.clock.now()).slice(0, 10).split('-').reverse().join('/');
  await submitUtr(node.platform, node.platform.vault.payToken(id), utr, '10.0.0.9');
  const [told] = await receiveMessages(node.platform, shop.monitor, [
    {
      messageId: 'one-rupee',
      kind: 'sms',
      sender: 'AX-SBIINB-S',
      text: `Dear Customer, INR 1.00 credited to your A/c No XX3571 on ${day} through NEFT with UTR ${utr} by A NAME, INFO: AC X3571 credited by 9000 on 1-SBI`,
      receivedAt: node.platform.clock.now(),
      accountHint: undefined,
    },
  ]);
  expect(told!.state).toBe('ambiguous');
  expect((await readOrders(node.platform.db, [id]))[0]!.status).toBe(1);
});
