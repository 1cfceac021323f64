import { getPayoutDetail } from '@sangam/contract/endpoints/payout.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import { getDetail } from '@sangam/contract/endpoints/order.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { reselect } from '../collection/reselect.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { batchRequest, makeBatch, makeBatchShop, type BatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit } from '../testing/debits.ts';
import { createOne, makeShop, newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeAccount, makeMonitor, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { createBatch } from './batch/create.ts';
import { cancelBatch, exportBatch } from './batch/send.ts';
import { claim } from './claim.ts';
import { cancelClaim } from './cancel-claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { readPayout } from './read.ts';
import { reject } from './reject.ts';

/** A decision is executed on the order as the row showed it, or not at all. */

/** The default of suppliers.open_claims_max. */
const OPEN_CLAIMS_MAX = 20;

let world: TestPlatform;
let shop: BatchShop;
let desk: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform, 10n ** 10n);
  desk = viewerOf(world.platform, { role: 'admin', userId: shop.adminId });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const supplierOf = (supplierId: bigint) => viewerOf(world.platform, { role: 'supplier', supplierId });
const shown = async (id: bigint) =>
  (await ask(world.platform, desk, getPayoutDetail, { orderCode: String(id) })).order.version;
const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;

test('the desk confirms the claim it saw, not the one that followed it', async () => {
  const { platform } = world;
  const { id: orderId } = await payOut(platform, shop.merchantId);
  await claim(platform, supplierOf(shop.supplierId), orderId);
  const version = await shown(orderId);
  await cancelClaim(platform, supplierOf(shop.supplierId), orderId);
  await claim(platform, supplierOf(shop.otherSupplierId), orderId);
  const stale = { orderId, version, utr: newReference() };
  expect(await confirmPaid(platform, desk, stale)).toMatchObject({
    code: 'conflict',
    data: { reason: 'orderChanged' },
  });
  expect(await reject(platform, desk, { orderId, version, reason: 'no' })).toMatchObject({
    code: 'conflict',
  });
  expect(await read(orderId)).toMatchObject({ status: 1, supplierId: shop.otherSupplierId });
  const fresh = { ...stale, version: await shown(orderId) };
  expect(await confirmPaid(platform, desk, fresh)).toMatchObject({ status: 3 });
});

test('a payout claimed again by the same supplier is another claim', async () => {
  const { platform } = world;
  const { id: orderId } = await payOut(platform, shop.merchantId);
  const supplier = supplierOf(shop.supplierId);
  await claim(platform, supplier, orderId);
  const version = await shown(orderId);
  await cancelClaim(platform, supplier, orderId);
  world.clock.advance(1);
  await claim(platform, supplier, orderId);
  expect(await confirmPaid(platform, desk, { orderId, version, utr: newReference() })).toMatchObject({
    code: 'conflict',
  });
  await cancelClaim(platform, supplier, orderId);
});

test('a UTR of another supplier’s corroborated debit does not confirm this supplier’s payout', async () => {
  const { platform } = world;
  const other = await makeSupplier(platform, { products: [2001], deposit: 0n });
  const { monitorId } = await makeMonitor(platform, { supplierId: other.supplierId });
  const made = await makeAccount(platform, {
    supplierId: other.supplierId,
    monitorId,
    direction: 'out',
    bank: 'ICIC',
    senderHeader: 'ICICIB',
    products: [2001],
  });
  const paying = { ...made, monitorId, supplierId: other.supplierId };
  let balance = 1_000_000_00n;
  for (let n = 0; n < 6; n += 1)
    await reportDebit(platform, paying, { amount: 1_00n, balance: (balance -= 1_00n) });
  const utr = newReference();
  await reportDebit(platform, paying, { amount: 500_00n, utr, balance: (balance -= 500_00n) });
  const { id: orderId } = await payOut(platform, shop.merchantId);
  await claim(platform, supplierOf(shop.supplierId), orderId);
  expect(await confirmPaid(platform, desk, { orderId, utr })).toMatchObject({ code: 'utrUsed' });
  expect(await confirmPaid(platform, supplierOf(shop.supplierId), { orderId, utr })).toMatchObject({
    code: 'utrUsed',
  });
  // Without its chain's corroboration anybody could have written the debit: it stops nobody from using the UTR.
  const forged = newReference();
  await reportDebit(platform, paying, { amount: 500_00n, utr: forged, balance: 7_00n });
  expect(await confirmPaid(platform, desk, { orderId, utr: forged })).toMatchObject({ status: 3 });
});

