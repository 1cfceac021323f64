import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anyTronAddress, type SimulatedTron, startTronNode } from '@sangam/simulators/tron/node.ts';
import { payoutChannels } from '../channels/payout-channels.ts';
import type { PayoutChannels } from '../channels/payout-channel.ts';
import { createTronGrid, type TronGrid } from '../channels/usdt/tron-grid.ts';
import { createOrders } from '../collection/create.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { readOrders } from '../collection/store.ts';
import { SYSTEM } from '../history/events.ts';
import { watchUsdt } from '../inbound/usdt-watch.ts';
import { DAY, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { newOrder } from '../testing/payments.ts';
import { giveFunds, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeTestSigner, type TestSigner } from '../testing/signer.ts';
import { makeUsdtAccount, makeUsdtWallet } from '../testing/usdt.ts';
import { makeMerchant, makeSupplier, makeUser, setTerms, topUpDeposit, viewerOf } from '../testing/world.ts';
import { acceptProof } from './accept-proof.ts';
import { askGateways } from './ask-gateways.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import type { PayoutOrder } from './order.ts';
import { proveConfirmed } from './prove.ts';
import { reversePayout } from './reverse.ts';
import { lockPayouts, readPayouts } from './store.ts';

/** A payout to an address where we collect: one transfer pays the payout and an order. */

const CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const [COLLECT, PAY] = [1045, 2045];

let chain: SimulatedTron;
let signer: TestSigner;
let world: TestPlatform;
let shop: PayoutShop;
let payerOf: bigint;
let address: string;
let channels: PayoutChannels;
let tron: TronGrid;

beforeAll(async () => {
  const clock = { now: () => world.clock.now() };
  chain = await startTronNode({ contract: CONTRACT, now: () => clock.now().getTime() });
  world = await createTestPlatform();
  const { platform } = world;
  signer = await makeTestSigner({ tronUrl: chain.url, clock });
  platform.config.tronUrl = chain.url;
  platform.config.signer = { url: signer.running.url, secret: signer.config.secret };
  tron = createTronGrid({ url: chain.url, contract: CONTRACT });
  const maxAmount = 10n ** 13n;
  shop = await makePayoutShop(platform);
  await setTerms(platform, { ownerKind: 'merchant', ownerId: shop.merchantId, productId: PAY, maxAmount });
  await giveFunds(platform, shop.merchantId, 'USDT', maxAmount);
  await makeUsdtWallet(platform, shop.supplierId, signer.address);
  await setTerms(platform, { ownerKind: 'supplier', ownerId: shop.supplierId, productId: PAY, maxAmount });
  chain.wallets.fund(signer.address, { usdt: 10n ** 12n, trx: 10n ** 12n });
  const { supplierId } = await makeSupplier(platform, { products: [COLLECT], deposit: 0n });
  await setTerms(platform, { ownerKind: 'supplier', ownerId: supplierId, productId: COLLECT, maxAmount });
  await topUpDeposit(platform, supplierId, 'USDT', maxAmount);
  payerOf = (await makeMerchant(platform, { products: [] })).merchantId;
  await setTerms(platform, { ownerKind: 'merchant', ownerId: payerOf, productId: COLLECT, maxAmount });
  ({ address } = await makeUsdtAccount(platform, supplierId));
});
beforeEach(async () => {
  world.clock.advance(DAY);
  channels = payoutChannels(world.platform);
  await watchUsdt(world.platform, tron);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await signer.close();
  await world.close();
  await chain.stop();
});

/** An order that waits on the address, and a payout that sends exactly its amount there. */
async function sendToOwnAddress(): Promise<{ readonly due: CollectionOrder; readonly payout: PayoutOrder }> {
  const amount = 50_000_000n;
  const [due] = await createOrders(world.platform, [newOrder(payerOf, { productId: COLLECT, amount })]);
  if (!due || isRefusal(due)) throw new Error(`refused: ${JSON.stringify(due)}`);
  const payee = { address };
  const payout = await payOut(world.platform, shop.merchantId, {
    productId: PAY,
    amount: due.payable!,
    payee,
  });
  await dispatchWaiting(world.platform, channels);
  world.clock.advance(70 * SECOND);
  return { due, payout };
}

const watch = () => watchUsdt(world.platform, tron);
const ask = () => askGateways(world.platform, channels);

test.each([
  ['the order is paid first', [watch, ask]],
  ['the payout completes first', [ask, watch]],
] as const)('a payout to an address where an order waits completes both; %s', async (_name, steps) => {
  const { due, payout } = await sendToOwnAddress();
  for (const step of steps) await step();
  const [paid] = await readOrders(world.platform.db, [due.id]);
  const [sent] = await readPayouts(world.platform.db, [payout.id]);
  expect([paid!.status, sent!.status]).toEqual([6, PAYOUT_STATUS.completed]);
  expect(paid!.utr).toBe(sent!.utr);
});

/** A payout that a supplier claims before a wallet is asked. */
async function claimed(): Promise<bigint> {
  const payee = { address: anyTronAddress() };
  const fields = { productId: PAY, amount: 50_000_000n, payee };
  const { id } = await payOut(world.platform, shop.merchantId, fields);
  const outcome = await claim(world.platform, supplier(), id);
  if (isRefusal(outcome)) throw new Error(`not claimed: ${outcome.code}`);
  return id;
}
const supplier = () => viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
const sayPaid = (orderId: bigint, utr: string) =>
  confirmPaid(world.platform, supplier(), { orderId, utr: utr.toUpperCase() });
async function accept(orderId: bigint) {
  const { id: userId } = await makeUser(world.platform, { role: 'admin' });
  const desk = viewerOf(world.platform, { role: 'admin', userId });
  return acceptProof(world.platform, desk, { orderId, reason: 'seen' });
}
const contradictions = (orderId: bigint) =>
  world.platform.db.query(
    sql`select 1 from order_events where order_id = ${orderId} and kind = 'contradicted' and data->>'said' = 'elsewhere'`,
  );
const read = async (id: bigint) => (await readPayouts(world.platform.db, [id]))[0]!;

test('a transfer of our own wallet proves no payout of a supplier', async () => {
  const [before, after] = [await claimed(), await claimed()];
  const { payout } = await sendToOwnAddress();
  const txid = (await read(payout.id)).gatewayRef!;
  expect(await sayPaid(before, txid)).toMatchObject({ unproven: true });
  await ask();
  expect(await sayPaid(after, txid)).toMatchObject({ code: 'utrUsed' });
  expect(await accept(before)).toMatchObject({ code: 'utrUsed' });
  await proveConfirmed(world.platform);
  expect(await contradictions(before)).toHaveLength(1);
});

test('what the desk accepted as a supplier’s payment completes nothing else until that is reversed', async () => {
  const said = await claimed();
  const { payout } = await sendToOwnAddress();
  const txid = (await read(payout.id)).gatewayRef!;
  await sayPaid(said, txid);
  expect(await accept(said)).toMatchObject({ unproven: false });
  await ask();
  expect((await read(payout.id)).status).toBe(PAYOUT_STATUS.toBeConfirmed);
  expect(await contradictions(payout.id)).toHaveLength(1);
  await watch();
  expect(
    await world.platform.db.query(sql`select state, reason from messages where utr = ${txid.toUpperCase()}`),
  ).toEqual([{ state: 'ambiguous', reason: 'contradictsBooked' }]);
  await world.platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [said]);
    await reversePayout(world.platform, tx, order!, { actor: SYSTEM, reason: 'a wallet sent it', data: {} });
  });
  world.clock.advance(16 * SECOND);
  await ask();
  expect((await read(payout.id)).status).toBe(PAYOUT_STATUS.completed);
});
