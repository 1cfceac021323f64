import * as contract from '@sangam/contract/endpoints/terms.ts';
import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../platform/clock.ts';
import { createOrders } from '../../collection/create.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { claim } from '../../payout/claim.ts';
import { confirmPaid } from '../../payout/confirm-paid.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop, newOrder, newReference, type Shop } from '../../testing/payments.ts';
import { makePayoutShop, payOut } from '../../testing/payouts.ts';
import { createTestUser } from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { makeMerchant, makeSupplier, setTerms as seedTerms, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { applyDueTerms } from './set-terms.ts';

const PRODUCT = 1010;
let node: TestPlatform;
let shop: Shop;
let boss: Viewer;
let admin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const { id: userId } = await createTestUser(node.platform, 'superAdmin');
  boss = viewerOf(node.platform, { role: 'superAdmin', userId });
  admin = viewerOf(node.platform, {
    role: 'admin',
    userId: (await createTestUser(node.platform, 'admin')).id,
  });
});
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
});
afterAll(() => node.close());

const terms = (ownerKind: 'merchant' | 'supplier' | 'agent', ownerId: bigint, fields: object = {}) => ({
  ownerKind,
  ownerId: String(ownerId),
  productId: PRODUCT,
  enabled: true,
  ratePpm: 50_000,
  fixedFee: 0,
  minAmount: 100,
  maxAmount: 1_000_000_00,
  ...fields,
});
/** Asks for new terms and approves them as somebody else. */
async function set(input: object): Promise<{ id: string }> {
  const { result } = await ask(node.platform, admin, decide, {
    id: await todoOf(boss, input),
    approve: true,
  });
  return result as { id: string };
}
async function todoOf(viewer: Viewer, input: object): Promise<string> {
  const refusal = await askRefused(node.platform, viewer, contract.setUserProduct, { ...input });
  expect(refusal.code).toBe('approvalNeeded');
  return (refusal.data as { todoId: string }).todoId;
}
const setAtOnce = (input: object) => ask(node.platform, boss, contract.setUserProduct, { ...input });
const in_ = (ms: number) => formatTime(new Date(node.clock.now().getTime() + ms));
const pay = async (order: { readonly id: bigint; readonly payable: bigint | null }) => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, order.payable!)]);
  const [row] = await node.platform.db.query<{ fee: bigint; supplier: bigint; agents: bigint }>(sql`
    select fee, supplier_commission as supplier, agent_commission as agents from collection_orders where id = ${order.id}`);
  return row!;
};
const stateOf = async (ownerId: bigint) =>
  (
    await ask(node.platform, boss, contract.getUserProductList, {
      ownerId: String(ownerId),
      productId: PRODUCT,
    })
  ).list.map(({ ratePpm, state }) => [ratePpm, state]);

test('terms that nobody set have no start time', async () => {
  const ofMerchant = { ownerId: String(shop.merchantId), productId: PRODUCT };
  const { list } = await ask(node.platform, boss, contract.getUserProductList, ofMerchant);
  expect(list).toMatchObject([{ state: 'inForce', effectiveTime: null, createTime: null }]);
});

test('new rates of merchant, supplier and agent do not change existing orders', async () => {
  const agent = await makeSupplier(node.platform, { deposit: 0n });
  await node.platform.db.query(
    sql`update suppliers set agent_id = ${agent.supplierId} where id = ${shop.supplierId}`,
  );
  await seedTerms(node.platform, { ownerKind: 'agent', ownerId: agent.supplierId, productId: PRODUCT });
  const before = await createOne(node.platform, shop.merchantId, { amount: 1_000_00n });
  node.clock.advance(MINUTE);
  await set(terms('merchant', shop.merchantId, { ratePpm: 60_000 }));
  await set(terms('supplier', shop.supplierId, { ratePpm: 20_000 }));
  await set(terms('agent', agent.supplierId, { ratePpm: 5_000 }));
  node.clock.advance(MINUTE);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const after = await createOne(node.platform, shop.merchantId, { amount: 2_000_00n });
  expect(await pay(before)).toEqual({ fee: 30_00n, supplier: 10_00n, agents: 2_00n });
  expect(await pay(after)).toEqual({ fee: 120_00n, supplier: 40_00n, agents: 10_00n });
});

test('an agent’s first terms earn it nothing on an order made before them', async () => {
  const { supplierId: agentId } = await makeSupplier(node.platform, { products: [], deposit: 0n });
  await node.platform.db.query(sql`update suppliers set agent_id = ${agentId} where id = ${shop.supplierId}`);
  const before = await createOne(node.platform, shop.merchantId, { amount: 1_000_00n });
  node.clock.advance(MINUTE);
  // One person alone could otherwise give anybody a share of a team's turnover.
  const asked = await todoOf(boss, terms('agent', agentId, { ratePpm: 5_000 }));
  expect(await pay(await createOne(node.platform, shop.merchantId, { amount: 3_000_00n }))).toMatchObject({
    agents: 0n,
  });
  await ask(node.platform, admin, decide, { id: asked, approve: true });
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const after = await createOne(node.platform, shop.merchantId, { amount: 2_000_00n });
  expect(await pay(before)).toMatchObject({ agents: 0n });
  expect(await pay(after)).toMatchObject({ agents: 10_00n });
});

