import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOrders } from '../collection/store.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit } from '../testing/debits.ts';
import { createOne, creditSms, makeShop, newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { setTerms, viewerOf } from '../testing/world.ts';
import { acceptProof } from './accept-proof.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';

/** An unproven claim of a supplier does not take a UTR from the order that the bank names by it. */

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;
const supplierOf = (supplierId: bigint) => viewerOf(world.platform, { role: 'supplier', supplierId });
const contradictions = (id: bigint) =>
  world.platform.db.query(
    sql`select data->>'utr' as utr from order_events where order_id = ${id} and kind = 'contradicted'`,
  );

/** A payout of one rupee that the supplier claimed and says it paid by `utr`. */
async function sayPaid(merchantId: bigint, supplierId: bigint, utr: string) {
  const { id } = await payOut(world.platform, merchantId, { amount: 1_00n });
  await claim(world.platform, supplierOf(supplierId), id);
  const said = await confirmPaid(world.platform, supplierOf(supplierId), { orderId: id, utr });
  return { id, said: isRefusal(said) ? said.code : said.unproven };
}

test('a payer’s UTR that a supplier says it paid a payout by still completes the payer’s order', async () => {
  const { platform } = world;
  const shop = await makeShop(platform);
  const { merchantId } = await makeBatchShop(platform);
  await setTerms(platform, { ownerKind: 'supplier', ownerId: shop.supplierId, productId: 2001 });
  const order = await createOne(platform, shop.merchantId, { amount: 50_00n });
  const utr = newReference();
  // The supplier's phone shows the payer's credit. Before it reports the credit, the supplier states the same UTR for a payout.
  const { id, said } = await sayPaid(merchantId, shop.supplierId, utr);
  expect(said).toBe(true);
  const sms = creditSms(platform, shop, order.payable!, { reference: utr });
  expect(await receiveMessages(platform, shop.monitor, [sms])).toMatchObject([
    { state: 'matched', orderId: order.id },
  ]);
  expect((await readOrders(platform.db, [order.id]))[0]!.status).toBe(6);
  await proveConfirmed(platform);
  await proveConfirmed(platform);
  expect(await read(id)).toMatchObject({ unproven: true });
  expect(await contradictions(id)).toEqual([{ utr }]);
  const notified = await platform.db.query(
    sql`select distinct kind from inbox_messages where kind = 'claimContradicted' and data->>'order' = ${String(id)}`,
  );
  expect(notified).toHaveLength(1);
  const desk = viewerOf(platform, { role: 'admin' });
  expect(await acceptProof(platform, desk, { orderId: id, reason: 'seen' })).toMatchObject({
    code: 'utrUsed',
  });
});

test('a UTR that the bank has named as a credit proves no payout', async () => {
  const { platform } = world;
  const shop = await makeShop(platform);
  const { merchantId } = await makeBatchShop(platform);
  await setTerms(platform, { ownerKind: 'supplier', ownerId: shop.supplierId, productId: 2001 });
  const utr = newReference();
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, 77_00n, { reference: utr })]);
  expect((await sayPaid(merchantId, shop.supplierId, utr)).said).toBe('utrUsed');
});

test('a rival that states an honest supplier’s UTR first does not stop that supplier', async () => {
  const { platform } = world;
  const [rival, honest] = [await makeShop(platform), await makeBatchShop(platform)];
  await setTerms(platform, { ownerKind: 'supplier', ownerId: rival.supplierId, productId: 2001 });
  const utr = newReference();
  const squatted = await sayPaid(honest.merchantId, rival.supplierId, utr);
  const paid = await sayPaid(honest.merchantId, honest.supplierId, utr);
  expect([squatted.said, paid.said]).toEqual([true, true]);
  // Twice by one supplier is one payment too few.
  expect((await sayPaid(honest.merchantId, rival.supplierId, utr)).said).toBe('utrUsed');
  await reportDebit(platform, honest, { amount: 1_00n, utr });
  await proveConfirmed(platform);
  expect(await read(paid.id)).toMatchObject({ unproven: false });
  expect(await read(squatted.id)).toMatchObject({ unproven: true });
  await proveConfirmed(platform);
  expect(await contradictions(squatted.id)).toEqual([{ utr }]);
});

test('a debit of the same number in another currency contradicts what a supplier says it paid', async () => {
  const { platform } = world;
  const shop = await makeBatchShop(platform);
  const utr = newReference();
  const { id } = await sayPaid(shop.merchantId, shop.supplierId, utr);
  await reportDebit(platform, shop, { amount: 1_00n, utr });
  await platform.db.query(sql`update messages set currency = 'KES' where utr = ${utr}`);
  await proveConfirmed(platform);
  expect(await read(id)).toMatchObject({ unproven: true });
  expect(await contradictions(id)).toEqual([{ utr }]);
});

test('money that comes back under the number of a payout’s debit is no repeat: people see it', async () => {
  const { platform } = world;
  const shop = await makeBatchShop(platform);
  const utr = newReference();
  const { id } = await sayPaid(shop.merchantId, shop.supplierId, utr);
  await reportDebit(platform, shop, { amount: 1_00n, utr });
  await proveConfirmed(platform);
  expect(await read(id)).toMatchObject({ unproven: false });
  const back = {
    messageId: `back-${utr}`,
    kind: 'sms' as const,
    sender: 'AX-ICICIB-S',
    text: `Dear Customer, Acct XX${shop.accountNumber.slice(-4)} is credited with Rs 1.00 on 16-Nov-26 from RAO. UPI:${utr}-ICICI Bank.`,
    receivedAt: platform.clock.now(),
    accountHint: undefined,
  };
  const monitor = { id: shop.monitorId, supplierId: shop.supplierId };
  expect(await receiveMessages(platform, monitor, [back])).toMatchObject([{ state: 'ambiguous' }]);
  const [told] = await platform.db.query<{ reason: string }>(
    sql`select reason from messages where external_id = ${back.messageId}`,
  );
  expect(told).toEqual({ reason: 'contradictsBooked' });
});

test('a UTR whose debit is of another sum is no proof, and people are told', async () => {
  const shop = await makeBatchShop(world.platform);
  const utr = newReference();
  const { id, said } = await sayPaid(shop.merchantId, shop.supplierId, utr);
  expect(said).toBe(true);
  await reportDebit(world.platform, shop, { amount: 5n, utr });
  await proveConfirmed(world.platform);
  expect(await contradictions(id)).toEqual([{ utr }]);
});
