import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anyTronAddress, type SimulatedTron, startTronNode } from '@sangam/simulators/tron/node.ts';
import { createTronGrid, type TronGrid } from '../channels/usdt/tron-grid.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { createOrders } from '../collection/create.ts';
import { expireDue } from '../collection/expire.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { readOrders } from '../collection/store.ts';
import { sql } from '../platform/db/database.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { createRandom } from '../demo/random.ts';
import { newOrder } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SEED } from '../testing/seed.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeMerchant, makeSupplier, setTerms, topUpDeposit, viewerOf } from '../testing/world.ts';
import { makeUsdtAccount } from '../testing/usdt.ts';
import { watchUsdt } from './usdt-watch.ts';

const USDT = 1045;
const CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

let world: TestPlatform;
let rival: Platform;
let merchantId: bigint;
let address: string;
let accountId: bigint;
let chain: SimulatedTron;
let tron: TronGrid;

beforeAll(async () => {
  world = await createTestPlatform();
  rival = world.anotherNode();
  ({ merchantId } = await makeMerchant(world.platform, { products: [] }));
  await setTerms(world.platform, {
    ownerKind: 'merchant',
    ownerId: merchantId,
    productId: USDT,
    maxAmount: 10n ** 12n,
  });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});
beforeEach(async () => {
  const { supplierId } = await makeSupplier(world.platform, { products: [USDT], deposit: 0n });
  await setTerms(world.platform, {
    ownerKind: 'supplier',
    ownerId: supplierId,
    productId: USDT,
    maxAmount: 10n ** 12n,
  });
  await topUpDeposit(world.platform, supplierId, 'USDT', 10n ** 13n);
  // Only the account of this test is open.
  await world.platform.db.query(sql`update resources set state = 1`);
  await world.platform.db.query(sql`delete from rail_watches`);
  await world.platform.db.query(sql`update accounts set direction = 'out' where kind = 'usdt'`);
  ({ accountId, address } = await makeUsdtAccount(world.platform, supplierId));
  chain = await startTronNode({
    contract: CONTRACT,
    now: () => world.clock.now().getTime(),
    shuffle: createRandom(SEED).next,
    pageSize: 7,
  });
  tron = createTronGrid({ url: chain.url, contract: CONTRACT });
  await watchUsdt(world.platform, tron);
});
afterEach(() => chain.stop());

/** An order of `amount` millionths of a USDT. */
async function order(amount = 100_000_000n): Promise<CollectionOrder> {
  const [made] = await createOrders(world.platform, [newOrder(merchantId, { productId: USDT, amount })]);
  if (!made || isRefusal(made)) throw new Error(`refused: ${JSON.stringify(made)}`);
  return made;
}
async function look(waitMs = 70 * SECOND): Promise<void> {
  world.clock.advance(waitMs);
  await watchUsdt(world.platform, tron);
}
const read = async ({ id }: CollectionOrder) => (await readOrders(world.platform.db, [id]))[0]!;
const messages = () =>
  world.platform.db.query<{ state: string; reason: string | null; amount: bigint; utr: string }>(
    sql`select state, reason, amount, utr from messages where account_id = ${accountId} order by id`,
  );

test('an address that is watched is online; without an answer of the chain it is not', async () => {
  expect((await order()).status).toBe(1);
  await chain.stop();
  await look(10 * MINUTE);
  expect((await order()).status).toBe(5);
  chain = await startTronNode({ contract: CONTRACT, now: () => world.clock.now().getTime() });
});

test('orders of one amount float apart by ten-thousandths; each is paid by its exact amount once the block is solid', async () => {
  const [a, b] = [await order(), await order()];
  expect([a.amount, a.payable, b.payable]).toEqual([100_000_000n, 100_000_000n, 100_000_100n]);
  const txid = chain.send([{ to: address, value: b.payable! }]);
  await look(30 * SECOND);
  expect((await read(b)).status).toBe(1);
  await look(40 * SECOND);
  expect(await read(b)).toMatchObject({ status: 6, received: 100_000_100n, utr: txid.toUpperCase() });
  expect((await read(a)).status).toBe(1);
  await look();
  expect(await messages()).toHaveLength(1);
});

