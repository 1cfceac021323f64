import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR } from '../../platform/clock.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { sql } from '../../platform/db/database.ts';
import { brokenChecks } from '../../testing/books.ts';
import {
  createOne,
  creditSms,
  makeShop,
  newReference,
  type Shop,
  statedSms,
} from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { submitUtr } from './payer-utr.ts';
import { receiveMessages } from './receive.ts';

/** A UTR that is typed after its money came completes no order that the money would not have completed at its time. */

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

const say = ({ id }: CollectionOrder, utr: string) =>
  submitUtr(node.platform, node.platform.vault.payToken(id), utr, '10.0.0.9');

test('where names are checked, a credit of another name is left to an operator', async () => {
  await node.platform.db.query(
    sql`insert into settings (name, value, updated_at) values ('NeedNameCheck', 'true'::jsonb, now())`,
  );
  await node.platform.settings.refresh();
  const order = await createOne(node.platform, shop.merchantId, { amount: 510_00n, userName: 'ASHA RAO' });
  const reference = newReference();
  const told = creditSms(node.platform, shop, order.payable!, { reference });
  const text = told.text.replace('from VPA payer@okbank', 'from RAVI KUMAR by VPA payer@okbank');
  expect(await receiveMessages(node.platform, shop.monitor, [{ ...told, text }])).toMatchObject([
    { state: 'ambiguous' },
  ]);
  expect(await say(order, reference)).toMatchObject({ state: 'waiting' });
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
});

test('a credit whose order was taken back pays no other: the money may be gone again', async () => {
  const { platform } = node;
  const first = await createOne(platform, shop.merchantId, { amount: 640_00n });
  const reference = newReference();
  const told = creditSms(platform, shop, first.payable!, { reference });
  expect(await receiveMessages(platform, shop.monitor, [told])).toMatchObject([{ state: 'matched' }]);
  await reverseByTwo(platform, { orderId: first.id, reason: 'charged back' });
  const again = await createOne(platform, shop.merchantId, { amount: 640_00n });
  expect(await say(again, reference)).toMatchObject({ state: 'waiting' });
});

/** A credit that finds no order, and an order of its amount that is made `later`. */
async function strayThenOrder(amount: bigint, later: number) {
  const { platform } = node;
  const reference = newReference();
  const told = creditSms(platform, shop, amount, { reference });
  expect(await receiveMessages(platform, shop.monitor, [told])).toMatchObject([{ state: 'unmatched' }]);
  node.clock.advance(later);
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  const order = await createOne(platform, shop.merchantId, { amount });
  return { reference, order };
}

test('a credit of 21 days ago pays no new order whose payer names its UTR; one of this day does', async () => {
  const old = await strayThenOrder(730_00n, 21 * DAY);
  expect(await say(old.order, old.reference)).toMatchObject({ state: 'waiting' });
  const fresh = await strayThenOrder(740_00n, HOUR);
  expect(await say(fresh.order, fresh.reference)).toMatchObject({ state: 'paid' });
});

test('a held credit that two payers name is left to an operator: the second does not take it from the first', async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
  await node.platform.db.query(
    sql`update accounts set balance_mode = 'required' where id = ${shop.accountId}`,
  );
  const [mine, thief] = [
    await createOne(node.platform, shop.merchantId, { amount: 40_000_00n }),
    await createOne(node.platform, shop.merchantId, { amount: 41_000_00n }),
  ];
  const reference = newReference();
  const amount = mine.payable!;
  const told = statedSms(node.platform, shop, { amount, balance: 90_000_00n, reference });
  expect(await receiveMessages(node.platform, shop.monitor, [told])).toMatchObject([{ state: 'held' }]);
  await say(mine, reference);
  await node.platform.db.query(
    sql`update waiting_orders set amount = ${amount} where order_id = ${thief.id}`,
  );
  await say(thief, reference);
  // Typing it again changes nothing.
  await say(thief, reference);
  const [message] = await node.platform.db.query(sql`
    select m.state, m.reason, h.order_id as held from messages m left join chain_holds h on h.message_id = m.id
    where m.external_id = ${told.messageId}`);
  expect(message).toEqual({ state: 'ambiguous', reason: 'severalOrders', held: null });
});
