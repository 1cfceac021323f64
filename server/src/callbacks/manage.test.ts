import {
  deleteCallbacks,
  getCallbackDetailList,
  getCallbackHealth,
  getCallbackList,
  resendCallbacks,
  resendFailed,
  setMerchantCallbacks,
} from '@sangam/contract/endpoints/callback.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callBack } from '../collection/call-back.ts';
import { readOrders } from '../collection/store.ts';
import { sql } from '../platform/db/database.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { recordOutcome } from '../orders/callback-outcome.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createOne, creditSms, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { deliver } from './record.ts';
import { SCHEDULE } from './schedule.ts';
import type { AttemptResult, Sender } from './send.ts';
import { claimCallbacks } from './store.ts';

let world: TestPlatform;
let shop: Shop;
let boss: Viewer;
let answer: string;

beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeShop(world.platform);
  const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
  boss = viewerOf(world.platform, { role: 'superAdmin', userId });
});
afterAll(() => world.close());

const sender: Sender = {
  close: async () => {},
  send: async (): Promise<AttemptResult> => ({
    httpMethod: 'POST',
    request: '',
    signed: 'sign=ABC',
    status: 200,
    answer,
    error: null,
    durationMs: 3,
    acknowledged: answer === 'success',
  }),
};

const claim = (leaseMs = 1) => claimCallbacks(world.platform, { total: 64, perMerchant: 64, leaseMs });

async function sendDue(): Promise<string[]> {
  const outcomes = [];
  for (const callback of await claim())
    outcomes.push(await deliver(world.platform, sender, callback, recordOutcome));
  return outcomes;
}

interface Told {
  readonly orderId: bigint;
  readonly callbackId: string;
}

/** A paid order with a waiting callback. */
async function due(): Promise<Told> {
  await world.platform.db.query(sql`update monitors set last_seen_at = ${world.clock.now()}`);
  const order = await createOne(world.platform, shop.merchantId, {
    mchOrderNo: `R-${world.platform.ids.next()}`,
    param1: 'call 9876543210',
  });
  await receiveMessages(world.platform, shop.monitor, [creditSms(world.platform, shop, order.payable!)]);
  const { list } = await ask(world.platform, boss, getCallbackList, { orderCode: String(order.id) });
  return { orderId: order.id, callbackId: list[0]!.id };
}

/** An order with a callback whose retries are used up. */
async function givenUp(): Promise<Told> {
  const told = await due();
  answer = 'no';
  for (const wait of SCHEDULE) {
    world.clock.advance(wait);
    await sendDue();
  }
  return told;
}

const status = async ({ orderId }: Told) => (await readOrders(world.platform.db, [orderId]))[0]!.status;
const codes = async (endpoint: typeof resendCallbacks, ...told: Told[]) =>
  (await ask(world.platform, boss, endpoint, { ids: told.map(({ callbackId }) => callbackId) })).list.map(
    ({ code }) => code,
  );
const row = async ({ orderId }: Told) =>
  (await ask(world.platform, boss, getCallbackList, { orderCode: String(orderId) })).list[0]!;

test('dead letters have their own list; one that is resent gets its whole schedule, and its order is under way again', async () => {
  const told = await givenUp();
  expect(await status(told)).toBe(4);
  const dead = await ask(world.platform, boss, getCallbackList, { state: 'exhausted' });
  expect(dead.list.map(({ id }) => id)).toContain(told.callbackId);
  expect(await row(told)).toMatchObject({
    attempts: SCHEDULE.length,
    lastStatus: 200,
    actions: ['resend', 'delete'],
  });
  expect(await codes(resendCallbacks, told)).toEqual([200]);
  expect(await status(told)).toBe(6);
  expect(await sendDue()).toEqual(['failed']);
  answer = 'success';
  world.clock.advance(SCHEDULE[1]!);
  expect(await sendDue()).toEqual(['succeeded']);
  expect(await status(told)).toBe(3);
  expect(await row(told)).toMatchObject({ state: 'succeeded', attempts: SCHEDULE.length + 2, actions: [] });
  expect(await brokenChecks(world.platform)).toEqual([]);
});

test('a merchant sees the failures of its endpoint by kind and resends all of one kind; another merchant sees none of them', async () => {
  const { platform } = world;
  const own = viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId });
  const other = viewerOf(platform, {
    role: 'merchant',
    merchantId: (await makeMerchant(platform)).merchantId,
  });
  const told = await givenUp();
  const waiting = await due();
  expect(await sendDue()).toEqual(['failed']);
  const [group] = (await ask(platform, own, getCallbackHealth)).groups;
  expect(group).toMatchObject({ status: 200, error: null, waiting: 1, orderCode: String(waiting.orderId) });
  expect(group!.exhausted).toBeGreaterThan(0);
  expect((await ask(platform, other, getCallbackHealth)).groups).toEqual([]);
  const { status: http, error } = group!;
  expect(await ask(platform, other, resendFailed, { status: http, error })).toEqual({ sent: 0, refused: 0 });
  expect(await ask(platform, own, resendFailed, { status: 500, error })).toEqual({ sent: 0, refused: 0 });
  expect(await status(told)).toBe(4);
  expect(await ask(platform, own, resendFailed, { status: http, error })).toMatchObject({ refused: 0 });
  expect(await status(told)).toBe(6);
  answer = 'success';
  await sendDue();
  expect([await status(told), await status(waiting)]).toEqual([3, 3]);
  expect((await ask(platform, own, getCallbackHealth)).groups).toEqual([]);
  expect(await brokenChecks(platform)).toEqual([]);
});