test('without a grace, what is paid in the last seconds of its time still completes an order', async () => {
  await world.platform.settings.write('CompleteCheckOrderTime', 0, null);
  const { OrderTimeoutMinutes } = await world.platform.settings.all();
  const late = await order();
  await look(OrderTimeoutMinutes * MINUTE - SECOND);
  chain.send([{ to: address, value: late.payable! }]);
  world.clock.advance(2 * SECOND);
  await expireDue(world.platform);
  expect((await read(late)).status).toBe(2);
  await look();
  expect((await read(late)).status).toBe(6);
  await world.platform.settings.write('CompleteCheckOrderTime', 30, null);
});

test('two nodes that look at once take a transfer in once', async () => {
  const paid = await order();
  chain.send([{ to: address, value: paid.payable! }]);
  world.clock.advance(2 * MINUTE);
  await Promise.all([watchUsdt(world.platform, tron), watchUsdt(rival, tron)]);
  expect((await read(paid)).status).toBe(6);
  expect(await messages()).toHaveLength(1);
});

test('look-alikes, transfers of nothing, approvals, failed transactions and absurd values pay nothing', async () => {
  const unpaid = await order();
  const value = unpaid.payable!;
  const fake = anyTronAddress('a token that calls itself USDT');
  chain.send([{ to: address, value, contract: fake }]);
  chain.send([{ to: address, value: value + 1n, contract: fake }]);
  chain.send([{ to: address, value: 0n, from: anyTronAddress('poison') }]);
  chain.send([{ to: address, value, type: 'Approval' }]);
  chain.send([{ to: address, value }], { failed: true });
  chain.send([{ to: address, value: 2n ** 200n }]);
  chain.send([{ to: anyTronAddress('somebody else'), value }]);
  await look();
  expect((await read(unpaid)).status).toBe(1);
  expect(await messages()).toEqual([]);
});

test('a transfer whose row names no token is paid by what its receipt says', async () => {
  const [a, b] = [await order(), await order()];
  const fake = anyTronAddress('a token that calls itself USDT');
  chain.send([{ to: address, value: a.payable! }], { unnamed: true });
  chain.send([{ to: address, value: b.payable!, contract: fake }], { unnamed: true });
  await look();
  expect([(await read(a)).status, (await read(b)).status]).toEqual([6, 1]);
  expect(await messages()).toHaveLength(1);
});

test('several transfers in one transaction pay several orders', async () => {
  const [a, b] = [await order(5_000_000n), await order(7_000_000n)];
  const txid = chain.send([
    { to: address, value: a.payable! },
    { to: anyTronAddress('another'), value: 1n },
    { to: address, value: b.payable! },
  ]);
  await look();
  expect([(await read(a)).utr, (await read(b)).utr]).toEqual([txid.toUpperCase(), `${txid.toUpperCase()}L2`]);
});

test('too little or too much is an operator’s, who completes the order with the transaction', async () => {
  const short = await order(200_000_000n);
  const txid = chain.send([{ to: address, value: short.payable! - 1_000_000n }]);
  await look();
  expect((await read(short)).status).toBe(1);
  expect(await messages()).toMatchObject([{ state: 'ambiguous', reason: 'underpaid' }]);
  const done = await supplement(world.platform, viewerOf(world.platform, { role: 'superAdmin' }), {
    orderId: short.id,
    utr: txid.toUpperCase(),
    offset: false,
  });
  expect(done).toMatchObject({ status: 6, received: 199_000_000n });
  const over = await order(200_000_000n);
  chain.send([{ to: address, value: over.payable! + 3n }]);
  await look();
  expect((await messages()).at(-1)).toMatchObject({ state: 'ambiguous', reason: 'overpaid' });
});

test('a transfer to the address of an order that an operator booked as an offset is left to people', async () => {
  const known = await order();
  const txid = chain.send([{ to: address, value: known.payable! }]);
  await supplement(world.platform, viewerOf(world.platform, { role: 'superAdmin' }), {
    orderId: known.id,
    utr: txid.toUpperCase(),
    offset: true,
  });
  await look();
  expect(await read(known)).toMatchObject({ status: 6, received: known.payable });
  expect(await messages()).toMatchObject([{ state: 'ambiguous', reason: 'contradictsBooked' }]);
});

