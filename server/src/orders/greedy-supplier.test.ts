import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelByMerchant } from '../collection/cancel.ts';
import { createOrders } from '../collection/create.ts';
import { expireDue } from '../collection/expire.ts';
import { freeResource } from '../collection/free-resource.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { releaseHeld, releaseOverdue } from '../evidence/matching/release-held.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { post } from '../ledger/post.ts';
import { acceptProof } from '../payout/accept-proof.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ReportedMessage } from '../evidence/matching/message.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { creditSms, makeShop, newOrder, newReference, type Shop, statedSms } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { shopCalls } from '../testing/shop-calls.ts';
import { makeSupplier, makeUser, setTerms, viewerOf } from '../testing/world.ts';

/** A supplier alone, or with a merchant of its own, turns nothing into money that only it says. */

const DEPOSIT = 2_500_00n;

let world: TestPlatform;
let shop: Shop;
let supplier: Viewer;
let admin: Viewer;
let calls: ReturnType<typeof shopCalls>;
beforeAll(async () => {
  world = await createTestPlatform();
  calls = shopCalls(world, () => shop);
  const { id: userId } = await makeUser(world.platform, { role: 'admin' });
  admin = viewerOf(world.platform, { role: 'admin', userId });
});
beforeEach(async () => {
  const { platform } = world;
  await platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(platform, DEPOSIT);
  await setTerms(platform, { ownerKind: 'supplier', ownerId: shop.supplierId, productId: 2001 });
  const { id: userId } = await makeUser(platform, { role: 'supplier' });
  supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId, userId });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

/** The supplier says that it has paid a payout. No bank says so. */
async function sayPaid(amount: bigint): Promise<bigint> {
  const { platform } = world;
  const { merchantId } = await makePayoutShop(platform);
  const { id } = await payOut(platform, merchantId, { amount });
  expect(isRefusal(await claim(platform, supplier, id))).toBe(false);
  const said = await confirmPaid(platform, supplier, { orderId: id, utr: newReference() });
  expect(said).toMatchObject({ status: 3, unproven: true });
  return id;
}
/** The account that a new order gets; null where it gets none. */
async function allocated(amount: bigint): Promise<bigint | null> {
  const [order] = await createOrders(world.platform, [newOrder(shop.merchantId, { amount })]);
  if (!order || isRefusal(order)) throw new Error('refused');
  return order.accountId;
}
async function ended(amount: bigint): Promise<CollectionOrder> {
  const order = await calls.order(amount);
  expect(order.accountId).toBe(shop.accountId);
  world.clock.advance(HOUR);
  while ((await expireDue(world.platform)) > 0);
  await world.platform.db.query(sql`update monitors set last_seen_at = ${world.clock.now()}`);
  return order;
}
async function say({ id: orderId }: CollectionOrder, utr = newReference()): Promise<number | string> {
  const answer = await supplement(world.platform, supplier, { orderId, utr, offset: false });
  return isRefusal(answer) ? answer.code : answer.status;
}
const deposit = () => balancesIn(world.platform, 'supplier', shop.supplierId);

test('what a supplier only says it has paid carries no payments until it is proven', async () => {
  const id = await sayPaid(5_000_00n);
  expect(await deposit()).toMatchObject({ deposit: DEPOSIT + 5_000_00n });
  expect(await allocated(4_000_00n)).toBeNull();
  expect(isRefusal(await acceptProof(world.platform, admin, { orderId: id, reason: 'seen' }))).toBe(false);
  expect(await allocated(4_000_00n)).toBe(shop.accountId);
});

test('nor does it carry orders that the supplier itself says were paid', async () => {
  const [first, second] = [await ended(2_000_00n), await ended(2_000_00n)];
  await sayPaid(5_000_00n);
  expect(await say(first)).toBe(6);
  expect(await say(second)).toBe('approvalNeeded');
});

test('a debt beside a deposit carries neither payments nor what the supplier itself says was paid', async () => {
  const { platform } = world;
  const earlier = await ended(500_00n);
  const commission = { ownerKind: 'supplier', ownerId: shop.supplierId, bucket: 'commission' } as const;
  const legs = [
    { ...commission, amount: -2_400_00n, spillsToDebt: true },
    { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount: 2_400_00n } as const,
  ];
  await platform.db.tx((tx) =>
    post(platform, tx, [
      { key: `owed/${shop.supplierId}`, kind: 'test', orderId: null, currency: 'INR', legs },
    ]),
  );
  expect(await deposit()).toMatchObject({ deposit: DEPOSIT, debt: -2_400_00n });
  expect(await allocated(500_00n)).toBeNull();
  expect(await say(earlier)).toBe('approvalNeeded');
});

test('nor does a debt that an agent repaid by what a supplier below it only says it has paid', async () => {
  const { platform } = world;
  const earlier = await ended(2_000_00n);
  const { merchantId } = await makePayoutShop(platform);
  const { supplierId } = await makeSupplier(platform, {
    products: [2001],
    deposit: 0n,
    agentId: shop.supplierId,
  });
  const owed = {
    ownerKind: 'supplier',
    ownerId: shop.supplierId,
    bucket: 'debt',
    amount: -1_000_00n,
  } as const;
  const legs = [owed, { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount: 1_000_00n } as const];
  await platform.db.tx((tx) =>
    post(platform, tx, [
      { key: `owed/${shop.supplierId}`, kind: 'test', orderId: null, currency: 'INR', legs },
    ]),
  );
  const below = viewerOf(platform, { role: 'supplier', supplierId });
  const { id: orderId } = await payOut(platform, merchantId, { amount: 900_000_00n });
  await claim(platform, below, orderId);
  expect(await confirmPaid(platform, below, { orderId, utr: newReference() })).toMatchObject({
    unproven: true,
  });
  expect(await deposit()).toMatchObject({ deposit: DEPOSIT, debt: 0n });
  expect(await say(earlier)).toBe('approvalNeeded');
});

