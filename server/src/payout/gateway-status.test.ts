import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CheckAnswer, PayoutChannel, SendAnswer } from '../channels/payout-channel.ts';
import { HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { type Database, sql } from '../platform/db/database.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting, makeGatewayAccount, payerWithoutLimits } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeSupplier, viewerOf } from '../testing/world.ts';
import { askAboutEnded, askGateways, recordGatewayStatus } from './ask-gateways.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { expireClaims } from './expire-claims.ts';
import { applyGatewayStatus } from './gateway-webhook.ts';
import type { PayoutOrder } from './order.ts';
import { reselectPayout } from './reselect.ts';
import { readPayouts } from './store.ts';

let world: TestPlatform;
let shop: PayoutShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

/** The gateway's answer to a send, and to every question about it. */
let answer: SendAnswer;
let word: CheckAnswer;
const channel: PayoutChannel = {
  send: () => Promise.resolve(answer),
  check: ({ key }) => {
    asked.push(key);
    return Promise.resolve(word);
  },
};
/** Keys the gateway was asked about. */
const asked: string[] = [];
const channels = new Map([[GATEWAY_PAYOUT, channel]]);
beforeEach(() => {
  answer = { outcome: 'accepted', reference: 'pout_1' };
  word = { state: 'processing' };
});

async function sent(): Promise<bigint> {
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await dispatchWaiting(world.platform, channels);
  return id;
}
const read = async (id: bigint): Promise<PayoutOrder> => (await readPayouts(world.platform.db, [id]))[0]!;
const desk = () => viewerOf(world.platform, { role: 'admin' });
function done<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(`refused ${result.code}`);
  return result;
}

test('what a gateway says of an attempt that failed does not end the claim of the supplier who took it on', async () => {
  const { supplierId } = await makeSupplier(world.platform, { products: [GATEWAY_PAYOUT], deposit: 0n });
  const supplier = viewerOf(world.platform, { role: 'supplier', supplierId });
  answer = { outcome: 'refused', reason: 'low balance' };
  const id = await sent();
  done(await reselectPayout(world.platform, desk(), id));
  done(await claim(world.platform, supplier, id));
  world.clock.advance(31 * MINUTE);
  await expireClaims(world.platform);
  expect(await read(id)).toMatchObject({ status: 7, attempt: 1 });
  word = { state: 'failed', reason: 'low balance' };
  world.clock.advance(16 * SECOND);
  expect(await askGateways(world.platform, channels)).toBe(0);
  expect(await recordGatewayStatus(world.platform, { id, attempt: 1 }, word)).toBe(false);
  const paid = done(await confirmPaid(world.platform, supplier, { orderId: id, utr: newReference() }));
  expect(paid).toMatchObject({ status: 3, supplierId });
});

test('a payout that a person confirmed is not taken back on the gateway’s word: the admins are told, once', async () => {
  answer = { outcome: 'unknown', reason: 'no answer' };
  const id = await sent();
  done(await confirmPaid(world.platform, desk(), { orderId: id, utr: newReference() }));
  word = { state: 'failed', reason: 'never processed' };
  for (let round = 0; round < 2; round += 1) {
    world.clock.advance(7 * HOUR);
    await askAboutEnded(world.platform, channels);
  }
  expect(await read(id)).toMatchObject({ status: 3, reversedAt: null });
  const events = await world.platform.db.query(sql`
    select reason, data from order_events where order_id = ${id} and kind = 'contradicted'`);
  expect(events).toEqual([{ reason: 'never processed', data: { said: 'failed', attempt: 1 } }]);
  const notices = await world.platform.db.query(sql`
    select m.kind, m.data from inbox_messages m where m.user_id = ${shop.adminId}`);
  expect(notices).toEqual([
    { kind: 'gatewaySaysFailed', data: { order: String(id), reason: 'never processed' } },
  ]);
});

test('a payout said to be paid by a UTR of another order waits to be confirmed, and the admins are told, once', async () => {
  const utr = newReference();
  const [paid, doubted] = [await sent(), await sent()];
  word = { state: 'processed', utr };
  await recordGatewayStatus(world.platform, { id: paid, attempt: 1 }, word);
  for (let told = 0; told < 2; told += 1)
    expect(await recordGatewayStatus(world.platform, { id: doubted, attempt: 1 }, word)).toBe(false);
  expect(await read(doubted)).toMatchObject({ status: 7, utr: null });
  const notices = await world.platform.db.query(sql`
    select kind, data from inbox_messages where user_id = ${shop.adminId} and data->>'order' = ${String(doubted)}`);
  expect(notices).toEqual([{ kind: 'claimContradicted', data: { order: String(doubted), utr } }]);
});

test('a status whose transaction runs again and then finds the payout completed counts as not applied', async () => {
  const { platform } = world;
  const id = await sent();
  let tries = 0;
  const db: Database = {
    ...platform.db,
    tx: async (work) => {
      tries += 1;
      const aborted = platform.db.tx(async (tx) => {
        await work(tx);
        throw new Error('deadlock detected');
      });
      await expect(aborted).rejects.toThrow('deadlock detected');
      await recordGatewayStatus(platform, { id, attempt: 1 }, { state: 'processed', utr: newReference() });
      return platform.db.tx(work);
    },
  };
  const reversed = { state: 'failed', reason: 'reversed' } as const;
  expect(await recordGatewayStatus({ ...platform, db }, { id, attempt: 1 }, reversed)).toBe(false);
  expect(tries).toBe(1);
  expect((await read(id)).status).toBe(3);
});

test('payouts that get no answer do not keep later payouts from being asked about', async () => {
  const make = () => payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  const made = [];
  for (let n = 0; n < 33; n += 1) made.push(await make());
  while ((await dispatchWaiting(world.platform, channels)) > 0);
  word = { state: 'unknown' };
  asked.length = 0;
  for (let round = 0; round < 2; round += 1) {
    // As long as one question may last: by then each payout is due to be asked about again.
    world.clock.advance(20 * SECOND);
    expect(await askGateways(world.platform, channels)).toBe(32);
  }
  expect(asked).toContain(String(made.at(-1)!.id));
});

test('a gateway’s word about an attempt takes back nothing that a later attempt has paid meanwhile', async () => {
  const { platform } = world;
  const accountId = await makeGatewayAccount(platform, shop.supplierId);
  const payers = () => Promise.resolve([payerWithoutLimits(accountId)]);
  const own = new Map([[GATEWAY_PAYOUT, { ...channel, payers }]]);
  answer = { outcome: 'refused', reason: 'low balance' };
  const { id } = await payOut(platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await dispatchWaiting(platform, own);
  let isBegunAnew = false;
  /** The node stands still after its first look at the payout, while the desk and another node go on. */
  async function beginAnew(): Promise<void> {
    isBegunAnew = true;
    done(await reselectPayout(platform, desk(), id));
    answer = { outcome: 'accepted', reference: 'pout_2' };
    await dispatchWaiting(platform, own);
    const paid = { state: 'processed', utr: newReference() } as const;
    expect(await recordGatewayStatus(platform, { id, attempt: 2 }, paid)).toBe(true);
  }
  const query: Database['query'] = async (statement) => {
    const rows = await platform.db.query<never>(statement);
    if (!isBegunAnew) await beginAnew();
    return rows;
  };
  await applyGatewayStatus({ ...platform, db: { ...platform.db, query } }, accountId, {
    key: String(id),
    reference: 'pout_1',
    amount: null,
    answer: { state: 'failed', reason: 'low balance' },
    event: 'payout.failed',
  });
  expect(await read(id)).toMatchObject({ status: 3, attempt: 2, reversedAt: null });
});
