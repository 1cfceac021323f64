import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { setFrozen } from '@sangam/contract/endpoints/merchant.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PayoutChannel } from '../channels/payout-channel.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { type BatchShop, batchRequest, iciciReport, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting, makeGatewayAccount, payerWithoutLimits } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { waitsForLock } from '../testing/waits-for-lock.ts';
import { viewerOf } from '../testing/world.ts';
import { createBatch } from './batch/create.ts';
import { cancelByMerchant } from './cancel.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { askAboutEnded, recordGatewayStatus } from './ask-gateways.ts';
import { notifyPaidElsewhere } from './contradicted.ts';
import { readPayout } from './read.ts';
import { takenBackByGateway } from './reverse.ts';

let world: TestPlatform;
let shop: BatchShop;
beforeAll(async () => {
  world = await createTestPlatform();
});
beforeEach(async () => {
  await world.platform.db.query(sql`update payout_orders set frozen = true where status = 0`);
  shop = await makeBatchShop(world.platform);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const statusOf = async (orderId: bigint) => (await readPayout(world.platform.db, orderId))!.status;
const freeze = (table: Sql, id: bigint, frozen = true) =>
  world.platform.db.query(sql`update ${table} set frozen = ${frozen} where id = ${id}`);
const as = (endpoint: Parameters<typeof ask>[2], input: object) =>
  ask(world.platform, shop.admin, endpoint, input as never) as Promise<never>;
const refusedAs = (endpoint: Parameters<typeof ask>[2], input: object) =>
  askRefused(world.platform, shop.admin, endpoint, input as never);
const ownSupplier = () => viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });

test.each(['merchants', 'suppliers'] as const)(
  'a payout claimed before its %s were frozen is not confirmed by the supplier until they are free',
  async (table) => {
    const order = await payOut(world.platform, shop.merchantId);
    expect(isRefusal(await claim(world.platform, ownSupplier(), order.id))).toBe(false);
    const [frozen, id] =
      table === 'merchants' ? [sql`merchants`, shop.merchantId] : [sql`suppliers`, shop.supplierId];
    await freeze(frozen, id);
    const paid = { orderId: order.id, utr: newReference() };
    expect(await confirmPaid(world.platform, ownSupplier(), paid)).toMatchObject({
      code: 'actionNotAllowed',
    });
    await freeze(frozen, id, false);
    expect(await confirmPaid(world.platform, ownSupplier(), paid)).toMatchObject({ status: 3 });
  },
);

test.each(['suppliers', 'accounts'] as const)(
  'nobody takes a payout back from its %s while they are frozen',
  async (table) => {
    const order = await payOut(world.platform, shop.merchantId);
    await claim(world.platform, ownSupplier(), order.id);
    const { accountId } = shop;
    await confirmPaid(world.platform, ownSupplier(), { orderId: order.id, utr: newReference(), accountId });
    const [of, id] = table === 'accounts' ? [sql`accounts`, accountId] : [sql`suppliers`, shop.supplierId];
    await freeze(of, id);
    expect(await reverseByTwo(world.platform, { orderId: order.id })).toMatchObject({
      code: 'conflict',
    });
    await freeze(of, id, false);
    expect(await reverseByTwo(world.platform, { orderId: order.id })).toMatchObject({ status: 6 });
  },
);

test('a claim that waits while its supplier is frozen takes no payout', async () => {
  const order = await payOut(world.platform, shop.merchantId);
  const { claiming } = await world.holding(async (tx) => {
    await tx.query(sql`update suppliers set frozen = true where id = ${shop.supplierId}`);
    const waiting = { claiming: claim(world.platform, ownSupplier(), order.id) };
    await waitsForLock(world.platform);
    return waiting;
  });
  expect(await claiming).toMatchObject({ code: 'notFound' });
  expect(await statusOf(order.id)).toBe(0);
});

test('a payout of a merchant frozen before the export is not in the file', async () => {
  const other = await makePayoutShop(world.platform);
  const kept = await payOut(world.platform, shop.merchantId);
  const held = await payOut(world.platform, other.merchantId);
  const { batchId } = await makeBatch(world.platform, shop);
  await freeze(sql`merchants`, other.merchantId);
  const { content } = (await as(batch.exportPayoutBatch, { batchId })) as { content: string };
  expect([content.includes(`B${batchId}R001`), content.includes(`B${batchId}R002`)]).toEqual([true, false]);
  expect([await statusOf(kept.id), await statusOf(held.id)]).toEqual([1, 0]);
});

