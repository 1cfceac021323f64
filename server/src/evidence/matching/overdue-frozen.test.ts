import { setFrozen } from '@sangam/contract/endpoints/merchant.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOrder } from '../../collection/read.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ask } from '../../testing/ask.ts';
import { brokenChecks } from '../../testing/books.ts';
import { createOne, makeShop, newReference, type Shop, statedSms } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import type { ReportedMessage } from './message.ts';
import { receiveMessages } from './receive.ts';
import { releaseHeld, releaseOverdue } from './release-held.ts';

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

const receive = (message: ReportedMessage) => receiveMessages(node.platform, shop.monitor, [message]);

test('a credit whose chain bears it out late waits for its frozen order, and completes it when it is unfrozen', async () => {
  const { platform } = node;
  let balance = 1_000_00n;
  for (let n = 1; n <= 6; n += 1) {
    node.clock.advance(MINUTE);
    balance += 100_00n;
    await receive(statedSms(platform, shop, { amount: 100_00n, balance }));
  }
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(platform, shop.merchantId, { amount: 500_00n });
  const freeze = (frozen: boolean) =>
    ask(platform, viewerOf(platform, { role: 'admin' }), setFrozen, {
      subjectKind: 'order',
      subjectId: String(order.id),
      reason: 'police letter 4',
      frozen,
    });
  await freeze(true);
  const missing = statedSms(platform, shop, { amount: 700_00n, balance: balance + 700_00n });
  node.clock.advance(MINUTE);
  const reference = newReference();
  await receive(
    statedSms(platform, shop, {
      amount: order.payable!,
      balance: balance + 700_00n + order.payable!,
      reference,
    }),
  );
  node.clock.advance(11 * MINUTE);
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  await releaseHeld(platform);
  const state = () => platform.db.query(sql`select state, reason from messages where utr = ${reference}`);
  expect(await state()).toEqual([{ state: 'untrusted', reason: 'gap' }]);
  await receive(missing);
  await releaseOverdue(platform);
  expect(await state()).toEqual([{ state: 'held', reason: 'orderFrozen' }]);
  await freeze(false);
  expect(await readOrder(platform.db, order.id)).toMatchObject({ status: 6, utr: reference });
});