test('a merchant cannot resend what an operator has taken off the queue', async () => {
  const told = await due();
  expect(await codes(deleteCallbacks, told)).toEqual([200]);
  const own = viewerOf(world.platform, { role: 'merchant', merchantId: shop.merchantId });
  const resent = await ask(world.platform, own, resendCallbacks, { ids: [told.callbackId] });
  expect(resent.list.map(({ code }) => code)).toEqual([1201]);
});

test('a deleted callback is not sent and its order fails; resent, it goes out after all', async () => {
  const told = await due();
  expect(await codes(deleteCallbacks, told)).toEqual([200]);
  expect(await sendDue()).toEqual([]);
  expect(await status(told)).toBe(4);
  expect(await row(told)).toMatchObject({ state: 'withdrawn', nextTime: null, actions: ['resend'] });
  expect(await codes(deleteCallbacks, told)).toEqual([1201]);
  expect(await brokenChecks(world.platform)).toEqual([]);
  answer = 'success';
  expect(await codes(resendCallbacks, told)).toEqual([200]);
  expect(await sendDue()).toEqual(['succeeded']);
  expect(await status(told)).toBe(3);
  const events = await world.platform.db.query<{ kind: string }>(sql`
    select kind from order_events where order_id = ${told.orderId} and kind like 'callback%' order by id`);
  expect(events.map(({ kind }) => kind)).toEqual([
    'callbackWithdrawn',
    'callbackRequested',
    'callbackSucceeded',
  ]);
  expect(await brokenChecks(world.platform)).toEqual([]);
});

test('a callback that is being sent cannot be deleted; one that succeeded can be neither deleted nor resent here', async () => {
  const told = await due();
  await claim(60_000);
  expect(await codes(deleteCallbacks, told)).toEqual([409]);
  expect(await status(told)).toBe(6);
  world.clock.advance(61_000);
  answer = 'success';
  await sendDue();
  expect(await codes(deleteCallbacks, told)).toEqual([1201]);
  expect(await codes(resendCallbacks, told)).toEqual([1201]);
});

test('an older callback is not resent beside a later one of its order', async () => {
  const told = await givenUp();
  await callBack(world.platform, boss, told.orderId);
  expect(await codes(resendCallbacks, told)).toEqual([409]);
  answer = 'success';
  await sendDue();
  expect(await codes(resendCallbacks, told)).toEqual([409]);
  expect(await status(told)).toBe(3);
  expect(await brokenChecks(world.platform)).toEqual([]);
});

test('a bulk call has a result for each callback: one refusal does not stop the others', async () => {
  const [one, two] = [await due(), await due()];
  const unknown = { orderId: 1n, callbackId: '12345' };
  expect(await codes(deleteCallbacks, one, unknown, one, two)).toEqual([200, 404, 1201, 200]);
  expect(resendCallbacks.input.safeParse({ ids: Array.from({ length: 501 }, () => '1') }).success).toBe(
    false,
  );
});

test('a waiting callback that is resent goes out now', async () => {
  const told = await due();
  answer = 'no';
  await sendDue();
  expect(await sendDue()).toEqual([]);
  expect(await codes(resendCallbacks, told)).toEqual([200]);
  answer = 'success';
  expect(await sendDue()).toEqual(['succeeded']);
  expect(await row(told)).toMatchObject({ state: 'succeeded' });
});

test('every attempt is listed with request and answer; only superAdmin reads them unmasked', async () => {
  const told = await due();
  answer = 'success';
  await sendDue();
  const { mchOrderNo } = (await readOrders(world.platform.db, [told.orderId]))[0]!;
  const query = { merchantOrderCode: mchOrderNo, httpMethod: 'POST', systemFlag: 'main' };
  const { list } = await ask(world.platform, boss, getCallbackDetailList, query);
  expect(list).toMatchObject([
    {
      callbackId: told.callbackId,
      orderCode: String(told.orderId),
      request: expect.stringMatching(/^\{"mchId":.*"param1":"call 9876543210".*"sign":"ABC"\}$/) as string,
      answer,
    },
  ]);
  const keeper = viewerOf(world.platform, { role: 'technicalMaintenance' });
  const masked = await ask(world.platform, keeper, getCallbackDetailList, query);
  expect(masked.list[0]!.request).toContain('"param1":"call *******210"');
  for (const nothing of [{ httpMethod: 'GET' }, { systemFlag: 'other' }, { orderCode: '1' }])
    expect((await ask(world.platform, boss, getCallbackDetailList, { ...query, ...nothing })).list).toEqual(
      [],
    );
});

test('a merchant is paused and given a schedule by superAdmin, with a trace; others are refused', async () => {
  const set = (viewer: Viewer, change: object) =>
    ask(world.platform, viewer, setMerchantCallbacks, { merchantId: String(shop.merchantId), ...change });
  await set(boss, { paused: true });
  const told = await due();
  expect(await sendDue()).toEqual([]);
  expect(await row(told)).toMatchObject({ state: 'pending', attempts: 0, paused: true });
  expect(await set(boss, { waitSeconds: [0, 60] })).toEqual({ paused: true, waitSeconds: [0, 60] });
  expect(await set(boss, { paused: false, waitSeconds: null })).toEqual({ paused: false, waitSeconds: null });
  answer = 'success';
  expect(await sendDue()).toEqual(['succeeded']);
  const audits = await world.platform.db.query(
    sql`select 1 from audit_log where action = 'callback.setMerchant'`,
  );
  expect(audits).toHaveLength(3);
  const admin = viewerOf(world.platform, { role: 'admin' });
  const refused = await askRefused(world.platform, admin, setMerchantCallbacks, {
    merchantId: String(shop.merchantId),
  });
  expect(refused.code).toBe('forbidden');
});
