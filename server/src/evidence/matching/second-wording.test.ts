import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { readOrders } from '../../collection/store.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { MINUTE } from '../../platform/clock.ts';
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
import { submitUtr } from './payer-utr.ts';
import { receiveMessages } from './receive.ts';

/** A bank reports one payment twice, once with its UTR and once without. Whoever types the UTR into another order gains nothing. */

let world: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(world.platform);
});

const receive = async (message: Parameters<typeof receiveMessages>[2][number]) =>
  (await receiveMessages(world.platform, shop.monitor, [message]))[0]!.state;
const order = (amount: bigint) => createOne(world.platform, shop.merchantId, { amount });
const statusOf = async ({ id }: CollectionOrder) => (await readOrders(world.platform.db, [id]))[0]!.status;
const type = ({ id }: CollectionOrder, utr: string) =>
  submitUtr(world.platform, world.platform.vault.payToken(id), utr, '10.0.0.9');

function bareSms(amount: bigint) {
  const told = creditSms(world.platform, shop, amount);
  return { ...told, text: told.text.replace(/ \(UPI \d+\)/, '') };
}

test('while the one with the UTR waits for its chain, the one without pays nothing by its amount', async () => {
  await world.platform.db.query(
    sql`update accounts set balance_mode = 'optional' where id = ${shop.accountId}`,
  );
  const [first, other] = [await order(450_00n), await order(450_00n)];
  const reference = newReference();
  // Its balance does not follow from the one before.
  await receive(statedSms(world.platform, shop, { amount: 7_00n, balance: 1_000_00n }));
  world.clock.advance(MINUTE);
  const stated = statedSms(world.platform, shop, { amount: 450_00n, balance: 90_000_00n, reference });
  expect(await receive(stated)).toBe('held');
  expect(await receive(bareSms(450_00n))).toBe('ambiguous');
  expect(await type(other, reference)).toMatchObject({ state: 'waiting' });
  expect(await Promise.all([first, other].map(statusOf))).toEqual([
    COLLECTION_STATUS.allocated,
    COLLECTION_STATUS.allocated,
  ]);
});

test('after the one without has paid its order, the one with the UTR is an operator’s', async () => {
  const first = await order(460_00n);
  const reference = newReference();
  expect(await receive(bareSms(460_00n))).toBe('matched');
  const other = await order(460_00n);
  expect(await receive(creditSms(world.platform, shop, 460_00n, { reference }))).toBe('ambiguous');
  expect(await type(other, reference)).toMatchObject({ state: 'waiting' });
  expect(await Promise.all([first, other].map(statusOf))).toEqual([
    COLLECTION_STATUS.paid,
    COLLECTION_STATUS.allocated,
  ]);
});

test('so it is when the other order is made after both', async () => {
  const first = await order(470_00n);
  const reference = newReference();
  expect(await receive(bareSms(470_00n))).toBe('matched');
  expect(await receive(creditSms(world.platform, shop, 470_00n, { reference }))).toBe('ambiguous');
  world.clock.advance(20 * MINUTE);
  await world.platform.db.query(sql`update monitors set last_seen_at = ${world.clock.now()}`);
  const other = await order(470_00n);
  expect(await type(other, reference)).toMatchObject({ state: 'waiting' });
  expect(await Promise.all([first, other].map(statusOf))).toEqual([
    COLLECTION_STATUS.paid,
    COLLECTION_STATUS.allocated,
  ]);
});
