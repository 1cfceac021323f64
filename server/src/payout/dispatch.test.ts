import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CheckAnswer, PayoutChannel, SendAnswer } from '../channels/payout-channel.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { viewerOf } from '../testing/world.ts';
import { askGateways, expireSubmitted } from './ask-gateways.ts';
import { cancel } from './cancel.ts';
import { recoverSends } from './dispatch.ts';
import type { PayoutOrder } from './order.ts';
import { reject } from './reject.ts';
import { reselectPayout } from './reselect.ts';
import { readPayouts } from './store.ts';
import { unlock } from './unlock.ts';

let world: TestPlatform;
let shop: PayoutShop;
let other: Platform;
beforeAll(async () => {
  world = await createTestPlatform();
  other = world.anotherNode();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

/** A gateway that keeps sends by their key, as a real one does, and answers what the test sets. */
class FakeGateway implements PayoutChannel {
  readonly sent: string[] = [];
  readonly paid = new Set<string>();
  answer: (key: string) => SendAnswer | Promise<SendAnswer> = (key) => ({
    outcome: 'accepted',
    reference: `pout_${key}`,
  });
  word: CheckAnswer = { state: 'processing' };

  async send(_payout: unknown, key: string): Promise<SendAnswer> {
    this.sent.push(key);
    this.paid.add(key);
    return this.answer(key);
  }

  check(): Promise<CheckAnswer> {
    return Promise.resolve(this.word);
  }
}

let gateway: FakeGateway;
let channels: ReadonlyMap<number, PayoutChannel>;
beforeEach(() => {
  gateway = new FakeGateway();
  channels = new Map([[GATEWAY_PAYOUT, gateway]]);
});

const make = () => payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
const read = async (id: bigint): Promise<PayoutOrder> => (await readPayouts(world.platform.db, [id]))[0]!;
const desk = () => viewerOf(world.platform, { role: 'admin' });
async function ask(): Promise<void> {
  world.clock.advance(16 * SECOND);
  await askGateways(world.platform, channels);
}
const ledgerOf = async (id: bigint) =>
  world.platform.db.query<{ bucket: string; amount: bigint }>(sql`
    select a.bucket, e.amount from postings p join ledger_entries e on e.posting_id = p.id
    join ledger_accounts a on a.id = e.account_id where p.order_id = ${id} and p.kind = 'payoutCompleted' order by 1`);

test('a gateway payout is sent by its order id, accepted, in progress, processed, and paid out of the float', async () => {
  const { id } = await make();
  await dispatchWaiting(world.platform, channels);
  expect(gateway.sent).toEqual([String(id)]);
  expect(await read(id)).toMatchObject({ status: 8, gatewayRef: `pout_${id}`, lockedBy: null });
  await ask();
  expect((await read(id)).status).toBe(2);
  const utr = newReference();
  gateway.word = { state: 'processed', utr };
  await ask();
  expect(await read(id)).toMatchObject({ status: 3, utr, unproven: false, supplierId: null });
  expect(await ledgerOf(id)).toEqual([
    { bucket: 'float', amount: 500_00n },
    { bucket: 'frozen', amount: -515_00n },
    { bucket: 'revenue', amount: 15_00n },
  ]);
});

test('two nodes that dispatch at once send each payout once', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, make));
  await Promise.all(
    Array.from({ length: 6 }, (_, n) => dispatchWaiting(n % 2 ? world.platform : other, channels)),
  );
  await dispatchWaiting(world.platform, channels);
  expect(gateway.sent.toSorted()).toEqual(made.map(({ id }) => String(id)).toSorted());
});

test('an unknown outcome waits in 7, is asked about for as long as it takes, and is never sent again', async () => {
  const { id } = await make();
  gateway.answer = () => {
    throw new Error('socket hang up');
  };
  await dispatchWaiting(world.platform, channels);
  expect((await read(id)).status).toBe(7);
  gateway.word = { state: 'unknown' };
  for (let hour = 0; hour < 5; hour += 1) {
    world.clock.advance(60 * MINUTE);
    await dispatchWaiting(world.platform, channels);
    await ask();
    await recoverSends(world.platform);
    await expireSubmitted(world.platform);
  }
  gateway.word = { state: 'processing' };
  await ask();
  expect((await read(id)).status).toBe(7);
  expect(gateway.sent).toEqual([String(id)]);
  gateway.word = { state: 'processed', utr: null };
  await ask();
  expect(await read(id)).toMatchObject({ status: 3, utr: null });
});