test('what an operator booked on the address before the chain reported it is joined to its order', async () => {
  const known = await order();
  const txid = chain.send([{ to: address, value: known.payable! }]);
  await supplement(world.platform, viewerOf(world.platform, { role: 'superAdmin' }), {
    orderId: known.id,
    utr: txid.toUpperCase(),
    offset: false,
  });
  await look();
  expect(await messages()).toMatchObject([{ state: 'matched' }]);
});

test('the block’s time decides: before the order is not for it, within the grace is, after it is not', async () => {
  const early = world.clock.now().getTime();
  world.clock.advance(10 * SECOND);
  const order1 = await order();
  chain.send([{ to: address, value: order1.payable! }], { atMs: early });
  await look();
  expect((await read(order1)).status).toBe(1);
  expect(await messages()).toMatchObject([{ state: 'unmatched' }]);
  const order2 = await order(9_000_000n);
  const { expiresAt } = await read(order2);
  world.clock.set(new Date(expiresAt!.getTime() + MINUTE));
  await expireDue(world.platform);
  expect((await read(order2)).status).toBe(2);
  // The amount still belongs to this order, so another order of the same sum floats.
  await watchUsdt(world.platform, tron);
  expect((await order(9_000_000n)).payable).toBe(order2.payable! + 100n);
  chain.send([{ to: address, value: order2.payable! }]);
  await look();
  expect((await read(order2)).status).toBe(6);
});

test('what the index skipped is found by the overlap, and after hours by the scan of the last day', async () => {
  const [a, b] = [await order(11_000_000n), await order(12_000_000n)];
  chain.send([{ to: address, value: a.payable! }], { indexLagMs: 8 * MINUTE });
  chain.send([{ to: address, value: 3_000_000n }]);
  await look();
  expect((await read(a)).status).toBe(1);
  await look(8 * MINUTE);
  expect((await read(a)).status).toBe(6);
  const lost = chain.send([{ to: address, value: b.payable! }], { indexLagMs: 3 * HOUR });
  for (let hour = 0; hour < 4; hour += 1) {
    chain.send([{ to: address, value: 4_000_000n }]);
    await look(HOUR);
  }
  expect((await messages()).filter(({ utr }) => utr === lost.toUpperCase())).toHaveLength(1);
});

test('what was paid to a new address while no node ran for two days is found afterwards', async () => {
  await look();
  const first = chain.send([{ to: address, value: 7_000_000n }]);
  world.clock.advance(2 * DAY);
  chain.send([{ to: address, value: 8_000_000n }]);
  await look();
  await look();
  expect((await messages()).map(({ utr }) => utr)).toContain(first.toUpperCase());
});

test('what the index skipped before no node ran for two days is found afterwards', async () => {
  const skipped = chain.send([{ to: address, value: 7_000_000n }], { indexLagMs: 3 * HOUR });
  await look();
  chain.send([{ to: address, value: 8_000_000n }]);
  await look();
  world.clock.advance(2 * DAY);
  chain.send([{ to: address, value: 9_000_000n }]);
  await look();
  await look();
  expect((await messages()).map(({ utr }) => utr)).toContain(skipped.toUpperCase());
});

/** The node answers nothing about these transactions. */
function failOn(...txids: string[]): void {
  const { transfersTo, listed } = tron;
  tron = {
    listed,
    transfersTo: (to, txid) =>
      txids.includes(txid) ? Promise.reject(new Error('the node answered 500')) : transfersTo(to, txid),
  };
}

test('a transaction the node fails on keeps no later payment out, and is taken in when it can be read', async () => {
  const readable = tron;
  const stuck = chain.send([{ to: address, value: 5_000_000n }]);
  failOn(stuck);
  const paid = await order();
  chain.send([{ to: address, value: paid.payable! }]);
  await look();
  expect((await read(paid)).status).toBe(6);
  // A transaction that fails alone does not take the address offline either. The mark stays before it as long as it fails.
  for (let time = 0; time < 3; time += 1) await look();
  expect((await order()).status).toBe(1);
  world.clock.advance(2 * DAY);
  tron = readable;
  await look();
  expect(await messages()).toHaveLength(2);
});

