import * as contract from '@sangam/contract/endpoints/settlement.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { post } from '../../ledger/post.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { sql, type Tx } from '../../platform/db/database.ts';
import { makePartitions } from '../../platform/db/partitions.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { settleDue } from './run.ts';

/** An early run gives out the money that its deciders saw, and no other. */

const CREDIT = 970_00n;

let node: TestPlatform;
let shop: Shop;
let admin: Viewer;
let superAdmin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  const staff = async (role: 'admin' | 'superAdmin') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  [admin, superAdmin] = [await staff('admin'), await staff('superAdmin')];
});
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  // A Monday, so that the next days are bank days.
  do node.clock.advance(DAY);
  while (new Date(node.clock.now()).getUTCDay() !== 1);
  shop = await makeShop(node.platform);
  const term = { merchantId: String(shop.merchantId), days: 1, reason: 'contract 12' };
  await ask(node.platform, admin, contract.setSettlementTerm, term);
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

async function paid(): Promise<CollectionOrder> {
  node.clock.advance(16 * MINUTE);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(node.platform, shop.merchantId, { amount: 1_000_00n });
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, order.payable!)]);
  return order;
}
async function asked(merchantId?: string): Promise<bigint> {
  const throughDay = businessDay(new Date(node.clock.now().getTime() + 3 * DAY));
  const start = { throughDay, reason: 'by phone', ...(merchantId && { merchantId }) };
  const refusal = await askRefused(node.platform, admin, contract.startSettlementRun, start);
  return BigInt((refusal.data as { readonly todoId: string }).todoId);
}
const agree = (id: bigint) => decide(node.platform, APPROVAL_HANDLERS, superAdmin, { id, approve: true });
/** Posts money to the merchant's only pending balance, or takes it from there. */
async function postPending(tx: Tx, amount: bigint): Promise<void> {
  const [pending] = await tx.query<{ slot: number }>(sql`
    select slot from ledger_accounts where owner_kind = 'merchant' and owner_id = ${shop.merchantId} and bucket = 'pending'`);
  const legs = [
    { ownerKind: 'merchant', ownerId: shop.merchantId, bucket: 'pending', ...pending!, amount } as const,
    { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount: -amount } as const,
  ];
  const key = `${amount}/${shop.merchantId}`;
  await post(node.platform, tx, [{ key, kind: 'test', orderId: null, currency: 'INR', legs }]);
}
const available = async () =>
  (await balancesIn(node.platform, 'merchant', shop.merchantId))['available'] ?? 0n;

test('two early runs that were asked for the same money give it out once, and no later money', async () => {
  await paid();
  const [all, one] = [await asked(), await asked(String(shop.merchantId))];
  await agree(all);
  await settleDue(node.platform);
  expect(await available()).toBe(CREDIT);
  await paid();
  await agree(one);
  await settleDue(node.platform);
  expect(await available()).toBe(CREDIT);
});

test('an early run gives out no later money in the place of money that was reversed since', async () => {
  const { id: orderId } = await paid();
  const todo = await asked(String(shop.merchantId));
  await reverseByTwo(node.platform, { orderId, reason: 'not the payer’s' });
  await paid();
  await agree(todo);
  await settleDue(node.platform);
  expect(await available()).toBe(0n);
});

test('nor does it if the money goes, and later money comes, while the run reads the balance', async () => {
  const { platform } = node;
  await paid();
  await agree(await asked(String(shop.merchantId)));
  const { settled } = await node.holding(async (tx) => {
    for (const amount of [-CREDIT, CREDIT]) await postPending(tx, amount);
    const settling = { settled: settleDue(platform) };
    await waitsForLock(platform);
    return settling;
  });
  await settled;
  expect(await available()).toBe(0n);
});

test('nor money that comes while the run is asked for', async () => {
  const { platform } = node;
  await paid();
  const { asking } = await node.holding(async (tx) => {
    await tx.query(sql`lock table approvals in exclusive mode`);
    const asks = { asking: asked(String(shop.merchantId)) };
    await waitsForLock(platform);
    await postPending(tx, CREDIT);
    return asks;
  });
  const todo = await asking;
  await platform.db.tx((tx) => postPending(tx, -CREDIT));
  await agree(todo);
  await settleDue(platform);
  expect(await available()).toBe(0n);
});
