import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CheckAnswer, PayoutChannel, SendAnswer } from '../channels/payout-channel.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { makeBatch, makeBatchShop, type BatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit } from '../testing/debits.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import { askAboutEnded, recordGatewayStatus } from './ask-gateways.ts';
import { cancelBatch, closeBatch, exportBatch, markSent } from './batch/send.ts';
import { createDispatcher, recoverSends } from './dispatch.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { reject } from './reject.ts';
import { reselectPayout } from './reselect.ts';
import { readPayouts } from './store.ts';
import { unlock } from './unlock.ts';

/** A payout was refunded while it might still be paid: the gateway is asked about it, and the admins are notified if it was paid. */

let world: TestPlatform;
let shop: BatchShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform, 10n ** 12n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

let answer: SendAnswer;
let words: Record<string, CheckAnswer>;
const channel: PayoutChannel = {
  send: () => Promise.resolve(answer),
  check: ({ key }) => Promise.resolve(words[key] ?? { state: 'unknown' }),
};
const channels = new Map([[GATEWAY_PAYOUT, channel]]);
beforeEach(() => {
  answer = { outcome: 'unknown', reason: 'no answer' };
  words = {};
});

const desk = () => viewerOf(world.platform, { role: 'admin' });
function done<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(`refused ${result.code}`);
  return result;
}
async function sent(): Promise<bigint> {
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await dispatchWaiting(world.platform, channels);
  return id;
}
const contradictions = async (id: bigint) =>
  (
    await world.platform.db.query<{ data: unknown }>(
      sql`select data from order_events where order_id = ${id} and kind = 'contradicted' order by id`,
    )
  ).map(({ data }) => data);
const notices = async (id: bigint) =>
  (
    await world.platform.db.query<{ kind: string }>(sql`
      select kind from inbox_messages where user_id = ${shop.adminId} and data->>'order' = ${String(id)} order by id`)
  ).map(({ kind }) => kind);

test('a send of unknown outcome that was rejected is asked about for a week, and its payment is seen', async () => {
  const id = await sent();
  done(await reject(world.platform, desk(), { orderId: id, reason: 'no word' }));
  world.clock.advance(DAY);
  expect(await askAboutEnded(world.platform, channels)).toBe(1);
  expect(await contradictions(id)).toEqual([]);
  const utr = newReference();
  words[String(id)] = { state: 'processed', utr };
  world.clock.advance(7 * HOUR);
  await askAboutEnded(world.platform, channels);
  expect(await contradictions(id)).toEqual([{ said: 'processed', attempt: 1, utr }]);
  expect(await notices(id)).toEqual(['gatewaySaysPaid']);
  world.clock.advance(8 * DAY);
  await askAboutEnded(world.platform, channels);
  world.clock.advance(DAY);
  expect(await askAboutEnded(world.platform, channels)).toBe(0);
  expect((await readPayouts(world.platform.db, [id]))[0]).toMatchObject({ status: 6, reversedAt: null });
});

test('an attempt that failed and was begun anew is asked about too, once the payout has ended', async () => {
  answer = { outcome: 'refused', reason: 'low balance' };
  const id = await sent();
  done(await reselectPayout(world.platform, desk(), id));
  await dispatchWaiting(world.platform, channels);
  done(await reject(world.platform, desk(), { orderId: id, reason: 'enough' }));
  words[String(id)] = { state: 'processed', utr: newReference() };
  world.clock.advance(HOUR);
  await askAboutEnded(world.platform, channels);
  expect(await contradictions(id)).toMatchObject([{ said: 'processed', attempt: 1 }]);
});

test('a gateway that accepts after the payout was unlocked and rejected is reported at once', async () => {
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  let accept: (said: SendAnswer) => void = () => undefined;
  const slow: PayoutChannel = { ...channel, send: () => new Promise((resolve) => (accept = resolve)) };
  const dispatcher = createDispatcher(world.platform, new Map([[GATEWAY_PAYOUT, slow]]));
  await dispatcher.round();
  done(await unlock(world.platform, desk(), id));
  done(await reject(world.platform, desk(), { orderId: id, reason: 'stuck' }));
  accept({ outcome: 'accepted', reference: 'pout_late' });
  await dispatcher.settled();
  expect(await contradictions(id)).toEqual([{ said: 'accepted', attempt: 1 }]);
  expect(await notices(id)).toEqual(['gatewaySaysPaid']);
});

test('a gateway that accepts once its payout waits again is reported, and the payout is not sent a second time', async () => {
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  let accept: (said: SendAnswer) => void = () => undefined;
  const slow: PayoutChannel = { ...channel, send: () => new Promise((resolve) => (accept = resolve)) };
  const dispatcher = createDispatcher(world.platform, new Map([[GATEWAY_PAYOUT, slow]]));
  await dispatcher.round();
  // The node stands still. Another one finds the send, the gateway does not know it yet, and the desk begins anew.
  world.clock.advance(3 * MINUTE);
  await recoverSends(world.platform);
  await recordGatewayStatus(world.platform, { id, attempt: 1 }, { state: 'failed', reason: 'not known' });
  done(await reselectPayout(world.platform, desk(), id));
  accept({ outcome: 'accepted', reference: 'pout_late' });
  await dispatcher.settled();
  expect(await contradictions(id)).toEqual([{ said: 'accepted', attempt: 1 }]);
  // The next attempt must not be asked about by the reference of this one.
  expect((await readPayouts(world.platform.db, [id]))[0]).toMatchObject({
    status: 0,
    frozen: true,
    gatewayRef: null,
  });
  expect(await dispatchWaiting(world.platform, channels)).toBe(0);
});

test('a debit that comes after the batch was closed and its payout refunded is reported, once', async () => {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId, { amount: 612_00n });
  const { batchId } = await makeBatch(platform, shop, { minAmount: 612_00, maxAmount: 612_00 });
  done(await exportBatch(platform, shop.admin, batchId));
  done(await markSent(platform, shop.admin, batchId));
  done(await closeBatch(platform, shop.admin, batchId));
  done(await reject(platform, desk(), { orderId: id, reason: 'the bank says nothing' }));
  world.clock.advance(10 * MINUTE);
  const utr = newReference();
  await reportDebit(platform, shop, { amount: 612_00n, utr, balance: 5_000_00n });
  expect(await reportDebitsOfEnded(platform)).toBe(1);
  expect(await reportDebitsOfEnded(platform)).toBe(0);
  expect(await contradictions(id)).toMatchObject([{ said: 'debited', attempt: 0, utr }]);
  expect(await notices(id)).toEqual(['endedPayoutDebited']);
});

test('a debit of a payout whose batch was called off after the export is reported: the bank had the file all the same', async () => {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId, { amount: 613_00n });
  const { batchId } = await makeBatch(platform, shop, { minAmount: 613_00, maxAmount: 613_00 });
  done(await exportBatch(platform, shop.admin, batchId));
  done(await cancelBatch(platform, shop.admin, { batchId, reason: 'not sent' }));
  done(await reject(platform, desk(), { orderId: id, reason: 'nobody takes it' }));
  world.clock.advance(10 * MINUTE);
  await reportDebit(platform, shop, { amount: 613_00n, balance: 4_000_00n });
  expect(await reportDebitsOfEnded(platform)).toBe(1);
});