test('a supplier that takes a payout older than its first terms earns by its first terms, not by later ones', async () => {
  const productId = 2001;
  const out = await makePayoutShop(node.platform);
  const { supplierId } = await makeSupplier(node.platform, { products: [], deposit: 0n });
  const supplier = viewerOf(node.platform, { role: 'supplier', supplierId });
  const { id: orderId } = await payOut(node.platform, out.merchantId, { amount: 1_000_00n });
  node.clock.advance(MINUTE);
  await set({ ...terms('supplier', supplierId, { ratePpm: 10_000 }), productId });
  await claim(node.platform, supplier, orderId);
  node.clock.advance(MINUTE);
  await set({ ...terms('supplier', supplierId, { ratePpm: 20_000 }), productId });
  expect(await confirmPaid(node.platform, supplier, { orderId, utr: newReference() })).toMatchObject({
    status: 3,
    supplierCommission: 10_00n,
  });
});

test('a payout keeps the fee of its creation, whatever the merchant’s terms are when it is paid', async () => {
  const productId = 2001;
  const out = await makePayoutShop(node.platform);
  const supplier = viewerOf(node.platform, { role: 'supplier', supplierId: out.supplierId });
  const { id: orderId, fee } = await payOut(node.platform, out.merchantId, { amount: 1_000_00n });
  node.clock.advance(MINUTE);
  await set({ ...terms('merchant', out.merchantId, { ratePpm: 90_000 }), productId });
  await claim(node.platform, supplier, orderId);
  const paid = await confirmPaid(node.platform, supplier, { orderId, utr: newReference() });
  expect(paid).toMatchObject({ status: 3, fee });
  expect(fee).toBe(30_00n);
});

test('scheduled terms come into force at their time, whichever node applies them', async () => {
  await set(terms('merchant', shop.merchantId, { ratePpm: 70_000, effectiveTime: in_(HOUR) }));
  await set(terms('merchant', shop.merchantId, { ratePpm: 80_000, effectiveTime: in_(2 * HOUR) }));
  expect(await stateOf(shop.merchantId)).toEqual([
    [80_000, 'scheduled'],
    [70_000, 'scheduled'],
    [30_000, 'inForce'],
  ]);
  expect(await applyDueTerms(node.platform)).toBe(0);
  const rate = async () => {
    await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
    return (await createOne(node.platform, shop.merchantId)).merchantRatePpm;
  };
  expect(await rate()).toBe(30_000);
  node.clock.advance(HOUR);
  await applyDueTerms(node.platform);
  expect(await rate()).toBe(70_000);
  node.clock.advance(HOUR);
  await Promise.all([applyDueTerms(node.platform), applyDueTerms(node.anotherNode())]);
  expect(await rate()).toBe(80_000);
  expect(await stateOf(shop.merchantId)).toEqual([
    [80_000, 'inForce'],
    [70_000, 'past'],
    [30_000, 'past'],
  ]);
});

test('one person switches an agent off, but gives it its share back only with a second person', async () => {
  const { supplierId } = await makeSupplier(node.platform, { products: [] });
  const share = terms('agent', supplierId, { ratePpm: 5_000 });
  await set(share);
  await setAtOnce({ ...share, enabled: false });
  await set(share);
});

test('creation is refused when the product is off or the amount outside its limits; new terms are audited', async () => {
  const create = async (amount = 500_00n) =>
    (await createOrders(node.platform, [newOrder(shop.merchantId, { amount })]))[0];
  await set(terms('merchant', shop.merchantId, { minAmount: 600_00, fixedFee: 5 }));
  expect(await create()).toMatchObject({ code: 'amountOutsideLimits' });
  await set(terms('merchant', shop.merchantId, { enabled: false }));
  expect(await create(700_00n)).toMatchObject({ code: 'productNotEnabled' });
  const [entry] = await node.platform.db.query(sql`
    select user_id as "userId", before, after from audit_log
    where subject = ${`terms:merchant/${shop.merchantId}/${PRODUCT}`} order by id desc limit 1`);
  expect(entry).toMatchObject({
    userId: admin.userId,
    before: { minAmount: 600_00, fixedFee: 5, enabled: true },
    after: { enabled: false, startedBy: String(boss.userId), effectiveTime: formatTime(node.clock.now()) },
  });
});