test.each(['merchants', 'suppliers', 'accounts'] as const)(
  'a file is neither given out again nor marked sent while its %s are frozen',
  async (table) => {
    const [of, id] = {
      merchants: [sql`merchants`, shop.merchantId] as const,
      suppliers: [sql`suppliers`, shop.supplierId] as const,
      accounts: [sql`accounts`, shop.accountId] as const,
    }[table];
    await payOut(world.platform, shop.merchantId);
    const { batchId } = await makeBatch(world.platform, shop);
    if (table !== 'merchants') {
      await freeze(of, id);
      expect(await refusedAs(batch.exportPayoutBatch, { batchId })).toMatchObject({
        code: 'conflict',
        data: { reason: 'frozen' },
      });
      await freeze(of, id, false);
    }
    await as(batch.exportPayoutBatch, { batchId });
    await freeze(of, id);
    for (const endpoint of [batch.exportPayoutBatch, batch.markPayoutBatchSent])
      expect(await refusedAs(endpoint, { batchId })).toMatchObject({
        code: 'conflict',
        data: { reason: 'frozen' },
      });
    await freeze(of, id, false);
    await as(batch.markPayoutBatchSent, { batchId });
  },
);

test('the bank’s statement about a frozen merchant’s payout waits until the merchant is free', async () => {
  const order = await payOut(world.platform, shop.merchantId);
  const { batchId } = await makeBatch(world.platform, shop);
  await as(batch.exportPayoutBatch, { batchId });
  await as(batch.markPayoutBatchSent, { batchId });
  const row = { reference: `B${batchId}R001`, amount: '500.00', status: 'Paid', utr: newReference() };
  const content = Buffer.from(iciciReport([row])).toString('base64');
  await as(batch.uploadPayoutBatchResult, { batchId, file: { fileName: 'report.csv', content } });
  const confirm = async () =>
    ((await as(batch.confirmPayoutBatch, { batchId })) as { list: { code: number }[] }).list.map(
      ({ code }) => code,
    );
  await freeze(sql`merchants`, shop.merchantId);
  expect(await confirm()).toEqual([1201]);
  await freeze(sql`merchants`, shop.merchantId, false);
  expect(await confirm()).toEqual([200]);
  expect(await statusOf(order.id)).toBe(3);
});

function gateway(): { sent: string[]; channels: ReadonlyMap<number, PayoutChannel> } {
  const sent: string[] = [];
  const channel: PayoutChannel = {
    send(_payout, key) {
      sent.push(key);
      return Promise.resolve({ outcome: 'accepted', reference: `pout_${key}` });
    },
    check: () => Promise.resolve({ state: 'processing' }),
  };
  return { sent, channels: new Map([[GATEWAY_PAYOUT, channel]]) };
}

test('a gateway’s statement about a frozen merchant’s payout waits until the merchant is free', async () => {
  const { channels } = gateway();
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await dispatchWaiting(world.platform, channels);
  await freeze(sql`merchants`, shop.merchantId);
  const paid = { state: 'processed', utr: newReference() } as const;
  expect(await recordGatewayStatus(world.platform, { id, attempt: 1 }, paid)).toBe(false);
  await freeze(sql`merchants`, shop.merchantId, false);
  expect(await recordGatewayStatus(world.platform, { id, attempt: 1 }, paid)).toBe(true);
  expect(await statusOf(id)).toBe(3);
});

test('a frozen merchant’s own program takes back no payout that waits', async () => {
  const { id } = await payOut(world.platform, shop.merchantId);
  const merchant = { id: shop.merchantId, ip: '127.0.0.1' };
  await freeze(sql`merchants`, shop.merchantId);
  expect(await cancelByMerchant(world.platform, merchant, id)).toMatchObject({ code: 'actionNotAllowed' });
  await freeze(sql`merchants`, shop.merchantId, false);
  expect(await cancelByMerchant(world.platform, merchant, id)).toMatchObject({ status: 4 });
});

const hold = (subjectKind: 'merchant' | 'order', id: bigint, frozen: boolean) =>
  as(setFrozen, { subjectKind, subjectId: String(id), reason: 'court letter 9', frozen });

async function completedByGateway(): Promise<bigint> {
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await dispatchWaiting(world.platform, gateway().channels);
  const paid = { state: 'processed', utr: newReference() } as const;
  expect(await recordGatewayStatus(world.platform, { id, attempt: 1 }, paid)).toBe(true);
  return id;
}

test('what a gateway takes back while the merchant is frozen is reversed once the merchant is free, however late', async () => {
  const id = await completedByGateway();
  await hold('merchant', shop.merchantId, true);
  expect(await takenBackByGateway(world.platform, { id, attempt: 1 }, 'returned')).toBe('held');
  expect(await statusOf(id)).toBe(3);
  const { channels } = gateway();
  for (let day = 0; day < 9; day += 1) {
    world.clock.advance(DAY);
    await askAboutEnded(world.platform, channels);
  }
  expect(await statusOf(id)).toBe(3);
  await hold('merchant', shop.merchantId, false);
  world.clock.advance(6 * HOUR);
  await askAboutEnded(world.platform, channels);
  expect(await readPayout(world.platform.db, id)).toMatchObject({ status: 6, rejectReason: 'returned' });
});