test('what payers may still pay is left when a supplier says that another order was paid', async () => {
  const earlier = await ended(2_000_00n);
  const waits = await calls.order(2_000_00n);
  expect(waits.accountId).toBe(shop.accountId);
  expect(await say(earlier)).toBe('approvalNeeded');
  expect(await say(waits)).toBe(6);
});

test.each([
  ['of another sum', 1_200_00n],
  ['of the same sum, paid while the other order could be paid', 500_00n],
])('a supplier joins another payer’s credit %s only with a second person', async (_, sum) => {
  const theirs = await calls.order(sum);
  await freeResource(world.platform, admin, { orderId: theirs.id, offset: false });
  const utr = newReference();
  expect(await calls.report(creditSms(world.platform, shop, theirs.payable!, { reference: utr }))).toEqual([
    'unmatched',
  ]);
  const own = await calls.order(500_00n);
  expect(await say(own, utr)).toBe('approvalNeeded');
  expect(await say(theirs, utr)).toBe(6);
});

test('a supplier uses a reference that another order’s payer gave only with a second person', async () => {
  const [theirs, own] = [await calls.order(900_00n), await calls.order(500_00n)];
  const utr = newReference();
  await calls.type(theirs, utr);
  expect(await say(own, utr)).toBe('approvalNeeded');
});

test.each([
  ['waits', false],
  ['has ended', true],
])(
  'the message of a payment that another order asked exactly, and %s, is not that of an order which a supplier said was paid',
  async (_, hasEnded) => {
    const own = await ended(500_00n);
    world.clock.advance(4 * MINUTE);
    const theirs = await calls.order(500_00n);
    expect(theirs.payable).toBe(own.payable);
    const utr = newReference();
    const told = creditSms(world.platform, shop, theirs.payable!, { reference: utr });
    if (hasEnded) {
      world.clock.advance(HOUR);
      while ((await expireDue(world.platform)) > 0);
    }
    expect(await say(own, utr)).toBe(6);
    expect(await calls.report(told)).toEqual(['ambiguous']);
    expect(await calls.stored(told)).toMatchObject({ reason: 'contradictsBooked' });
  },
);

test.each(['frees', 'cancels'])(
  'an order that its supplier frees or its merchant cancels (%s) can still be paid, and counts against the deposit until its grace ends',
  async (how) => {
    const order = await calls.order(2_000_00n);
    if (how === 'frees') await freeResource(world.platform, supplier, { orderId: order.id, offset: false });
    else await cancelByMerchant(world.platform, { id: shop.merchantId, ip: '10.0.0.1' }, order.id);
    expect(await allocated(2_000_00n)).toBeNull();
    world.clock.advance(MINUTE);
    expect(await calls.report(creditSms(world.platform, shop, order.payable!))).toEqual(['matched']);
  },
);

test('payments of orders that wait no more are joined beyond the deposit only with a second person', async () => {
  const orders = [];
  for (const sum of [2_000_00n, 2_100_00n, 2_200_00n]) {
    const order = await calls.order(sum);
    expect(order.accountId).toBe(shop.accountId);
    orders.push(order);
    await freeResource(world.platform, admin, { orderId: order.id, offset: false });
    world.clock.advance(10 * MINUTE);
  }
  let balance = 100_00n;
  const bankSays = (amount: bigint, reference?: string) => {
    balance += amount;
    const movement = { amount, balance, ...(reference === undefined ? {} : { reference }) };
    return calls.report(statedSms(world.platform, shop, movement));
  };
  await bankSays(100_00n);
  world.clock.advance(MINUTE);
  await bankSays(150_00n);
  const answers = [];
  for (const order of orders) {
    world.clock.advance(10 * MINUTE);
    const utr = newReference();
    expect(await bankSays(order.payable!, utr)).toEqual(['unmatched']);
    answers.push(await say(order, utr));
  }
  expect(answers).toEqual([6, 'approvalNeeded', 'approvalNeeded']);
  expect((await deposit())['debt'] ?? 0n).toBe(0n);
});

test('an order whose credit waits for its chain counts against the deposit until the credit is decided', async () => {
  let balance = 0n;
  const lost: ReportedMessage[] = [];
  const bankSays = (amount: bigint) =>
    statedSms(world.platform, shop, { amount, balance: (balance += amount) });
  for (let count = 0; count < 6; count += 1) {
    await calls.report(bankSays(100_00n));
    world.clock.advance(MINUTE);
  }
  const accounts = [];
  for (const sum of [2_000_00n, 2_100_00n]) {
    const order = await calls.order(sum);
    accounts.push(order.accountId);
    if (order.accountId === null) continue;
    world.clock.advance(MINUTE);
    lost.push(bankSays(7_00n));
    world.clock.advance(MINUTE);
    expect(await calls.report(bankSays(order.payable!))).toEqual(['held']);
    world.clock.advance(HOUR);
    await releaseHeld(world.platform);
    while ((await expireDue(world.platform)) > 0);
  }
  await calls.report(...lost);
  await releaseHeld(world.platform);
  await releaseOverdue(world.platform);
  expect(accounts).toEqual([shop.accountId, null]);
  const { deposit: left, debt } = await deposit();
  expect([left! < 600_00n, debt ?? 0n]).toEqual([true, 0n]);
});