test.each(['merchant', 'supplier'] as const)(
  'the first terms of a %s for a product wait for a second person whoever sets them, and make it ready for the product',
  async (kind) => {
    const ownerId = kind === 'merchant' ? shop.merchantId : shop.supplierId;
    const first = { ...terms(kind, ownerId), productId: 1021 };
    const rates = () =>
      node.platform.db.query(sql`
        select rate_ppm as rate from user_products where owner_kind = ${kind} and owner_id = ${ownerId} and product_id = 1021`);
    // One person alone could otherwise give its own supplier a commission, or a merchant a fee of zero.
    const id = await todoOf(boss, first);
    expect(await rates()).toEqual([]);
    expect((await askRefused(node.platform, boss, decide, { id, approve: true })).code).toBe('forbidden');
    await ask(node.platform, admin, decide, { id, approve: true });
    expect(await rates()).toEqual([{ rate: 50_000 }]);
    // From then on a superAdmin alone sets limits.
    await setAtOnce({ ...first, minAmount: 200 });
  },
);

test('unknown owners and products, the past, and limits that cross are refused', async () => {
  const refused = async (input: object) =>
    (await askRefused(node.platform, boss, contract.setUserProduct, { ...input })).code;
  expect(await refused(terms('merchant', 999_999n))).toBe('notFound');
  expect(await refused(terms('merchant', shop.merchantId, { productId: 77 }))).toBe('notFound');
  expect(await refused(terms('merchant', shop.merchantId, { effectiveTime: in_(-HOUR) }))).toBe(
    'invalidInput',
  );
  const wrong = [
    { minAmount: 5, maxAmount: 4 },
    { ratePpm: 1_000_001 },
    { ratePpm: -1 },
    { fixedFee: -1 },
    { minAmount: 0 },
  ];
  for (const fields of wrong)
    expect(contract.setUserProduct.input.safeParse(terms('merchant', 1n, fields)).success).toBe(false);
});

test('a superAdmin changes limits at once, but a rate only with a second person', async () => {
  const same = terms('merchant', shop.merchantId, { ratePpm: 30_000 });
  await setAtOnce({ ...same, minAmount: 200 });
  const id = await todoOf(boss, { ...same, ratePpm: 31_000 });
  expect(await stateOf(shop.merchantId)).toMatchObject([
    [30_000, 'inForce'],
    [30_000, 'past'],
  ]);
  expect((await askRefused(node.platform, boss, decide, { id, approve: true })).code).toBe('forbidden');
  await ask(node.platform, admin, decide, { id, approve: true });
  expect((await stateOf(shop.merchantId))[0]).toEqual([31_000, 'inForce']);
  const [row] = await node.platform.db.query(sql`
    select set_by as "setBy" from user_product_terms where owner_id = ${shop.merchantId} order by id desc limit 1`);
  expect(row).toEqual({ setBy: boss.userId });
});

test('whatever an admin sets waits for a second person, and cannot be approved after the terms have changed', async () => {
  const limits = terms('merchant', shop.merchantId, { ratePpm: 30_000, minAmount: 300 });
  const first = await todoOf(admin, limits);
  const second = await todoOf(admin, { ...limits, ratePpm: 20_000 });
  await ask(node.platform, boss, decide, { id: second, approve: true });
  expect((await askRefused(node.platform, boss, decide, { id: first, approve: true })).code).toBe('conflict');
  expect((await stateOf(shop.merchantId))[0]).toEqual([20_000, 'inForce']);
});

test('a rate is not approved over a product that was switched off since', async () => {
  const limits = terms('merchant', shop.merchantId, { ratePpm: 30_000 });
  const id = await todoOf(admin, { ...limits, ratePpm: 20_000 });
  await setAtOnce({ ...limits, enabled: false });
  expect((await askRefused(node.platform, boss, decide, { id, approve: true })).code).toBe('conflict');
  expect((await stateOf(shop.merchantId))[0]).toEqual([30_000, 'inForce']);
});

test('a rate is not approved over terms that were scheduled since', async () => {
  const now = terms('merchant', shop.merchantId, { ratePpm: 30_000 });
  const id = await todoOf(admin, { ...now, ratePpm: 20_000, effectiveTime: in_(2 * HOUR) });
  await setAtOnce({ ...now, enabled: false, effectiveTime: in_(HOUR) });
  expect((await askRefused(node.platform, boss, decide, { id, approve: true })).code).toBe('conflict');
});