test('a reversal that waited for its order waits for its merchant as well', async () => {
  const id = await completedByGateway();
  await hold('order', id, true);
  expect(await takenBackByGateway(world.platform, { id, attempt: 1 }, 'returned')).toBe('held');
  await hold('merchant', shop.merchantId, true);
  await hold('order', id, false);
  expect(await statusOf(id)).toBe(3);
  await hold('merchant', shop.merchantId, false);
  world.clock.advance(6 * HOUR);
  await askAboutEnded(world.platform, gateway().channels);
  expect(await statusOf(id)).toBe(6);
});

test('a reversal that waits is not done once the gateway has said that the payout is paid; it is when the gateway takes it back again', async () => {
  const id = await completedByGateway();
  const { utr } = (await readPayout(world.platform.db, id))!;
  await hold('order', id, true);
  expect(await takenBackByGateway(world.platform, { id, attempt: 1 }, 'returned')).toBe('held');
  const paid = { isPresent: true, utr };
  expect(await notifyPaidElsewhere(world.platform, { id, attempt: 1 }, paid)).toBe(true);
  await hold('order', id, false);
  world.clock.advance(6 * HOUR);
  await askAboutEnded(world.platform, gateway().channels);
  expect(await statusOf(id)).toBe(3);
  expect(await takenBackByGateway(world.platform, { id, attempt: 1 }, 'returned')).toBe('takenBack');
});

test.each(['suppliers', 'accounts'] as const)(
  'a gateway account is given no payout once its %s are frozen, whatever was known of it a moment before',
  async (table) => {
    const { sent, channels } = gateway();
    const accountId = await makeGatewayAccount(world.platform, shop.supplierId);
    const known = { payers: () => Promise.resolve([payerWithoutLimits(accountId)]) };
    const cached = new Map([[GATEWAY_PAYOUT, { ...channels.get(GATEWAY_PAYOUT)!, ...known }]]);
    const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
    const [of, owner] = table === 'accounts' ? [sql`accounts`, accountId] : [sql`suppliers`, shop.supplierId];
    await freeze(of, owner);
    await dispatchWaiting(world.platform, cached);
    expect(sent).toEqual([]);
    await freeze(of, owner, false);
    await dispatchWaiting(world.platform, cached);
    expect(sent).toEqual([String(id)]);
  },
);

test.each([
  ['product', sql`update products set enabled = false where id = ${GATEWAY_PAYOUT}`],
  [
    'terms',
    sql`update user_products set enabled = false where owner_kind = 'merchant' and product_id = ${GATEWAY_PAYOUT}`,
  ],
  ['KYC', sql`update kyc_records set verdict = 'rejected' where subject_kind = 'merchant'`],
] as const)('a gateway payout that waits is not sent once the %s is switched off', async (_, off) => {
  const { sent, channels } = gateway();
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await world.platform.settings.write('KYC', true, null);
  const before = await world.platform.db.query<{ enabled: boolean }>(
    sql`select enabled from products where id = ${GATEWAY_PAYOUT}`,
  );
  expect(before).toEqual([{ enabled: true }]);
  await world.platform.db.query(off);
  await dispatchWaiting(world.platform, channels);
  expect(sent).toEqual([]);
  await world.platform.db.query(sql`update products set enabled = true where id = ${GATEWAY_PAYOUT}`);
  await world.platform.db.query(sql`update user_products set enabled = true where owner_kind = 'merchant'`);
  await world.platform.db.query(
    sql`update kyc_records set verdict = 'approved' where subject_kind = 'merchant'`,
  );
  await world.platform.settings.write('KYC', false, null);
  await dispatchWaiting(world.platform, channels);
  expect(sent).toEqual([String(id)]);
});

test('a whitelisted account’s batch is filled with the payouts of its merchants alone', async () => {
  const other = await makePayoutShop(world.platform);
  await payOut(world.platform, other.merchantId);
  const own = await payOut(world.platform, shop.merchantId);
  await world.platform.db.query(
    sql`update accounts set merchant_whitelist = ${[shop.merchantId]}::bigint[] where id = ${shop.accountId}`,
  );
  const request = await batchRequest(world.platform, shop, { orderCount: 1 });
  expect(await createBatch(world.platform, shop.admin, request)).toMatchObject({ count: 1 });
  expect(await statusOf(own.id)).toBe(1);
});

test('a batch passes over what the account’s day has no room for', async () => {
  await payOut(world.platform, shop.merchantId, { amount: 900_00n });
  const small = await payOut(world.platform, shop.merchantId, { amount: 100_00n });
  await world.platform.db.query(
    sql`update accounts set daily_amount_limit = ${500_00n} where id = ${shop.accountId}`,
  );
  const request = await batchRequest(world.platform, shop, { orderCount: 1 });
  expect(await createBatch(world.platform, shop.admin, request)).toMatchObject({ count: 1, sum: 100_00 });
  expect(await statusOf(small.id)).toBe(1);
});
