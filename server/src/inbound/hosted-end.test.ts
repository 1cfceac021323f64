import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KoshPay } from '@sangam/simulators/gateway/kosh-pay.ts';
import { createOrders } from '../collection/create.ts';
import { expireDue } from '../collection/expire.ts';
import { openHostedPage } from '../collection/hosted-page.ts';
import { reselect } from '../collection/reselect.ts';
import { readOrders } from '../collection/store.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { exampleScript, makeScript, makeScriptAccount, openKosh } from '../testing/pay-script.ts';
import { newOrder } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import { creditHosted, watchHosted } from './hosted-watch.ts';

/** What a gateway is asked about an order that waits no more. All notices of this gateway are lost. */

const HOSTED = 1030;

let world: TestPlatform;
let kosh: KoshPay;
let merchantId: bigint;
let accountId: bigint;
let adminId: bigint;
beforeAll(async () => {
  kosh = await openKosh();
  world = await createTestPlatform();
  const { platform } = world;
  ({ merchantId } = await makeMerchant(platform, { products: [HOSTED] }));
  const { supplierId } = await makeSupplier(platform, { products: [HOSTED] });
  const { id: scriptId } = await makeScript(platform, await exampleScript(kosh.url), [kosh.url]);
  adminId = (await makeUser(platform, { role: 'admin' })).id;
  accountId = await makeScriptAccount(platform, { supplierId, scriptId, direction: 'in' });
  await watchHosted(platform);
});
afterAll(async () => {
  await kosh.stop();
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

async function look(afterMs: number): Promise<void> {
  world.clock.advance(afterMs);
  await expireDue(world.platform);
  await watchHosted(world.platform);
}
async function order(): Promise<bigint> {
  const [made] = await createOrders(world.platform, [newOrder(merchantId, { productId: HOSTED })]);
  if (!made || isRefusal(made)) throw new Error(`refused: ${JSON.stringify(made)}`);
  await openHostedPage(world.platform, made);
  return made.id;
}
const pay = async (id: bigint) => {
  const trade = kosh.orders.get(String(id))!;
  await kosh.end(trade, 'SUCCESS', { silent: true });
  return trade.utr;
};
const stateOf = async (utr: string) =>
  (await world.platform.db.query<{ state: string }>(sql`select state from messages where utr = ${utr}`)).map(
    ({ state }) => state,
  );
const questions = async (id: bigint) =>
  (
    await world.platform.db.query<{ count: number }>(
      sql`select count(*)::int as count from pay_script_calls where order_id = ${id} and function = 'query'`,
    )
  )[0]!.count;

test('a payment in the last moment of its order, or some hours later, is found by a question and left to an operator', async () => {
  const [late, later, unpaid] = [await order(), await order(), await order()];
  const { OrderTimeoutMinutes, CompleteCheckOrderTime } = await world.platform.settings.all();
  await look(OrderTimeoutMinutes * MINUTE);
  world.clock.advance(CompleteCheckOrderTime * MINUTE - MINUTE);
  const first = await pay(late);
  await look(2 * MINUTE);
  expect(await stateOf(first)).toEqual(['ambiguous']);
  const second = await pay(later);
  for (let hours = 0; hours < 40; hours += 1) await look(60 * MINUTE);
  expect(await stateOf(second)).toEqual(['ambiguous']);
  const asked = await questions(unpaid);
  await look(DAY);
  expect([asked < 12, await questions(unpaid)]).toEqual([true, asked]);
});

test('a payment while no node ran for two days is found by a question', async () => {
  await watchHosted(world.platform);
  const id = await order();
  const utr = await pay(id);
  await look(2 * DAY);
  expect(await stateOf(utr)).toEqual(['ambiguous']);
});

test('the admins are notified once when a gateway says of a payment that has paid an order that it failed after all', async () => {
  const id = await order();
  await pay(id);
  await look(MINUTE);
  const say = (reference: string) =>
    creditHosted(world.platform, accountId, id, 'notice', { state: 'failed', reference });
  // The payer's first try, on the gateway's own page.
  await say('another payment');
  const told = () =>
    world.platform.db.query(
      sql`select kind from inbox_messages where user_id = ${adminId} and data->>'order' = ${String(id)}`,
    );
  expect(await told()).toEqual([]);
  const [payment] = await world.platform.db.query<{ name: string }>(
    sql`select by_question as name from hosted_payments where order_id = ${id}`,
  );
  await say(payment!.name);
  await say(payment!.name);
  expect(await told()).toEqual([{ kind: 'moneyWentBack' }]);
});

test('the admins are notified once of each other sum that a gateway states for a payment it has reported', async () => {
  const id = await order();
  const say = (state: 'paid' | 'failed', amount: string) =>
    creditHosted(world.platform, accountId, id, 'notice', { state, amount, reference: 'PAYMENT-1' });
  const told = () =>
    world.platform.db.query(
      sql`select kind, data->>'amount' as amount from inbox_messages where user_id = ${adminId} and data->>'order' = ${String(id)} order by id`,
    );
  await say('paid', '100.00');
  await say('paid', '100.00');
  expect(await told()).toEqual([]);
  for (const sum of ['250.00', '500.00', '250.00', '100.00']) await say('paid', sum);
  const others = [
    { kind: 'otherSumStated', amount: 'INR 250.00' },
    { kind: 'otherSumStated', amount: 'INR 500.00' },
  ];
  expect(await told()).toEqual(others);
});

test('a payment on the page of an account that the order has left is found by a question, though the order was paid elsewhere', async () => {
  const { platform } = world;
  const other = await openKosh();
  const { supplierId } = await makeSupplier(platform, { products: [HOSTED] });
  const { id: scriptId } = await makeScript(platform, await exampleScript(other.url), [other.url], 'Another');
  await makeScriptAccount(platform, { supplierId, scriptId, direction: 'in', bank: 'Another gateway' });
  await look(0);
  const id = await order();
  await reselect(platform, viewerOf(platform, { role: 'admin' }), id);
  await look(MINUTE);
  const pages = [kosh, other].map(({ orders }) => orders.get(String(id))!);
  const [waiting] = await readOrders(platform.db, [id]);
  expect(waiting!.status).toBe(1);
  const isHere = waiting!.accountId === accountId;
  const [now, left] = isHere ? pages : pages.toReversed();
  await (isHere ? kosh : other).end(now!, 'SUCCESS', { silent: true });
  await look(MINUTE);
  expect(await stateOf(now!.utr)).toEqual(['matched']);
  await (isHere ? other : kosh).end(left!, 'SUCCESS', { silent: true });
  for (let hours = 0; hours < 4; hours += 1) await look(60 * MINUTE);
  expect(await stateOf(left!.utr)).toEqual(['ambiguous']);
  await other.stop();
});
