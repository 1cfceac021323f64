import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import {
  createOne,
  creditSms,
  makeShop,
  naming,
  newReference,
  type Shop,
  withoutReference,
} from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { receiveMessages } from '../matching/receive.ts';
import { supplement } from '../matching/supplement.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { askOffsetCorrection } from './correct-offset.ts';

/** An order was booked as an offset, and then the bank shows its money on the order's own account: the supplier is charged. */

let node: TestPlatform;
let desk: Viewer;
let superAdmin: Viewer;
let admin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const viewer = async (role: 'superAdmin' | 'admin' | 'customerService') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  desk = await viewer('customerService');
  superAdmin = await viewer('superAdmin');
  admin = await viewer('admin');
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

const suspense = async () => {
  const [row] = await node.platform.db.query<{ sum: bigint }>(sql`
    select coalesce(sum(balance), 0)::bigint as sum from ledger_accounts where bucket = 'suspense'`);
  return row!.sum;
};
const depositOf = async (shop: Shop) =>
  (await balancesIn(node.platform, 'supplier', shop.supplierId))['deposit']!;
const stored = async (utr: string) => {
  const rows = await node.platform.db.query<{ id: bigint; state: string; orderId: bigint | null }>(sql`
    select id, state, order_id as "orderId" from messages where utr = ${utr} order by id`);
  return rows;
};

/** An order that was booked with this UTR, and the bank's message of `amount` (the booked sum if left out) on its account. */
async function arrived(booked: { readonly offset: boolean }, amount?: bigint) {
  const { platform } = node;
  await platform.db.query(sql`update resources set state = 1`);
  const shop = await makeShop(platform);
  const before = { deposit: await depositOf(shop), suspense: await suspense() };
  const order = await createOne(platform, shop.merchantId, { amount: 5_000_00n });
  const utr = newReference();
  await supplement(platform, superAdmin, { orderId: order.id, utr, offset: booked.offset });
  const report = () =>
    receiveMessages(platform, shop.monitor, [
      creditSms(platform, shop, amount ?? order.payable!, { reference: utr }),
    ]);
  await report();
  const [message] = await stored(utr);
  return { shop, order, utr, before, report, messageId: message!.id };
}

const ask = (messageId: bigint) =>
  askOffsetCorrection(node.platform, desk, { messageId, reason: 'it came after all' });

async function decideAs(viewer: Viewer, asked: Awaited<ReturnType<typeof ask>>) {
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  const { todoId } = asked.data as { readonly todoId: string };
  return decide(node.platform, APPROVAL_HANDLERS, viewer, { id: BigInt(todoId), approve: true });
}

test('once a second person agrees, the supplier is charged and the message is the order’s', async () => {
  const { shop, order, utr, before, report, messageId } = await arrived({ offset: true });
  const asked = await ask(messageId);
  expect(await depositOf(shop)).toBe(before.deposit);
  expect(await decideAs(admin, asked)).not.toHaveProperty('code');
  expect(await depositOf(shop)).toBe(before.deposit - order.payable!);
  expect(await suspense()).toBe(before.suspense);
  expect(await stored(utr)).toMatchObject([{ state: 'matched', orderId: order.id }]);
  // A second request and a second report charge nobody again.
  expect(await ask(messageId)).toMatchObject({ code: 'conflict' });
  await report();
  expect((await stored(utr)).map(({ state }) => state)).toEqual(['matched', 'duplicate']);
  expect(await depositOf(shop)).toBe(before.deposit - order.payable!);
});

test('after a reversal of the corrected order everybody has what they had, and the money can be joined again', async () => {
  const { shop, order, utr, before, messageId } = await arrived({ offset: true });
  await decideAs(admin, await ask(messageId));
  expect(await reverseByTwo(node.platform, { orderId: order.id })).toMatchObject({ status: 6 });
  expect(await depositOf(shop)).toBe(before.deposit);
  expect(await suspense()).toBe(before.suspense);
  expect(await balancesIn(node.platform, 'merchant', shop.merchantId)).toMatchObject({ available: 0n });
  expect(await stored(utr)).toMatchObject([{ state: 'unmatched' }]);
});