test('a supplier claims no more at once than it may', async () => {
  const { platform } = world;
  const { supplierId } = await makeSupplier(platform, { products: [2001], deposit: 0n });
  const supplier = supplierOf(supplierId);
  const made = await Promise.all(
    Array.from({ length: OPEN_CLAIMS_MAX + 3 }, () => payOut(platform, shop.merchantId)),
  );
  const results = await Promise.all(
    made.map(({ id }, n) => claim(n % 2 ? platform : world.anotherNode(), supplier, id)),
  );
  expect(results.filter((result) => !isRefusal(result))).toHaveLength(OPEN_CLAIMS_MAX);
  const refused = results.findIndex((result) => isRefusal(result));
  expect(results[refused]).toMatchObject({ data: { reason: 'openClaims' } });
  const held = results.findIndex((result) => !isRefusal(result));
  await cancelClaim(platform, supplier, made[held]!.id);
  expect(await claim(platform, supplier, made[refused]!.id)).toMatchObject({ status: 1 });
});

test('a supplement that a second person approves is for the account it was asked about', async () => {
  const { platform } = world;
  const first = await makeShop(platform);
  const { supplierId } = await makeSupplier(platform);
  const { monitorId } = await makeMonitor(platform, { supplierId });
  const order = await createOne(platform, first.merchantId, { amount: 300_000_00n });
  await makeAccount(platform, { supplierId, monitorId, maxWaiting: 10 });
  const service = viewerOf(platform, {
    role: 'customerService',
    userId: (await makeUser(platform, { role: 'customerService' })).id,
  });
  const version = (await ask(platform, desk, getDetail, { orderCode: String(order.id) })).order.version;
  const asked = await supplement(platform, service, {
    orderId: order.id,
    utr: newReference(),
    offset: false,
  });
  const { todoId } = (asked as { data: { todoId: string } }).data;
  expect(await reselect(platform, desk, order.id)).toMatchObject({ status: 1, supplierId });
  expect(
    await supplement(platform, desk, { orderId: order.id, version, utr: newReference(), offset: false }),
  ).toMatchObject({
    code: 'conflict',
  });
  expect(
    await decide(platform, APPROVAL_HANDLERS, desk, { id: BigInt(todoId), approve: true }),
  ).toMatchObject({
    code: 'conflict',
  });
});

test('a batch is not to be paid on a day that has passed', async () => {
  const request = await batchRequest(world.platform, shop, { payTime: '2019-01-02 10:00:00' });
  expect(await createBatch(world.platform, shop.admin, request)).toMatchObject({
    data: { reason: 'payDayPassed' },
  });
});

test('a batch is not to be paid earlier today, nor yesterday just after midnight', async () => {
  const { platform, clock } = world;
  const ago = (ms: number) => formatTime(new Date(clock.now().getTime() - ms));
  const reasonOf = async (payTime: string) => {
    const made = await createBatch(platform, shop.admin, await batchRequest(platform, shop, { payTime }));
    return isRefusal(made) ? (made.data as { reason: string }).reason : 'made';
  };
  const midnight = parseTime(`${businessDay(new Date(clock.now().getTime() + 24 * HOUR))} 00:00:00`)!;
  clock.advance(midnight.getTime() + HOUR - clock.now().getTime());
  expect(await reasonOf(ago(2 * MINUTE))).toBe('past');
  expect(await reasonOf(ago(2 * HOUR))).toBe('payDayPassed');
});

test('a file is not made after the day it is to be paid on', async () => {
  const { platform } = world;
  await payOut(platform, shop.merchantId);
  const { batchId } = await makeBatch(platform, shop);
  world.clock.advance(24 * HOUR);
  expect(await exportBatch(platform, shop.admin, batchId)).toMatchObject({
    code: 'conflict',
    data: { reason: 'payDayPassed' },
  });
  expect(await cancelBatch(platform, shop.admin, { batchId, reason: 'too late' })).toMatchObject({
    status: 'cancelled',
  });
});
