import { topUp } from '@sangam/contract/endpoints/fund.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anyTronAddress, type SimulatedTron, startTronNode } from '@sangam/simulators/tron/node.ts';
import { createTronGrid, type TronGrid } from '../channels/usdt/tron-grid.ts';
import { createOrders } from '../collection/create.ts';
import { expireDue } from '../collection/expire.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { readOrders } from '../collection/store.ts';
import { moneyOfOrder } from '../evidence/lost/pairs.ts';
import { listUsdtTransfers } from '../evidence/matching/list-usdt.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { submitUtr } from '../evidence/matching/payer-utr.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { brokenChecks } from '../testing/books.ts';
import { creditSms, makeShop, newOrder } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUsdtAccount } from '../testing/usdt.ts';
import { makeMerchant, makeSupplier, makeUser, setTerms, topUpDeposit, viewerOf } from '../testing/world.ts';
import { watchUsdt } from './usdt-watch.ts';

/** Payers know the id of a transaction, not the place of their transfer in it. */

const USDT = 1045;
const CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const other = { to: anyTronAddress('somebody else'), value: 1n };

let world: TestPlatform;
let merchantId: bigint;
let address: string;
let chain: SimulatedTron;
let tron: TronGrid;
let supplierId: bigint;
let desk: ReturnType<typeof viewerOf>;

beforeAll(async () => {
  world = await createTestPlatform();
  const { platform } = world;
  const maxAmount = 10n ** 12n;
  ({ merchantId } = await makeMerchant(platform, { products: [] }));
  await setTerms(platform, { ownerKind: 'merchant', ownerId: merchantId, productId: USDT, maxAmount });
  ({ supplierId } = await makeSupplier(platform, { products: [USDT], deposit: 0n }));
  await setTerms(platform, { ownerKind: 'supplier', ownerId: supplierId, productId: USDT, maxAmount });
  await topUpDeposit(platform, supplierId, 'USDT', 10n ** 13n);
  ({ address } = await makeUsdtAccount(platform, supplierId));
  const { id: userId } = await makeUser(platform, { role: 'superAdmin' });
  desk = viewerOf(platform, { role: 'superAdmin', userId });
  chain = await startTronNode({ contract: CONTRACT, now: () => world.clock.now().getTime() });
  tron = createTronGrid({ url: chain.url, contract: CONTRACT });
});
beforeEach(async () => {
  world.clock.advance(DAY);
  await watchUsdt(world.platform, tron);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await chain.stop();
  await world.close();
});

async function order(amount: bigint): Promise<CollectionOrder> {
  const [made] = await createOrders(world.platform, [newOrder(merchantId, { productId: USDT, amount })]);
  if (!made || isRefusal(made)) throw new Error(`refused: ${JSON.stringify(made)}`);
  return made;
}
async function look(): Promise<void> {
  world.clock.advance(70 * SECOND);
  await watchUsdt(world.platform, tron);
}
/** Two orders of one sum, both timed out, and a transaction whose third transfer has that sum. */
async function unpaidPair(amount: bigint, transfers = [other, other, { to: address, value: amount }]) {
  const released = async () => {
    const made = await order(amount);
    world.clock.advance(2 * HOUR);
    await expireDue(world.platform);
    await watchUsdt(world.platform, tron);
    return made;
  };
  const [a, b] = [await released(), await released()];
  return { a, b, txid: chain.send(transfers).toUpperCase() };
}
const read = async ({ id }: CollectionOrder) => (await readOrders(world.platform.db, [id]))[0]!;
const messagesOf = (txid: string) =>
  world.platform.db.query<{ id: bigint; state: string; orderId: bigint | null; utr: string }>(
    sql`select id, state, order_id as "orderId", utr from messages where utr like ${`${txid}%`} order by utr`,
  );
const complete = ({ id }: CollectionOrder, utr: string, messageId?: bigint) =>
  supplement(world.platform, desk, { orderId: id, utr, offset: false, messageId });

