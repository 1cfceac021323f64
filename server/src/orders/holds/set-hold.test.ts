import { setFrozen, setLegalHold } from '@sangam/contract/endpoints/merchant.ts';
import { enableResource } from '@sangam/contract/endpoints/party.ts';
import type { PayoutChannel } from '../../channels/payout-channel.ts';
import { claim } from '../../payout/claim.ts';
import { dispatchWaiting } from '../../testing/gateway.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut } from '../../testing/payouts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastAllocation } from '../../collection/allocation-runs.ts';
import { createOrders } from '../../collection/create.ts';
import { sql } from '../../platform/db/database.ts';
import { supplement } from '../../evidence/matching/supplement.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createOne, makeShop, newOrder, newReference } from '../../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

type Kind = 'merchant' | 'supplier' | 'account';
const as = (role: 'admin' | 'superAdmin') => viewerOf(node.platform, { role });
const subject = (subjectKind: Kind, id: bigint) => ({
  subjectKind,
  subjectId: String(id),
  reason: 'court letter 7',
});
const freeze = (kind: Kind, id: bigint, frozen: boolean) =>
  ask(node.platform, as('admin'), setFrozen, { ...subject(kind, id), frozen });
const hold = (kind: Kind, id: bigint, legalHold: boolean) =>
  ask(node.platform, as('superAdmin'), setLegalHold, { ...subject(kind, id), legalHold });

/** The answer to a new order, or why the shop's account was not chosen. */
async function outcome(merchantId: bigint, accountId: bigint): Promise<string | undefined> {
  const [order] = await createOrders(node.platform, [newOrder(merchantId)]);
  if (isRefusal(order)) return order.code;
  const last = await lastAllocation(node.platform.db, order!.id);
  return last?.candidates.find((each) => each.accountId === String(accountId))?.verdict;
}

test('a frozen merchant creates nothing; a frozen supplier’s accounts and a frozen account get nothing', async () => {
  const shop = await makeShop(node.platform);
  const now = () => outcome(shop.merchantId, shop.accountId);
  expect(await now()).toBe('chosen');
  await freeze('merchant', shop.merchantId, true);
  expect(await now()).toBe('productNotEnabled');
  await freeze('merchant', shop.merchantId, false);
  await freeze('supplier', shop.supplierId, true);
  expect(await now()).toBe('supplierFrozen');
  await freeze('supplier', shop.supplierId, false);
  await freeze('account', shop.accountId, true);
  expect(await now()).toBe('frozen');
  const open = { resourceId: String(shop.accountId), productId: 1010, enable: false };
  await ask(node.platform, as('admin'), enableResource, open);
  const refused = await askRefused(node.platform, as('admin'), enableResource, { ...open, enable: true });
  expect(refused).toMatchObject({ code: 'conflict', data: { reason: 'frozen' } });
  await freeze('account', shop.accountId, false);
  await ask(node.platform, as('admin'), enableResource, { ...open, enable: true });
  expect(await now()).toBe('chosen');
});

test('what is under way goes on: a frozen account’s waiting order stays where it is', async () => {
  const shop = await makeShop(node.platform);
  const order = await createOne(node.platform, shop.merchantId);
  await freeze('account', order.accountId!, true);
  const waiting = await node.platform.db.query(
    sql`select 1 from waiting_orders where order_id = ${order.id}`,
  );
  expect(waiting).toHaveLength(1);
  await freeze('account', order.accountId!, false);
});

