import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { isRefusal } from '../platform/refusal.ts';
import { createOne, creditSms, makeShop, newOrder, newReference } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { setTerms, viewerOf } from '../testing/world.ts';
import { lastAllocation } from './allocation-runs.ts';
import { createOrders } from './create.ts';
import { expireDue } from './expire.ts';
import { freeResource } from './free-resource.ts';
import type { CollectionOrder } from './order.ts';
import { reselect } from './reselect.ts';
import { readOrders } from './store.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

const statusOf = async (id: bigint) => (await readOrders(world.platform.db, [id]))[0]!.status;
const count = async (table: 'postings' | 'callbacks' | 'message_matches', orderId: bigint) =>
  (
    await world.platform.db.query(
      table === 'postings'
        ? sql`select 1 from postings where order_id = ${orderId}`
        : table === 'callbacks'
          ? sql`select 1 from callbacks where order_id = ${orderId}`
          : sql`select 1 from message_matches where order_id = ${orderId}`,
    )
  ).length;

test('a repeated order number answers its order; with other content it is refused', async () => {
  const { platform } = world;
  const { merchantId } = await makeShop(platform);
  const first = newOrder(merchantId);
  const [a, b] = await createOrders(platform, [first, { ...first }]);
  const [c] = await createOrders(platform, [{ ...first, clientIp: '10.9.9.9' }]);
  const [d] = await createOrders(platform, [{ ...first, amount: 501_00n }]);
  expect(new Set([a, b, c].map((order) => !isRefusal(order) && order!.id)).size).toBe(1);
  expect(d).toMatchObject({ code: 'orderNumberReused' });
});

test('a repeated request gets the same answer after its product was disabled', async () => {
  const { platform } = world;
  const { merchantId } = await makeShop(platform);
  const request = newOrder(merchantId);
  const [order] = await createOrders(platform, [request]);
  await setTerms(platform, {
    ownerKind: 'merchant',
    ownerId: merchantId,
    productId: request.productId,
    enabled: false,
  });
  const [again, fresh] = await createOrders(platform, [request, newOrder(merchantId)]);
  expect(again).toEqual(order);
  expect(fresh).toMatchObject({ code: 'productNotEnabled' });
});

test('an order whose code another waiting order has by chance gets a new code', async () => {
  const { platform, owner } = world;
  const { merchantId } = await makeShop(platform);
  const { identifyCode } = await createOne(platform, merchantId);
  await owner.query(sql`create sequence chance`);
  await owner.query(sql`
    create function take_code() returns trigger language plpgsql security definer as $$
    begin
      if nextval('chance') = 1 then new.identify_code := (select min(identify_code) from waiting_orders); end if;
      return new;
    end $$`);
  await owner.query(sql`
    create trigger take_code before insert on waiting_orders for each row execute function take_code()`);
  const created = await createOrders(platform, [newOrder(merchantId), newOrder(merchantId)]);
  await owner.query(sql`drop trigger take_code on waiting_orders`);
  const codes = created.map((order) => !isRefusal(order) && order.status === 1 && order.identifyCode);
  expect(new Set([identifyCode, ...codes]).size).toBe(3);
});

test('orders with the same candidates share one allocation run, and each order can show it', async () => {
  const { platform } = world;
  const { merchantId, accountId } = await makeShop(platform);
  const allocationOf = async () => {
    const [order] = await createOrders(platform, [newOrder(merchantId)]);
    const { id } = order as CollectionOrder;
    const [event] = await platform.db.query<{ run: string }>(
      sql`select data ->> 'run' as run from order_events where order_id = ${id} and data ? 'run'`,
    );
    const { candidates } = (await lastAllocation(platform.db, id))!;
    const verdicts = candidates.map(({ verdict }) => verdict);
    const ours = candidates.find((candidate) => candidate.accountId === String(accountId))!;
    return { run: event!.run, chosen: verdicts.indexOf('chosen'), verdict: ours.verdict };
  };
  const [first, second] = [await allocationOf(), await allocationOf()];
  await platform.db.query(sql`update accounts set frozen = true where id = ${accountId}`);
  const third = await allocationOf();
  expect(second.run).toBe(first.run);
  // The chosen account stands first.
  expect([first.chosen, second.chosen]).toEqual([0, 0]);
  expect(third.run).not.toBe(first.run);
  expect(third.verdict).toBe('frozen');
});