test('a transaction’s id finds its transfers, whatever their place', async () => {
  const txid = chain.send([other, { to: address, value: 3n }, { to: address, value: 4n }]);
  chain.send([{ to: address, value: 5n }]);
  await look();
  const found = await listUsdtTransfers(world.platform, desk, { pageIndex: 1, pageSize: 10, txid });
  expect(isRefusal(found) ? found : found.list.map(({ amount }) => amount)).toEqual([4, 3]);
});

test('what a phone reports as USDT is the bank message that its text is: no transfer, and no order in USDT is paid by it', async () => {
  const { a } = await unpaidPair(29_000_000n);
  const waiting = await order(28_000_000n);
  const { platform } = world;
  const bank = await makeShop(platform);
  const told = (amount: bigint) => ({ ...creditSms(platform, bank, amount), kind: 'usdt' as const });
  await receiveMessages(platform, bank.monitor, [told(28_000_000n), told(29_000_000n)]);
  expect([(await read(a)).status, (await read(waiting)).status]).toEqual([2, 1]);
  const page = { pageIndex: 1, pageSize: 10, supplierId: String(bank.supplierId) };
  const found = await listUsdtTransfers(platform, desk, page);
  expect(isRefusal(found) ? found : found.list).toEqual([]);
});

test('the id of a transaction completes one order by a transfer that is not its first, and no second one', async () => {
  const { a, b, txid } = await unpaidPair(31_000_000n);
  await look();
  const [message] = await messagesOf(txid);
  expect(await complete(a, txid)).toMatchObject({ status: 6, received: 31_000_000n, utr: `${txid}L2` });
  expect(await messagesOf(txid)).toMatchObject([{ state: 'matched', orderId: a.id }]);
  // The same press again has the same answer.
  expect(await complete(a, txid)).toMatchObject({ status: 6 });
  expect(await complete(b, txid)).toMatchObject({
    code: 'utrUsed',
    data: { holders: [{ orderCode: String(a.id) }] },
  });
  expect(await complete(b, `${txid}L2`)).toMatchObject({ code: 'utrUsed' });
  expect(await complete(b, txid, message!.id)).toMatchObject({ code: 'conflict' });
  expect((await read(b)).status).toBe(2);
});

test('an order completed by the id before the chain reported the transfer is joined to it', async () => {
  const { a, b, txid } = await unpaidPair(32_000_000n);
  expect(await complete(a, txid)).toMatchObject({ status: 6, utr: txid });
  await look();
  const [message] = await messagesOf(txid);
  expect(message).toMatchObject({ state: 'matched', orderId: a.id, utr: `${txid}L2` });
  expect(await complete(b, txid)).toMatchObject({ code: 'utrUsed' });
  expect(await complete(b, `${txid}L2`)).toMatchObject({ code: 'utrUsed' });
  expect(await complete(b, `${txid}L2`, message!.id)).toMatchObject({ code: 'conflict' });
});

test('nor does a transfer that was kept for operators pay a second order', async () => {
  const { a, b, txid } = await unpaidPair(34_000_000n);
  await complete(a, txid);
  await world.platform.settings.write('UsdtAuto', false, null);
  await look();
  await world.platform.settings.write('UsdtAuto', true, null);
  const [message] = await messagesOf(txid);
  expect(message).toMatchObject({ state: 'unmatched', utr: `${txid}L2` });
  expect(await complete(b, txid)).toMatchObject({ code: 'utrUsed' });
  expect(await complete(b, `${txid}L2`, message!.id)).toMatchObject({ code: 'utrUsed' });
});

test('of several open transfers the operator names one', async () => {
  const sum = 33_000_000n;
  const to = address;
  const { a, b, txid } = await unpaidPair(sum, [other, { to, value: sum }, { to, value: sum - 7_000_000n }]);
  await look();
  expect(await complete(a, txid)).toMatchObject({ code: 'conflict', data: { reason: 'severalTransfers' } });
  expect(await complete(a, `${txid}L1`)).toMatchObject({ status: 6, received: sum });
  expect(await complete(b, txid)).toMatchObject({ status: 6, received: sum - 7_000_000n, utr: `${txid}L2` });
});

const state = ({ id }: CollectionOrder, typed: string) =>
  submitUtr(world.platform, world.platform.vault.payToken(id), typed, '10.0.0.9');