test('payouts of a frozen merchant that wait stay where they are: no supplier takes them, no gateway gets them', async () => {
  const { platform } = node;
  const { merchantId, supplierId } = await makePayoutShop(platform);
  const { id } = await payOut(platform, merchantId);
  const { id: ofGateway } = await payOut(platform, merchantId, { productId: GATEWAY_PAYOUT });
  const sent: string[] = [];
  const gateway: PayoutChannel = {
    send: (_payout, key) => {
      sent.push(key);
      return Promise.resolve({ outcome: 'accepted', reference: key });
    },
    check: () => Promise.resolve({ state: 'processing' }),
  };
  const dispatch = () => dispatchWaiting(platform, new Map([[GATEWAY_PAYOUT, gateway]]));
  const supplier = viewerOf(platform, { role: 'supplier', supplierId });
  await freeze('merchant', merchantId, true);
  expect(await claim(platform, supplier, id)).toMatchObject({ code: 'notFound' });
  await dispatch();
  expect(sent).toEqual([]);
  await freeze('merchant', merchantId, false);
  expect(await claim(platform, supplier, id)).toMatchObject({ status: 1 });
  await dispatch();
  expect(sent).toEqual([String(ofGateway)]);
});

test('a legal hold freezes, no unfreezing lifts it, and lifted it leaves the freeze', async () => {
  const { platform } = node;
  const { merchantId } = await makeShop(platform);
  await hold('merchant', merchantId, true);
  const unfreeze = { ...subject('merchant', merchantId), frozen: false };
  expect(await askRefused(platform, as('superAdmin'), setFrozen, unfreeze)).toMatchObject({
    code: 'conflict',
    data: { reason: 'legalHold' },
  });
  const lift = { ...subject('merchant', merchantId), legalHold: false };
  expect((await askRefused(platform, as('admin'), setLegalHold, lift)).code).toBe('forbidden');
  await hold('merchant', merchantId, false);
  const [row] = await platform.db.query(sql`
    select frozen, legal_hold as "legalHold" from merchants where id = ${merchantId}`);
  expect(row).toEqual({ frozen: true, legalHold: false });
  const entries = await platform.db.query(sql`
    select action, before, after, reason from audit_log where subject = ${`merchant:${merchantId}`} order by id desc limit 2`);
  expect(entries).toEqual([
    {
      action: 'hold.liftLegal',
      before: { frozen: true, legalHold: true },
      after: { frozen: true, legalHold: false },
      reason: 'court letter 7',
    },
    {
      action: 'hold.setLegal',
      before: { frozen: false, legalHold: false },
      after: { frozen: true, legalHold: true },
      reason: 'court letter 7',
    },
  ]);
});

test.each(['merchant', 'supplier', 'account'] as const)('an unknown %s is not found', async (kind) => {
  const input = { ...subject(kind, 999_999n), frozen: true };
  expect((await askRefused(node.platform, as('admin'), setFrozen, input)).code).toBe('notFound');
});

test('a paid order of a frozen merchant is not reversed until the merchant is free', async () => {
  const { platform } = node;
  await platform.db.query(sql`update resources set state = 1`);
  const shop = await makeShop(platform);
  const { id: orderId } = await createOne(platform, shop.merchantId);
  await supplement(platform, as('superAdmin'), { orderId, utr: newReference(), offset: false });
  await freeze('merchant', shop.merchantId, true);
  expect(await reverseByTwo(platform, { orderId })).toMatchObject({ code: 'conflict' });
  await freeze('merchant', shop.merchantId, false);
  expect(await reverseByTwo(platform, { orderId })).toMatchObject({ status: 6 });
});

test.each(['supplier', 'account'] as const)(
  'a frozen %s’s own word credits no order until it is free; the desk’s does',
  async (kind) => {
    const { platform } = node;
    await platform.db.query(sql`update resources set state = 1`);
    const shop = await makeShop(platform);
    const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
    const said = async () => {
      const { id: orderId } = await createOne(platform, shop.merchantId);
      return { orderId, utr: newReference(), offset: false };
    };
    const [own, desks] = [await said(), await said()];
    const id = kind === 'supplier' ? shop.supplierId : shop.accountId;
    await freeze(kind, id, true);
    expect(await supplement(platform, supplier, own)).toMatchObject({ code: 'actionNotAllowed' });
    expect(await supplement(platform, as('superAdmin'), desks)).toMatchObject({ status: 6 });
    await freeze(kind, id, false);
    expect(await supplement(platform, supplier, own)).toMatchObject({ status: 6 });
  },
);