test('an order is answered as it is stored', async () => {
  const { platform } = world;
  const { merchantId } = await makeShop(platform);
  const [order] = await createOrders(platform, [newOrder(merchantId)]);
  const { id } = order as CollectionOrder;
  expect(await readOrders(platform.db, [id])).toEqual([order]);
});

test('the same number created at once on two nodes makes one order', async () => {
  const { platform } = world;
  const other = world.anotherNode();
  const { merchantId } = await makeShop(platform);
  const order = newOrder(merchantId);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => createOrders(n % 2 ? platform : other, [order])),
  );
  expect(new Set(answers.map(([answer]) => !isRefusal(answer) && answer!.id)).size).toBe(1);
});

test('200 creates at once for one account never share a payable amount', async () => {
  const { platform } = world;
  const other = world.anotherNode();
  const { merchantId, accountId } = await makeShop(platform, 10n ** 12n);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      createOrders(n % 2 ? platform : other, [newOrder(merchantId, { amount: 777_00n })]),
    ),
  );
  const mine = answers.flat().filter((order) => !isRefusal(order) && order.accountId === accountId);
  const all = answers
    .flat()
    .map((order) => (isRefusal(order) ? order.code : `${order.accountId}/${order.payable}`));
  expect(new Set(all).size).toBe(200);
  expect(mine.length).toBeGreaterThan(0);
  const [load] = await platform.db.query(
    sql`select waiting_count as n from account_load where account_id = ${accountId}`,
  );
  expect(load).toEqual({ n: mine.length });
});

test('one message completes one order once, however often and to whichever node it is reported', async () => {
  const { platform } = world;
  const other = world.anotherNode();
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { amount: 431_00n });
  const told = { ...creditSms(platform, { ...shop }, order.payable!), accountHint: undefined };
  const account = order.accountId === shop.accountId;
  expect(account).toBe(true);
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, n) => receiveMessages(n % 2 ? platform : other, shop.monitor, [told])),
  );
  expect(new Set(results.flat().map((result) => `${result.state}/${result.orderId}`))).toEqual(
    new Set([`matched/${order.id}`]),
  );
  expect([
    await count('postings', order.id),
    await count('callbacks', order.id),
    await count('message_matches', order.id),
  ]).toEqual([1, 1, 1]);
  expect(await statusOf(order.id)).toBe(6);
});

test('of two supplements with one UTR one succeeds, the other is refused because the UTR is used', async () => {
  const { platform } = world;
  const shop = await makeShop(platform);
  const [a, b] = [await createOne(platform, shop.merchantId), await createOne(platform, shop.merchantId)];
  const viewer = viewerOf(platform, { role: 'admin' });
  const utr = newReference();
  const answers = await Promise.all(
    [a, b].map((order) => supplement(platform, viewer, { orderId: order.id, utr, offset: false })),
  );
  expect(new Set(answers.map((answer) => (isRefusal(answer) ? answer.code : answer.status)))).toEqual(
    new Set([6, 'utrUsed']),
  );
});

test('an unpaid order times out, keeps its amount for the grace time, and a late payment still completes it', async () => {
  const { platform, clock } = world;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { amount: 912_00n });
  clock.advance(16 * MINUTE);
  await expireDue(platform);
  expect(await statusOf(order.id)).toBe(2);
  await platform.db.query(sql`update monitors set last_seen_at = ${clock.now()}`);
  const next = await createOne(platform, shop.merchantId, { amount: 912_00n });
  expect(next.accountId !== order.accountId || next.payable !== order.payable).toBe(true);
  const [result] = await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  expect(result).toMatchObject({ state: 'matched', orderId: order.id });
  clock.advance(60 * MINUTE);
  await expireDue(platform);
  expect(await statusOf(next.id)).toBe(2);
  const [load] = await platform.db.query(
    sql`select waiting_count as n, waiting_amount as amount from account_load where account_id = ${shop.accountId}`,
  );
  expect(load).toEqual({ n: 0, amount: 0n });
  await platform.db.query(sql`update monitors set last_seen_at = ${clock.now()}`);
});