test('a node killed between the send and its record leaves a payout to be confirmed, not to be resent', async () => {
  const { id } = await make();
  // The node loses its database at the moment the gateway has received the send.
  let dead = false;
  const db: Database = {
    ...world.platform.db,
    tx: (work) => (dead ? Promise.reject(new Error('killed')) : world.platform.db.tx(work)),
  };
  gateway.answer = (key) => {
    dead = true;
    return { outcome: 'accepted', reference: `pout_${key}` };
  };
  await expect(dispatchWaiting({ ...world.platform, db }, channels)).rejects.toThrow('killed');
  expect(await read(id)).toMatchObject({ status: 1, lockedBy: 'gateway' });
  expect(await reject(world.platform, desk(), { orderId: id, reason: 'x' })).toMatchObject({
    code: 'actionNotAllowed',
  });
  await dispatchWaiting(other, channels);
  await recoverSends(other);
  expect((await read(id)).status).toBe(1);
  world.clock.advance(2 * MINUTE);
  await recoverSends(other);
  await dispatchWaiting(other, channels);
  expect(await read(id)).toMatchObject({ status: 7, lockedBy: null });
  expect(gateway.sent).toEqual([String(id)]);
  gateway.word = { state: 'processed', utr: newReference() };
  await ask();
  expect((await read(id)).status).toBe(3);
});

test('a refused payout is an error; reselected it is sent anew, with another key', async () => {
  const { id } = await make();
  gateway.answer = () => ({ outcome: 'refused', reason: 'low balance' });
  await dispatchWaiting(world.platform, channels);
  expect((await read(id)).status).toBe(9);
  await reselectPayout(world.platform, desk(), id);
  gateway.answer = (key) => ({ outcome: 'accepted', reference: `pout_${key}` });
  await dispatchWaiting(world.platform, channels);
  expect(gateway.sent).toEqual([String(id), `${id}-2`]);
  gateway.word = { state: 'failed', reason: 'beneficiary bank offline' };
  await ask();
  expect((await read(id)).status).toBe(9);
  expect(await reject(world.platform, desk(), { orderId: id, reason: 'Bank is down' })).toMatchObject({
    status: 6,
    rejectReason: 'Bank is down',
  });
});

test('a payout submitted or in progress without an answer for half an hour goes to be confirmed', async () => {
  const [a, b] = [await make(), await make()];
  await dispatchWaiting(world.platform, channels);
  await ask();
  await world.platform.db.query(sql`update payout_orders set status = 8 where id = ${a.id}`);
  await world.owner.query(
    sql`update order_events set to_status = 8 where order_id = ${a.id} and kind = 'accepted'`,
  );
  world.clock.advance(30 * MINUTE);
  expect(await expireSubmitted(world.platform)).toBeGreaterThanOrEqual(2);
  expect([(await read(a.id)).status, (await read(b.id)).status]).toEqual([7, 7]);
});

test('an order unlocked and rejected while the gateway was thinking stays rejected; the answer is noted', async () => {
  const { id } = await make();
  let answer: (answer: SendAnswer) => void = () => {};
  gateway.answer = () => new Promise((resolve) => (answer = resolve));
  const sending = dispatchWaiting(world.platform, channels);
  await expect.poll(() => gateway.sent.length).toBe(1);
  await unlock(world.platform, desk(), id);
  await reject(world.platform, desk(), { orderId: id, reason: 'Asked for by the merchant' });
  answer({ outcome: 'accepted', reference: 'pout_late' });
  await sending;
  expect(await read(id)).toMatchObject({ status: 6, gatewayRef: 'pout_late' });
  const events = await world.platform.db.query<{ kind: string }>(
    sql`select kind from order_events where order_id = ${id} order by id`,
  );
  expect(events.map(({ kind }) => kind)).toEqual([
    'created',
    'dispatched',
    'unlocked',
    'rejecting',
    'rejected',
    'submitted',
    // The payout may still be paid: the admins are notified.
    'contradicted',
  ]);
});

test('of a cancellation and a dispatch at once one wins: no cancelled payout is sent', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await make();
    const [cancelled] = await Promise.all([
      cancel(world.platform, desk(), id),
      dispatchWaiting(other, channels),
    ]);
    // A payout that the dispatch passed over, because the cancellation had locked it, is cancelled by now.
    await dispatchWaiting(other, channels);
    const wasSent = gateway.sent.includes(String(id));
    expect([isRefusal(cancelled) ? cancelled.code : cancelled.status, wasSent]).toEqual(
      wasSent ? ['actionNotAllowed', true] : [4, false],
    );
  }
});