test('a transfer is its payer’s who stated the transaction’s id, whatever its place', async () => {
  const { a, b, txid } = await unpaidPair(35_000_000n);
  await state(b, txid.toLowerCase());
  await look();
  expect(await moneyOfOrder(world.platform, desk, { orderCode: String(b.id) })).toMatchObject({
    list: [{ utr: `${txid}L2`, verdict: 'payerUtr', confidence: 'certain' }],
  });
  const [user] = await world.platform.db.query<{ userId: bigint }>(
    sql`select user_id as "userId" from suppliers where id = ${supplierId}`,
  );
  const supplier = viewerOf(world.platform, { role: 'supplier', supplierId, ...user });
  const asked = { orderId: a.id, utr: txid, offset: false };
  expect(await supplement(world.platform, supplier, asked)).toMatchObject({ code: 'approvalNeeded' });
  expect(await complete(b, txid)).toMatchObject({ status: 6, utr: `${txid}L2` });
});

test('a stated transaction of another sum is the operator’s, and one of its sum pays by the statement', async () => {
  const [less, exact] = [await order(60_000_000n), await order(70_000_000n)];
  const txid = chain
    .send([other, { to: address, value: 50_000_000n }, { to: address, value: exact.payable! }])
    .toUpperCase();
  for (const each of [less, exact]) await state(each, txid);
  await look();
  expect(
    await world.platform.db.query(
      sql`select m.state, m.reason, mm.evidence from messages m left join message_matches mm on mm.message_id = m.id
        where m.utr like ${`${txid}%`} order by m.utr`,
    ),
  ).toEqual([
    { state: 'ambiguous', reason: 'amountDiffers', evidence: null },
    { state: 'matched', reason: null, evidence: 'payerUtr' },
  ]);
  expect([(await read(less)).status, (await read(exact)).status]).toEqual([1, 6]);
});

test('a transfer of the transaction that a top-up was booked by pays no order, whatever its place', async () => {
  const { platform } = world;
  const waiting = await order(36_000_000n);
  const txid = chain.send([other, other, { to: address, value: 36_000_000n }]).toUpperCase();
  const owner = { ownerKind: 'supplier', ownerId: String(supplierId) } as const;
  const wish = {
    ...owner,
    currency: 'USDT',
    amount: 36_000_000,
    utr: txid,
    reason: 'sent to our wallet',
  } as const;
  const asked = await askRefused(platform, desk, topUp, wish);
  const { id: userId } = await makeUser(platform, { role: 'superAdmin' });
  const second = viewerOf(platform, { role: 'superAdmin', userId });
  await ask(platform, second, decide, { id: (asked.data as { todoId: string }).todoId, approve: true });
  await look();
  expect(await messagesOf(txid)).toMatchObject([{ state: 'ambiguous', orderId: null }]);
  expect((await read(waiting)).status).toBe(1);
});

test('a transfer that is listed twice, and whose block was replaced by a later one, is one payment', async () => {
  const [a, b] = [await order(37_000_000n), await order(37_000_000n)];
  // An approval beside it takes no place among the transfers.
  const txid = chain.send([
    { to: address, value: a.payable!, type: 'Approval' },
    { to: address, value: a.payable! },
  ]);
  let reads = 0;
  const odd: TronGrid = {
    async listed(to, since) {
      const { txids, until } = await tron.listed(to, since);
      return { txids: [...txids, ...txids], until };
    },
    async transfersTo(to, id) {
      const found = await tron.transfersTo(to, id);
      reads += 1;
      const later = (at: Date) => new Date(at.getTime() + reads * 3 * SECOND);
      return found?.map((each) => ({ ...each, blockTime: later(each.blockTime) }));
    },
  };
  world.clock.advance(2 * MINUTE);
  const nodes = [world.platform, world.anotherNode()];
  await Promise.all(nodes.map((node) => watchUsdt(node, odd)));
  world.clock.advance(MINUTE);
  await watchUsdt(world.platform, odd);
  expect(reads).toBeGreaterThan(1);
  expect(await read(a)).toMatchObject({ status: 6, utr: txid.toUpperCase() });
  expect((await read(b)).status).toBe(1);
  expect(await messagesOf(txid.toUpperCase())).toHaveLength(1);
});