test('a message older than the order does not pay it', async () => {
  const { platform, clock } = world;
  const shop = await makeShop(platform);
  const before = new Date(clock.now().getTime() - 30 * MINUTE);
  const order = await createOne(platform, shop.merchantId, { amount: 655_00n });
  const [result] = await receiveMessages(platform, shop.monitor, [
    creditSms(platform, shop, order.payable!, { receivedAt: before }),
  ]);
  expect(result).toMatchObject({ state: 'unmatched' });
});

test('the credit splits the amount between supplier, merchant and platform exactly', async () => {
  const { platform } = world;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { amount: 1000_00n });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  const rows = await platform.db.query<{ bucket: string; amount: bigint }>(sql`
    select a.bucket, sum(e.amount)::bigint as amount from postings p join ledger_entries e on e.posting_id = p.id
    join ledger_accounts a on a.id = e.account_id where p.order_id = ${order.id} group by 1`);
  expect(Object.fromEntries(rows.map((row) => [row.bucket, row.amount]))).toEqual({
    deposit: -1000_00n,
    available: 970_00n,
    commission: 10_00n,
    revenue: 20_00n,
  });
});

test('a payment beyond the deposit leaves a debt, and the merchant is credited all the same', async () => {
  const { platform } = world;
  const shop = await makeShop(platform, 500_00n);
  const order = await createOne(platform, shop.merchantId, { amount: 500_00n });
  await platform.db.query(sql`
    update ledger_accounts set balance = 100 where owner_kind = 'supplier' and owner_id = ${shop.supplierId} and bucket = 'deposit'`);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  const rows = await platform.db.query<{ bucket: string; balance: bigint }>(sql`
    select bucket, balance from ledger_accounts where owner_kind = 'supplier' and owner_id = ${shop.supplierId}`);
  expect(Object.fromEntries(rows.map((row) => [row.bucket, row.balance]))).toMatchObject({
    deposit: 0n,
    // Its commission of 5 has repaid a part.
    debt: -494_00n,
    commission: 0n,
  });
  await platform.db.query(sql`
    update ledger_accounts set balance = 40000 where owner_kind = 'supplier' and owner_id = ${shop.supplierId} and bucket = 'deposit'`);
});

test('reselect moves the order to another account and frees the first', async () => {
  const { platform } = world;
  const shop = await makeShop(platform);
  await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  const moved = await reselect(platform, viewerOf(platform, { role: 'customerService' }), order.id);
  expect(moved).toMatchObject({ status: 1 });
  expect(!isRefusal(moved) && moved.accountId).not.toBe(order.accountId);
});

test('a freed order times out, and an operator decides about its payment', async () => {
  const { platform } = world;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { amount: 345_00n });
  await freeResource(platform, viewerOf(platform, { role: 'admin' }), { orderId: order.id, offset: false });
  expect(await statusOf(order.id)).toBe(2);
  const reference = newReference();
  const [result] = await receiveMessages(platform, shop.monitor, [
    creditSms(platform, shop, order.payable!, { reference }),
  ]);
  expect(result).toMatchObject({ state: 'unmatched' });
  const done = await supplement(platform, viewerOf(platform, { role: 'admin' }), {
    orderId: order.id,
    utr: reference,
    offset: false,
  });
  expect(done).toMatchObject({ status: 6, received: order.payable });
  expect(await count('message_matches', order.id)).toBe(1);
});

test("another party's order is not found, and the action table refuses what it does not list", async () => {
  const { platform } = world;
  const [mine, theirs] = [await makeShop(platform), await makeShop(platform)];
  const order = await createOne(platform, mine.merchantId);
  const stranger = order.supplierId === theirs.supplierId ? mine : theirs;
  const asStranger = viewerOf(platform, { role: 'supplier', supplierId: stranger.supplierId });
  expect(
    await supplement(platform, asStranger, { orderId: order.id, utr: newReference(), offset: false }),
  ).toMatchObject({ code: 'notFound' });
  const asMerchant = viewerOf(platform, { role: 'merchant', merchantId: mine.merchantId });
  expect(await reselect(platform, asMerchant, order.id)).toMatchObject({ code: 'actionNotAllowed' });
});