test('a node that is minutes behind the node that lists transfers keeps no payment out', async () => {
  const { listed, transfersTo } = tron;
  const sentAt = new Map<string, number>();
  const isBehind = (txid: string) => world.clock.now().getTime() - sentAt.get(txid)! < 16 * MINUTE;
  tron = {
    listed,
    transfersTo: (to, txid) => (isBehind(txid) ? Promise.resolve(undefined) : transfersTo(to, txid)),
  };
  for (let time = 0; time < 7; time += 1) {
    sentAt.set(chain.send([{ to: address, value: 6_000_000n }]), world.clock.now().getTime());
    await look(2 * MINUTE);
  }
  for (let time = 0; time < 7; time += 1) await look(2 * MINUTE);
  expect(await messages()).toHaveLength(7);
});

test('an address of which the node can read no transaction at all is not online', async () => {
  failOn(...[1n, 2n].map((value) => chain.send([{ to: address, value }])));
  for (let time = 0; time < 3; time += 1) await look();
  expect((await order()).status).toBe(5);
});

test('with UsdtAuto off, transfers wait for an operator', async () => {
  const unpaid = await order();
  await world.platform.settings.write('UsdtAuto', false, null);
  chain.send([{ to: address, value: unpaid.payable! }]);
  await look();
  await world.platform.settings.write('UsdtAuto', true, null);
  expect((await read(unpaid)).status).toBe(1);
  expect(await messages()).toMatchObject([{ state: 'unmatched', reason: 'autoOff' }]);
});

test(`a hundred orders on a shuffled, paged chain full of dust: each paid once, the others not (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const orders: CollectionOrder[] = [];
  for (let index = 0; index < 100; index += 1)
    orders.push(await order(BigInt(random.int(1, 20)) * 1_000_000n));
  expect(new Set(orders.map(({ payable }) => payable)).size).toBe(100);
  const paid = orders.filter(() => random.chance(0.6));
  for (const { payable } of paid) {
    chain.send([{ to: address, value: payable! }], { indexLagMs: random.int(0, 90) * SECOND });
    if (random.chance(0.5)) chain.send([{ to: address, value: BigInt(random.int(0, 40)) }]);
    world.clock.advance(random.int(0, 4) * SECOND);
    if (random.chance(0.3)) await watchUsdt(random.pick([world.platform, rival]), tron);
  }
  await look(3 * MINUTE);
  await look();
  const ids = new Set(paid.map(({ id }) => id));
  for (const each of orders)
    expect([each.id, (await read(each)).status]).toEqual([each.id, ids.has(each.id) ? 6 : 1]);
});

test('zero-value transfers, which anybody may send, do not keep later payments from being read', async () => {
  const { payable } = await order();
  // More rows than 25 pages of seven hold, all within the ten minutes that each look goes back.
  for (let n = 0; n < 200; n += 1) chain.send([{ to: address, value: 0n }]);
  await look();
  chain.send([{ to: address, value: payable! }]);
  await look();
  await look();
  expect((await messages()).map(({ state }) => state)).toEqual(['matched']);
});

test('a flood of zero-value transfers that one look cannot hold is read past by the next looks', async () => {
  // Ten minutes have fewer rows than the 150 pages of seven of one look. The whole flood has more.
  const before = world.clock.now().getTime();
  chain.send([{ to: address, value: 1n }], { atMs: before - 18 * MINUTE });
  await look();
  for (let minute = 17; minute > 0; minute -= 1) {
    const atMs = before - minute * MINUTE;
    for (let n = 0; n < 70; n += 1) chain.send([{ to: address, value: 0n }], { atMs });
  }
  const { payable } = await order();
  chain.send([{ to: address, value: payable! }]);
  await look();
  expect((await messages()).map(({ state }) => state)).toEqual(['unmatched']);
  await look();
  expect((await messages()).map(({ state }) => state)).toEqual(['unmatched', 'matched']);
});

test('a row that the node dates into the future keeps no later payment out', async () => {
  const until = new Date(world.clock.now().getTime() + DAY);
  const listed: TronGrid['listed'] = async (to, since) => ({ ...(await tron.listed(to, since)), until });
  await watchUsdt(world.platform, { ...tron, listed });
  await look();
  const paid = await order();
  chain.send([{ to: address, value: paid.payable! }]);
  await look();
  expect((await read(paid)).status).toBe(6);
});