test('an order that was reversed before the decision charges nobody', async () => {
  const { shop, order, before, messageId } = await arrived({ offset: true });
  const asked = await ask(messageId);
  await reverseByTwo(node.platform, { orderId: order.id });
  expect(await decideAs(admin, asked)).toMatchObject({ code: 'conflict' });
  expect(await depositOf(shop)).toBe(before.deposit);
});

test('a frozen order’s supplier is charged by nobody until it is unfrozen', async () => {
  const { shop, order, before, messageId } = await arrived({ offset: true });
  const asked = await ask(messageId);
  const freeze = (frozen: boolean) =>
    node.platform.db.query(sql`update collection_orders set frozen = ${frozen} where id = ${order.id}`);
  await freeze(true);
  expect(await decideAs(admin, asked)).toMatchObject({ code: 'conflict' });
  expect(await depositOf(shop)).toBe(before.deposit);
  await freeze(false);
  expect(await decideAs(admin, asked)).not.toHaveProperty('code');
  expect(await depositOf(shop)).toBe(before.deposit - order.payable!);
});

test('another sum, or an order that charged its supplier already, is no offset to correct', async () => {
  const other = await arrived({ offset: true }, 4_000_00n);
  expect(await ask(other.messageId)).toMatchObject({ code: 'conflict' });
  const charged = await arrived({ offset: false });
  expect(await ask(charged.messageId)).toMatchObject({ code: 'conflict' });
});

test('a test order that was booked as an offset moved no money, so its correction charges nobody', async () => {
  const { platform } = node;
  node.clock.advance(DAY);
  await platform.db.query(sql`update resources set state = 1`);
  const shop = await makeShop(platform);
  const before = { deposit: await depositOf(shop), suspense: await suspense() };
  const mchOrderNo = 'TEST-ORDER-1';
  await platform.db.query(sql`
    insert into test_orders (merchant_id, mch_order_no, catch_token, created_by, created_at)
    values (${shop.merchantId}, ${mchOrderNo}, 'catch', ${superAdmin.userId}, ${node.clock.now()})`);
  const order = await createOne(platform, shop.merchantId, { mchOrderNo });
  const utr = newReference();
  await supplement(platform, superAdmin, { orderId: order.id, utr, offset: true });
  await receiveMessages(platform, shop.monitor, [
    creditSms(platform, shop, order.payable!, { reference: utr }),
  ]);
  expect(await ask((await stored(utr))[0]!.id)).toMatchObject({ code: 'conflict' });
  expect({ deposit: await depositOf(shop), suspense: await suspense() }).toEqual(before);
});

test('while two people correct an offset, another wording of its money waits and pays no other order', async () => {
  const { platform } = node;
  // What one person decides alone is limited by the day.
  node.clock.advance(DAY);
  const { shop, order, messageId } = await arrived({ offset: true });
  await platform.db.query(sql`update accounts set balance_mode = 'none' where id = ${shop.accountId}`);
  const asked = await ask(messageId);
  node.clock.advance(5 * MINUTE);
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  const named = await createOne(platform, shop.merchantId, { amount: order.payable! });
  const told = naming(named, withoutReference(creditSms(platform, shop, order.payable!)));
  const { correcting, telling } = await node.holding(async (tx) => {
    // The correction stops where it charges the supplier.
    await tx.query(sql`
      select from ledger_accounts where owner_kind = 'supplier' and owner_id = ${shop.supplierId} for update`);
    const corrected = decideAs(admin, asked);
    await waitsForLock(platform);
    const under = { correcting: corrected, telling: receiveMessages(platform, shop.monitor, [told]) };
    await waitsForLock(platform, 2);
    return under;
  });
  expect(await correcting).not.toHaveProperty('code');
  expect(await telling).toMatchObject([{ state: 'ambiguous' }]);
});
