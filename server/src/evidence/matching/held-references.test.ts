import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { brokenChecks } from '../../testing/books.ts';
import {
  createOne,
  creditSms,
  makeShop,
  naming,
  newReference,
  type Shop,
  statedSms,
} from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { releaseHeld } from './release-held.ts';

/** A payer types the reference of a credit that waits for its chain, for another order: others can see it, the supplier's people first. */

let world: TestPlatform;
let shop: Shop;
let calls: ReturnType<typeof shopCalls>;
beforeAll(async () => {
  world = await createTestPlatform();
  calls = shopCalls(world, () => shop);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(world.platform);
});

const AMOUNT = 20_000_00n;
const LEFT = { state: 'ambiguous', reason: 'severalOrders' };
const balances = (mode: 'none' | 'required') =>
  world.platform.db.query(sql`update accounts set balance_mode = ${mode} where id = ${shop.accountId}`);

test('it is not taken from an order whose code stands in it', async () => {
  await balances('required');
  const [first, held, other] = [
    await calls.order(AMOUNT),
    await calls.order(AMOUNT),
    await calls.order(AMOUNT),
  ];
  await calls.type(first, newReference());
  const reference = newReference();
  const told = naming(
    held,
    statedSms(world.platform, shop, { amount: AMOUNT, balance: 90_000_00n, reference }),
  );
  expect(await calls.report(told)).toEqual(['held']);
  await calls.type(other, reference);
  expect(await calls.stored(told)).toMatchObject(LEFT);
});

test('where names are checked, an order that expects another payer is not paid', async () => {
  await world.platform.settings.write('NeedNameCheck', true, null);
  await balances('none');
  const held = await calls.order(AMOUNT);
  const expecting = await createOne(world.platform, shop.merchantId, {
    amount: AMOUNT,
    userName: 'SITA DEVI',
  });
  const reference = newReference();
  const told = creditSms(world.platform, shop, AMOUNT, { reference });
  await calls.type(held, newReference());
  expect(await calls.report(told)).toEqual(['held']);
  await calls.type(expecting, reference);
  await releaseHeld(world.platform);
  expect(await calls.stored(told)).toMatchObject({ state: 'ambiguous', reason: 'nameDiffers' });
  expect(await calls.isOpen(expecting)).toBe(true);
});
