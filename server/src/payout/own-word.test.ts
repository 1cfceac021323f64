import { afterAll, beforeAll, expect, test } from 'vitest';
import { getDetail } from '@sangam/contract/endpoints/order.ts';
import { getPayoutDetail, getPayoutList } from '@sangam/contract/endpoints/payout.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { SETTINGS } from '@sangam/contract/settings.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { countOwnWord } from '../approvals/own-word.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { DAY } from '../platform/clock.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { creditSms, createOne, makeShop, newReference } from '../testing/payments.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { acceptProof } from './accept-proof.ts';
import { cancelClaim } from './cancel-claim.ts';
import { cancel } from './cancel.ts';
import { claim, CLAIM_LEASE } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { expireClaims } from './expire-claims.ts';
import { readPayout } from './read.ts';
import { reject } from './reject.ts';

/** Staff alone, without a message of the bank, can move only little money a day (UnprovenDayLimit). */

let world: TestPlatform;
let shop: PayoutShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makePayoutShop(world.platform, 10n ** 9n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const LIMIT = BigInt(SETTINGS.UnprovenDayLimit.fallback.INR);
const operator = async (role: 'superAdmin' | 'admin' | 'customerService') =>
  viewerOf(world.platform, { role, userId: (await makeUser(world.platform, { role })).id });
async function claimed(amount: bigint): Promise<bigint> {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId, { amount });
  await claim(platform, viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId }), id);
  return id;
}
const codeOf = (result: object) => (isRefusal(result as Refusal) ? (result as Refusal).code : 'done');
const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;

test.each(['customerService', 'admin', 'superAdmin'] as const)(
  'claims that a %s confirms by invented UTRs stay unproven, and wait for a second person once they pass the sum of a day, however split',
  async (role) => {
    const { platform } = world;
    const viewer = await operator(role);
    const confirm = async () =>
      confirmPaid(platform, viewer, { orderId: await claimed(LIMIT / 3n), utr: newReference() });
    const first = await confirm();
    expect(first).toMatchObject({ status: 3, unproven: true });
    const rest = await Promise.all([confirm(), confirm(), confirm()]);
    expect(rest.map(codeOf).toSorted()).toEqual(['approvalNeeded', 'done', 'done']);
    world.clock.advance(DAY);
    expect(codeOf(await confirm())).toBe('done');
  },
);

test('a second person agrees to a confirmation, a proof and a refusal; each is done to what was shown', async () => {
  const { platform } = world;
  const [asker, second] = [await operator('customerService'), await operator('admin')];
  const agree = (refusal: object) =>
    decide(platform, APPROVAL_HANDLERS, second, {
      id: BigInt(((refusal as Refusal).data as { todoId: string }).todoId),
      approve: true,
    });
  const large = LIMIT + 1n;
  const [paid, refused, gone] = [await claimed(large), await claimed(large), await claimed(large)];
  const asked = await confirmPaid(platform, asker, { orderId: paid, utr: newReference() });
  expect(codeOf(asked)).toBe('approvalNeeded');
  expect(await read(paid)).toMatchObject({ status: 1 });
  expect(await agree(asked)).toMatchObject({ status: 'approved', result: { orderStatusId: 3 } });
  expect(await read(paid)).toMatchObject({ status: 3, unproven: true });
  const seen = await acceptProof(platform, asker, { orderId: paid, reason: 'statement seen' });
  expect(codeOf(seen)).toBe('approvalNeeded');
  await agree(seen);
  expect(await read(paid)).toMatchObject({ unproven: false });

  const no = await reject(platform, asker, { orderId: refused, reason: 'payee unknown' });
  expect(codeOf(no)).toBe('approvalNeeded');
  await agree(no);
  expect(await read(refused)).toMatchObject({ status: 6, rejectReason: 'payee unknown' });

  const stale = await confirmPaid(platform, asker, { orderId: gone, utr: newReference() });
  await reject(platform, viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId }), {
    orderId: gone,
    reason: 'bank closed',
  });
  expect(codeOf(await agree(stale))).not.toBe('done');
  expect(await read(gone)).toMatchObject({ status: 0 });
  // Nobody was given a waiting payout: one person may refuse it.
  expect(codeOf(await reject(platform, asker, { orderId: gone, reason: 'payee unknown' }))).toBe('done');
});