test('a product that was switched off stays off when terms set before come into force; what is set since may switch it on', async () => {
  const limits = terms('merchant', shop.merchantId, { ratePpm: 30_000 });
  await set({ ...limits, ratePpm: 20_000, effectiveTime: in_(HOUR) });
  await setAtOnce({ ...limits, enabled: false });
  await set({ ...limits, ratePpm: 20_000, effectiveTime: in_(2 * HOUR) });
  const inForce = async () => {
    await applyDueTerms(node.platform);
    const [row] = await node.platform.db.query(sql`
      select enabled, rate_ppm as rate from user_products where owner_kind = 'merchant' and owner_id = ${shop.merchantId}`);
    return row;
  };
  node.clock.advance(HOUR);
  expect(await inForce()).toEqual({ enabled: false, rate: 20_000 });
  node.clock.advance(HOUR);
  expect(await inForce()).toEqual({ enabled: true, rate: 20_000 });
});

test('the request of a rate shows the terms that are scheduled after it', async () => {
  const now = terms('merchant', shop.merchantId, { ratePpm: 30_000 });
  const later = in_(2 * HOUR);
  await setAtOnce({ ...now, effectiveTime: later });
  const id = await todoOf(admin, { ...now, ratePpm: 40_000 });
  const todo = (await ask(node.platform, boss, getMine, { kind: 'rateChange' })).list.find(
    (each) => each.id === id,
  );
  // Who decides sees what comes afterwards.
  expect(todo!.payload).toMatchObject({ scheduled: [{ ratePpm: 30_000, effectiveTime: later }] });
});

test('the request of a rate shows its amounts in the currency of the product', async () => {
  const limits = { fixedFee: 5_00, dailyAmountLimit: 1_00_000_00 };
  const id = await todoOf(boss, terms('merchant', shop.merchantId, limits));
  const { list } = await ask(node.platform, admin, getMine, { kind: 'rateChange' });
  const todo = list.find((each) => each.id === id);
  expect(todo).toMatchObject({
    amount: null,
    currency: 'INR',
    payload: { ...limits, ratePpm: 50_000, allBefore: { ratePpm: 30_000, fixedFee: 0 } },
  });
});

test('a rate that is approved after its time is in force from the approval on', async () => {
  const id = await todoOf(boss, terms('merchant', shop.merchantId, { effectiveTime: in_(HOUR) }));
  node.clock.advance(2 * HOUR);
  const { result } = await ask(node.platform, admin, decide, { id, approve: true });
  expect(result).toMatchObject({ effectiveTime: formatTime(node.clock.now()) });
  expect((await stateOf(shop.merchantId))[0]).toEqual([50_000, 'inForce']);
});

test.each(['customerService', 'merchant'] as const)('%s sets no terms', async (role) => {
  const viewer = viewerOf(node.platform, { role, merchantId: shop.merchantId });
  const input = terms('merchant', shop.merchantId);
  expect((await askRefused(node.platform, viewer, contract.setUserProduct, input)).code).toBe('forbidden');
  expect((await askRefused(node.platform, viewer, contract.cancelUserProduct, { id: '1' })).code).toBe(
    'forbidden',
  );
});

test.each(['supplier', 'agent'] as const)('a commission of a tenth is the most for a %s', async (kind) => {
  const { supplierId } = await makeSupplier(node.platform, { products: [] });
  const above = { ...terms(kind, supplierId), ratePpm: 100_001 };
  expect(contract.setUserProduct.input.safeParse(above).error?.issues).toMatchObject([{ path: ['ratePpm'] }]);
  await set({ ...above, ratePpm: 100_000 });
});

test('while first terms wait for their time, one person can neither set other terms nor bring them forward', async () => {
  const { merchantId } = await makeMerchant(node.platform, { products: [] });
  await set(terms('merchant', merchantId, { ratePpm: 1_000, effectiveTime: in_(HOUR) }));
  // Terms that begin earlier would be one person's rate that changes within the hour.
  await todoOf(boss, terms('merchant', merchantId, { ratePpm: 30_000 }));
  await todoOf(boss, terms('merchant', merchantId, { ratePpm: 1_000 }));
  node.clock.advance(2 * HOUR);
  await applyDueTerms(node.platform);
  expect(await inForce(merchantId)).toBe(1_000);
});

test('after two people agreed to a new rate, one person cannot bring the old rate back', async () => {
  const { merchantId } = shop;
  await set(terms('merchant', merchantId, { ratePpm: 70_000, effectiveTime: in_(HOUR) }));
  const old = terms('merchant', merchantId, { ratePpm: 30_000, effectiveTime: in_(2 * HOUR) });
  await todoOf(boss, old);
  node.clock.advance(3 * HOUR);
  await applyDueTerms(node.platform);
  expect(await inForce(merchantId)).toBe(70_000);
});

async function inForce(ownerId: bigint): Promise<number> {
  const [row] = await node.platform.db.query<{ ratePpm: number }>(sql`
    select rate_ppm as "ratePpm" from user_products
    where owner_kind = 'merchant' and owner_id = ${ownerId} and product_id = ${PRODUCT}`);
  return row!.ratePpm;
}
