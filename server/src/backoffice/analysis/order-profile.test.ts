import { getOrderProfile } from '@sangam/contract/endpoints/profile.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop } from '../../testing/payments.ts';
import { makePayoutShop, payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

const profile = (query: object = {}) =>
  ask(node.platform, viewerOf(node.platform, { role: 'superAdmin' }), getOrderProfile, { ...query });

test('the last minutes’ stages, throughput and queues, and nothing older', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  await createOne(platform, shop.merchantId);
  node.clock.advance(2 * HOUR);
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  expect((await profile()).stages.every(({ calls, p50 }) => calls === 0 && p50 === null)).toBe(true);
  const order = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  const { merchantId } = await makePayoutShop(platform);
  await payOut(platform, merchantId);
  const minute = formatTime(node.clock.now()).slice(0, 17) + '00';
  node.clock.advance(10 * MINUTE);
  const seen = await profile();
  const stage = (name: string) => seen.stages.find((each) => each.stage === name)!;
  expect([stage('create').calls, stage('allocate').calls, stage('match').calls]).toEqual([1, 1, 1]);
  expect(stage('create').p50).toBeGreaterThanOrEqual(stage('allocate').p50!);
  expect(stage('match').max).toBe(stage('match').p99);
  expect(seen.throughput).toEqual([{ time: minute, created: 2, paid: 1, callbacks: 0 }]);
  // The first order, two hours old, still waits, because no sweep runs in this test.
  expect(seen.queues).toEqual({
    ordersWaiting: 1,
    ordersOverdue: 1,
    callbacksDue: 1,
    payoutsWaiting: 1,
    payoutsToConfirm: 0,
    approvals: 0,
  });
  expect(seen.slowestQueries).toBeNull();
  expect((await profile({ minutes: 5 })).throughput).toEqual([]);
});

test('a database too busy to answer is not waited for', async () => {
  const { platform } = node;
  const other = node.anotherNode();
  const { promise: done, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: nowLocked } = Promise.withResolvers<void>();
  const held = other.db.tx(async (tx) => {
    await tx.query(sql`lock table approvals in access exclusive mode`);
    nowLocked();
    await done;
  });
  await locked;
  const viewer = viewerOf(platform, { role: 'superAdmin' });
  const refused = askRefused(platform, viewer, getOrderProfile).finally(release);
  expect((await refused).code).toBe('tooMany');
  await held;
});

test('only superAdmin looks', async () => {
  const viewer = viewerOf(node.platform, { role: 'admin' });
  expect((await askRefused(node.platform, viewer, getOrderProfile)).code).toBe('forbidden');
});