test('a supplier alone cannot hand back a claim that ran out; the desk may decide it, and a second person agrees to it as it stands', async () => {
  const { platform, clock } = world;
  const [desk, second] = [await operator('customerService'), await operator('admin')];
  const { id: userId } = await makeUser(platform, { role: 'supplier' });
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId, userId });
  const ranOut = async () => {
    const id = await claimed(1_00n);
    clock.advance(CLAIM_LEASE);
    await expireClaims(platform);
    return id;
  };
  const handBack = async (orderId: bigint) => {
    const asked = await reject(platform, supplier, { orderId, reason: 'not paid' });
    expect(codeOf(asked)).toBe('approvalNeeded');
    return BigInt(((asked as Refusal).data as { todoId: string }).todoId);
  };
  const agree = (id: bigint) => decide(platform, APPROVAL_HANDLERS, second, { id, approve: true });
  const [back, gone, large] = [await ranOut(), await ranOut(), await claimed(LIMIT + 1n)];

  const waits = async (viewer: Viewer) =>
    (await ask(platform, viewer, getPayoutList, { orderCode: String(back) })).list.map(
      ({ handBackWaits }) => handBackWaits,
    );
  const opened = async (viewer: Viewer) =>
    (await ask(platform, viewer, getPayoutDetail, { orderCode: String(back) })).order.handBackWaits;
  const colleague = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  expect(await waits(colleague)).toEqual([undefined]);
  expect(await opened(colleague)).toBeUndefined();
  const request = await handBack(back);
  expect([await waits(supplier), await waits(colleague), await waits(desk)]).toEqual([
    [true],
    [true],
    [undefined],
  ]);
  expect([await opened(supplier), await opened(colleague), await opened(desk)]).toEqual([
    true,
    true,
    undefined,
  ]);
  const other = viewerOf(platform, { role: 'supplier', supplierId: shop.otherSupplierId });
  expect(codeOf(await claim(platform, other, back))).not.toBe('done');
  expect(await read(back)).toMatchObject({ status: 7, supplierId: shop.supplierId });
  await agree(request);
  expect(await read(back)).toMatchObject({ status: 0, supplierId: null });

  const late = await handBack(gone);
  expect(codeOf(await confirmPaid(platform, supplier, { orderId: gone, utr: newReference() }))).toBe('done');
  expect(codeOf(await agree(late))).not.toBe('done');
  expect(await read(gone)).toMatchObject({ status: 3 });

  clock.advance(CLAIM_LEASE);
  await expireClaims(platform);
  const own = await handBack(large);
  const refused = await reject(platform, desk, { orderId: large, reason: 'payee unknown' });
  expect((refused as Refusal).data).not.toEqual({ todoId: String(own) });
  await agree(BigInt(((refused as Refusal).data as { todoId: string }).todoId));
  expect(await read(large)).toMatchObject({ status: 6 });
});

test('four offsets of 40,000 by invented UTRs credit nobody; within the sum an order is unproven until its message comes', async () => {
  const { platform } = world;
  const trader = await makeShop(platform);
  const viewer = await operator('customerService');
  for (let n = 0; n < 4; n += 1) {
    const { id } = await createOne(platform, trader.merchantId, { amount: 40_000_00n });
    expect(
      codeOf(await supplement(platform, viewer, { orderId: id, utr: newReference(), offset: true })),
    ).toBe('approvalNeeded');
  }
  expect((await balancesIn(platform, 'merchant', trader.merchantId))['available'] ?? 0n).toBe(0n);

  const order = await createOne(platform, trader.merchantId, { amount: 1_000_00n });
  const utr = newReference();
  expect(codeOf(await supplement(platform, viewer, { orderId: order.id, utr, offset: false }))).toBe('done');
  const shown = async () =>
    (await ask(platform, viewer, getDetail, { orderCode: String(order.id) })).order.unproven;
  expect(await shown()).toBe(true);
  await receiveMessages(platform, trader.monitor, [
    creditSms(platform, trader, order.payable!, { reference: utr }),
  ]);
  expect(await shown()).toBe(false);
});

test('the setting UnprovenDayLimit says how much; 0 lets nothing pass', async () => {
  const { platform } = world;
  const viewer = await operator('admin');
  const confirm = async (amount: bigint) =>
    codeOf(await confirmPaid(platform, viewer, { orderId: await claimed(amount), utr: newReference() }));
  await platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  expect(await confirm(1_00n)).toBe('approvalNeeded');
  await platform.settings.write('UnprovenDayLimit', { INR: 100_000_00, KES: 0, USDT: 0 }, null);
  expect(await confirm(100_000_00n)).toBe('done');
  // Each currency has a limit of its own.
  await platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 500, USDT: 7 }, null);
  const { id } = await makeUser(platform, { role: 'admin' });
  const counted = (currency: Currency, amount: bigint) =>
    platform.db.tx((tx) => countOwnWord(platform, tx, [id], { currency, amount }));
  expect([await counted('KES', 501n), await counted('KES', 500n), await counted('KES', 1n)]).toEqual([
    false,
    true,
    false,
  ]);
  expect([await counted('USDT', 8n), await counted('USDT', 7n), await counted('INR', 1n)]).toEqual([
    false,
    true,
    false,
  ]);
});

test.each(['admin', 'superAdmin'] as const)(
  'a claim that a %s takes back may have been paid: it counts as a refusal does, and past the sum of a day a second person agrees',
  async (role) => {
    const { platform } = world;
    await platform.settings.write('UnprovenDayLimit', { INR: 1_000_00, KES: 0, USDT: 0 }, null);
    const [viewer, second] = [await operator(role), await operator('admin')];
    const takeBack = async (orderId: bigint) => cancelClaim(platform, viewer, orderId);
    expect(codeOf(await takeBack(await claimed(1_000_00n)))).toBe('done');
    const paid = await claimed(1_00n);
    const asked = await takeBack(paid);
    expect(codeOf(asked)).toBe('approvalNeeded');
    expect(await read(paid)).toMatchObject({ status: 1, supplierId: shop.supplierId });
    // Otherwise a payout that the supplier may have paid would be waiting, and one person could refund it.
    expect(codeOf(await cancel(platform, viewer, paid))).toBe('actionNotAllowed');
    const id = BigInt(((asked as Refusal).data as { todoId: string }).todoId);
    expect(await decide(platform, APPROVAL_HANDLERS, second, { id, approve: true })).toMatchObject({
      result: { orderStatusId: 0 },
    });
    expect(await read(paid)).toMatchObject({ status: 0, supplierId: null });
  },
);
