import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import type { GatewayProvider } from '@sangam/contract/gateways.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatewayAccess } from '../accounts/paying-gateway.ts';
import { builtInGateways } from '../channels/payout-channels.ts';
import type { PayoutChannel } from '../channels/payout-channel.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { dispatchWaiting, GATEWAY_KEYS, makeGatewayAccount, payerWithoutLimits } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import type { Viewer } from '../platform/viewer.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { isRefusal } from '../platform/refusal.ts';
import { cancelByMerchant } from './cancel.ts';
import { notifyContradiction } from './contradicted.ts';
import { confirmPaid } from './confirm-paid.ts';
import { listGateways } from './list-gateways.ts';
import { reject } from './reject.ts';
import { reselectPayout } from './reselect.ts';
import { lockPayouts, readPayouts } from './store.ts';

let world: TestPlatform;
let app: FastifyInstance;
let shop: PayoutShop;
const accounts = {} as Record<GatewayProvider, bigint>;
beforeAll(async () => {
  world = await createTestPlatform();
  app = await world.app();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
  for (const provider of ['razorpayx', 'cashfree'] as const)
    accounts[provider] = await makeGatewayAccount(world.platform, shop.supplierId, provider);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

/** A payout that was sent, with its answer lost or not. */
async function sent(
  provider: GatewayProvider,
  outcome: 'accepted' | 'unknown' = 'accepted',
): Promise<bigint> {
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  const channel: PayoutChannel = {
    payers: () => Promise.resolve([payerWithoutLimits(accounts[provider])]),
    send: (_payout, key) =>
      Promise.resolve(
        outcome === 'accepted' ? { outcome, reference: `pout_${key}` } : { outcome, reason: 'no answer' },
      ),
    check: () => Promise.resolve({ state: 'unknown' }),
  };
  await dispatchWaiting(world.platform, new Map([[GATEWAY_PAYOUT, channel]]));
  return id;
}
const read = async (id: bigint) => (await readPayouts(world.platform.db, [id]))[0]!;
const desk = () => viewerOf(world.platform, { role: 'admin' });
/** The notices that the admin got about an order. */
const noticesOf = async (id: bigint) =>
  (
    await world.platform.db.query<{ kind: string }>(sql`
      select kind from inbox_messages where user_id = ${shop.adminId} and data->>'order' = ${String(id)}`)
  ).map(({ kind }) => kind);

interface Told {
  readonly status: string;
  readonly key: string;
  readonly utr?: string;
  readonly amount?: number;
  readonly eventId?: string;
  readonly agoMs?: number;
}
let events = 0;
async function razorpay(
  { status, key, utr, amount = 500_00, eventId, agoMs = 0 }: Told,
  secret = 'whsec_test',
) {
  events += 1;
  const payload = {
    entity: 'event',
    account_id: 'acc_1',
    event: `payout.${status}`,
    contains: ['payout'],
    payload: { payout: { entity: { id: `pout_${key}`, status, utr, amount, reference_id: key } } },
    created_at: Math.floor((world.clock.now().getTime() - agoMs) / 1000),
  };
  const body = JSON.stringify(payload);
  return post(accounts.razorpayx, body, {
    'x-razorpay-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'x-razorpay-event-id': eventId ?? `event${events}`,
  });
}
async function cashfree({ status, key, utr, amount = 500_00, agoMs = 0 }: Told) {
  const timestamp = String(Math.floor((world.clock.now().getTime() - agoMs) / 1000));
  const data = {
    transfer_id: key,
    cf_transfer_id: `77${key}`,
    status,
    transfer_utr: utr,
    transfer_amount: amount / 100,
  };
  const body = JSON.stringify({ type: `TRANSFER_${status}`, event_time: timestamp, data });
  const signature = createHmac('sha256', GATEWAY_KEYS.webhookSecret)
    .update(timestamp + body)
    .digest('base64');
  return post(accounts.cashfree, body, {
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signature,
  });
}
async function post(accountId: bigint, payload: string, headers: Record<string, string>) {
  const answer = await app.inject({
    method: 'POST',
    url: `/v1.0/gateway/${accountId}/webhook`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return [answer.statusCode, answer.json<{ status: string }>().status];
}

test('signatures are those of the gateways: the known vectors', async () => {
  const gateways = builtInGateways(world.platform.config);
  const access = { accountNumber: 'x', keyId: 'k', keySecret: 'cs_test', webhookSecret: 'whsec_test' };
  const message = (body: string, headers: Record<string, string>) => ({
    header: (name: string) => headers[name],
    body: Buffer.from(body),
  });
  // The signature is right, but the event is incomplete.
  const razorpayx = message('{"event":"payout.processed"}', {
    'x-razorpay-signature': 'd8f6a7dcc1f6669052a008edeeed107bf158fe4f316e84a59bdae14791448fd7',
  });
  expect(
    gateways.razorpayx.readWebhook({ ...access, provider: 'razorpayx' }, razorpayx, new Date(0)),
  ).toEqual({
    kind: 'refused',
    reason: 'unread',
  });
  const vector = message('{"type":"TRANSFER_SUCCESS"}', {
    'x-webhook-timestamp': '1700000000',
    'x-webhook-signature': 'Eenb/JIcYfcY/d/HIrVbgxkEghx6qF68BexqKwxqgOI=',
  });
  const own = { ...access, provider: 'cashfree' as const, webhookSecret: undefined };
  const at = (seconds: number) => gateways.cashfree.readWebhook(own, vector, new Date(seconds * 1000));
  expect(at(1_700_000_299)).toMatchObject({ kind: 'other', event: 'TRANSFER_SUCCESS' });
  expect([at(1_700_000_301), at(1_699_999_699)]).toEqual(Array(2).fill({ kind: 'refused', reason: 'stale' }));
});

test.each([
  ['razorpayx', 'processed', razorpay],
  ['cashfree', 'SUCCESS', cashfree],
] as const)(
  '%s: a payout of unknown outcome is completed by the event; told again it changes nothing',
  async (provider, status, tell) => {
    const id = await sent(provider, 'unknown');
    expect((await read(id)).status).toBe(7);
    const utr = newReference();
    const event = { status, key: String(id), utr, eventId: `once-${provider}` };
    expect(await tell(event)).toEqual([200, 'ok']);
    expect(await read(id)).toMatchObject({
      status: 3,
      utr,
      gatewayRef: provider === 'cashfree' ? `77${id}` : `pout_${id}`,
    });
    expect(await tell(event)).toEqual([200, 'known']);
  },
);

test('events in the wrong order: reversed before processed leaves the payout failed, processing after the end is nothing', async () => {
  const [back, paid] = [await sent('razorpayx'), await sent('razorpayx')];
  await razorpay({ status: 'reversed', key: String(back) });
  await razorpay({ status: 'processed', key: String(back), utr: newReference() });
  expect((await read(back)).status).toBe(9);
  await razorpay({ status: 'processed', key: String(paid), utr: newReference() });
  await razorpay({ status: 'processing', key: String(paid) });
  expect((await read(paid)).status).toBe(3);
  await razorpay({ status: 'reversed', key: String(paid) });
  const reversed = await read(paid);
  expect([reversed.status, reversed.reversedAt]).toEqual([6, expect.any(Date)]);
});

test('an event about a failed attempt does not change the attempt after it', async () => {
  const id = await sent('cashfree');
  await cashfree({ status: 'FAILED', key: String(id) });
  expect((await read(id)).status).toBe(9);
  await reselectPayout(world.platform, desk(), id);
  await sent('cashfree');
  expect((await read(id)).attempt).toBe(2);
  await cashfree({ status: 'SUCCESS', key: String(id), utr: newReference() });
  expect((await read(id)).status).toBe(8);
  expect(await noticesOf(id)).toEqual(['gatewaySaysPaid']);
  await cashfree({ status: 'SUCCESS', key: `${id}_2`, utr: newReference() });
  expect((await read(id)).status).toBe(3);
});

test('a payout that a person confirmed is not reversed; a payment of the gateway beside it is reported', async () => {
  const id = await sent('razorpayx', 'unknown');
  const utr = newReference();
  await confirmPaid(world.platform, desk(), { orderId: id, utr });
  expect(await razorpay({ status: 'processed', key: String(id), utr })).toEqual([200, 'ok']);
  expect(await noticesOf(id)).toEqual([]);
  expect(await razorpay({ status: 'failed', key: String(id) })).toEqual([200, 'ok']);
  expect(await razorpay({ status: 'processed', key: String(id), utr: newReference() })).toEqual([200, 'ok']);
  expect(await read(id)).toMatchObject({ status: 3, reversedAt: null, utr });
  expect(await noticesOf(id)).toEqual(['gatewaySaysFailed', 'gatewaySaysPaid']);
});

test('a payment by the gateway after a person had ended the payout is reported, whichever attempt paid', async () => {
  const id = await sent('razorpayx', 'unknown');
  await reject(world.platform, desk(), { orderId: id, reason: 'no word' });
  await razorpay({ status: 'processed', key: String(id), utr: newReference() });
  await razorpay({ status: 'processed', key: String(id), utr: newReference() });
  expect((await read(id)).status).toBe(6);
  expect(await noticesOf(id)).toEqual(['gatewaySaysPaid']);

  const again = await sent('razorpayx');
  await razorpay({ status: 'failed', key: String(again) });
  await reselectPayout(world.platform, desk(), again);
  await reject(world.platform, desk(), { orderId: again, reason: 'not wanted' });
  await razorpay({ status: 'processed', key: String(again), utr: newReference() });
  expect((await read(again)).status).toBe(6);
  expect(await noticesOf(again)).toEqual(['gatewaySaysPaid']);
});

test('a payout that failed and was paid after all, as the gateway says, is neither paid again nor refunded by one person alone', async () => {
  await world.platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  const admin = viewerOf(world.platform, { role: 'admin', userId: shop.adminId });
  const refused = (result: unknown) => isRefusal(result) && result.code;
  const waits = await sent('razorpayx');
  await razorpay({ status: 'failed', key: String(waits) });
  await reselectPayout(world.platform, desk(), waits);
  await razorpay({ status: 'processed', key: String(waits), utr: newReference() });
  const merchant = { id: shop.merchantId, ip: '127.0.0.1' };
  expect(refused(await cancelByMerchant(world.platform, merchant, waits))).toBe('actionNotAllowed');
  const failed = await sent('razorpayx');
  expect([(await read(waits)).status, (await read(waits)).frozen]).toEqual([0, true]);
  await razorpay({ status: 'failed', key: String(failed) });
  await razorpay({ status: 'processed', key: String(failed), utr: newReference() });
  const reason = { orderId: failed, reason: 'failed' };
  expect(refused(await reject(world.platform, admin, reason))).toBe('actionNotAllowed');
});

const unfreeze = (viewer: Viewer, id: bigint) =>
  setFrozen(world.platform, viewer, {
    subjectKind: 'order',
    subjectId: String(id),
    frozen: false,
    reason: 'seen',
  });
const admin = async () =>
  viewerOf(world.platform, {
    role: 'admin',
    userId: (await makeUser(world.platform, { role: 'admin' })).id,
  });
/** Approves, as this person, the request that the answer names. */
const agree = async (answer: unknown) => {
  const id = BigInt((answer as { data: { todoId: string } }).data.todoId);
  return decide(world.platform, APPROVAL_HANDLERS, await admin(), { id, approve: true });
};

test('a payout that failed and was paid after all is unfrozen by two people, who have seen every such report', async () => {
  const id = await sent('razorpayx');
  await razorpay({ status: 'failed', key: String(id) });
  await razorpay({ status: 'processed', key: String(id), utr: newReference() });
  const one = await admin();
  const asked = await unfreeze(one, id);
  expect([asked, (await read(id)).frozen]).toMatchObject([{ code: 'approvalNeeded' }, true]);
  const again = await unfreeze(one, id);
  expect(await agree(asked)).toMatchObject({ status: 'approved' });
  expect((await read(id)).frozen).toBe(false);
  expect(await agree(again)).toMatchObject({ code: 'conflict' });
  expect(await reselectPayout(world.platform, one, id)).toMatchObject({ status: 0, frozen: false });
});

test('a report that comes after somebody asked to unfreeze needs another request', async () => {
  const id = await sent('razorpayx');
  await razorpay({ status: 'failed', key: String(id) });
  await razorpay({ status: 'processed', key: String(id), utr: newReference() });
  const asked = await unfreeze(await admin(), id);
  await world.platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [id]);
    await notifyContradiction(world.platform, tx, order!, { said: 'accepted', attempt: 1 });
  });
  expect(await agree(asked)).toMatchObject({ code: 'conflict' });
});

test('a payout that an earlier attempt paid is not paid again by one person when a later attempt fails', async () => {
  const id = await sent('cashfree');
  await cashfree({ status: 'FAILED', key: String(id) });
  await reselectPayout(world.platform, desk(), id);
  await sent('cashfree');
  await cashfree({ status: 'SUCCESS', key: String(id), utr: newReference() });
  await cashfree({ status: 'FAILED', key: `${id}_2` });
  expect(await read(id)).toMatchObject({ status: 9, frozen: true });
  expect(await unfreeze(await admin(), id)).toMatchObject({ code: 'approvalNeeded' });
});

test('a payout that the gateway paid, took back and says it paid again is reported once', async () => {
  const id = await sent('razorpayx');
  const utr = newReference();
  const say = (status: string) => razorpay({ status, key: String(id), utr });
  await say('processed');
  await say('reversed');
  await say('processed');
  await say('processed');
  expect((await read(id)).status).toBe(6);
  expect(await noticesOf(id)).toEqual(['gatewaySaysPaid']);
});

test('a payout that the gateway paid with another amount waits to be confirmed, and is reported where it was refunded', async () => {
  const [open, refunded] = [await sent('razorpayx'), await sent('razorpayx')];
  await razorpay({ status: 'failed', key: String(refunded) });
  await reject(world.platform, desk(), { orderId: refunded, reason: 'failed' });
  for (const id of [open, refunded])
    await razorpay({ status: 'processed', key: String(id), utr: newReference(), amount: 500_01 });
  expect((await read(open)).status).toBe(7);
  expect(await noticesOf(refunded)).toEqual(['gatewaySaysPaid']);
});

test('forged, old, of another account: none has an effect', async () => {
  const id = await sent('razorpayx');
  const event = { status: 'processed', key: String(id), utr: newReference() };
  expect(await razorpay(event, 'wrong')).toEqual([401, 'signature']);
  expect(await razorpay({ ...event, agoMs: 26 * HOUR })).toEqual([400, 'stale']);
  expect(await cashfree({ ...event, status: 'SUCCESS', agoMs: 6 * MINUTE })).toEqual([400, 'stale']);
  expect(await cashfree({ ...event, status: 'SUCCESS' })).toEqual([200, 'ok']);
  expect((await post(9n, '{}', {}))[0]).toBe(404);
  expect((await read(id)).status).toBe(8);
  const outcomes = await world.platform.db.query<{ outcome: string }>(
    sql`select outcome from gateway_events where reference in (${`pout_${id}`}, ${`77${id}`})`,
  );
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['unknownPayout']);
});

test('rubbish is refused, whatever it is', async () => {
  for (const body of ['', '{', 'null', '[]', '{"event":1}', '\u0000', 'x'.repeat(1000)]) {
    const signature = createHmac('sha256', 'whsec_test').update(body).digest('hex');
    expect(await post(accounts.razorpayx, body, { 'x-razorpay-signature': signature })).toEqual([
      400,
      'unread',
    ]);
  }
  expect((await post(accounts.razorpayx, '{}', {}))[0]).toBe(401);
});

test('an event whose effect was not written down is worked on again', async () => {
  const id = await sent('razorpayx');
  const event = { status: 'processed', key: String(id), utr: newReference(), eventId: 'half' };
  await world.platform.db.query(sql`
    insert into gateway_events (account_id, event_id, event, received_at)
    values (${accounts.razorpayx}, 'half', 'payout.processed', ${world.clock.now()})`);
  expect(await razorpay(event)).toEqual([200, 'ok']);
  expect((await read(id)).status).toBe(3);
});

test('the list of gateways counts what they told and what is under way, and shows no secret', async () => {
  const page = await listGateways(world.platform, viewerOf(world.platform, { role: 'superAdmin' }), {});
  if (!('list' in page)) throw new Error('refused');
  const row = page.list.find(({ id }) => id === String(accounts.razorpayx))!;
  expect(row).toMatchObject({
    provider: 'razorpayx',
    credentialsSet: true,
    webhookUrl: `http://127.0.0.1:0/v1.0/gateway/${row.id}/webhook`,
  });
  expect(row.eventsToday).toBeGreaterThan(5);
  expect(row.payoutsOpen).toBeGreaterThan(0);
  expect(inspect(page, { depth: 9 })).not.toContain('secret');
  expect(await gatewayAccess(world.platform, accounts.cashfree)).toMatchObject({ provider: 'cashfree' });
});

test('a reversal told once, while the payout is frozen, is done when it is unfrozen, however late', async () => {
  const id = await sent('razorpayx');
  await razorpay({ status: 'processed', key: String(id), utr: newReference() });
  const viewer = viewerOf(world.platform, { role: 'admin', userId: shop.adminId });
  const subject = { subjectKind: 'order', subjectId: String(id), reason: 'the police ask' } as const;
  await setFrozen(world.platform, viewer, { ...subject, frozen: true });
  expect(await razorpay({ status: 'reversed', key: String(id), eventId: 'whileFrozen' })).toEqual([
    200,
    'ok',
  ]);
  expect((await read(id)).status).toBe(3);
  const [event] = await world.platform.db.query(sql`
    select outcome from gateway_events where event_id = 'whileFrozen'`);
  expect(event).toEqual({ outcome: 'held' });
  world.clock.advance(9 * DAY);
  await setFrozen(world.platform, viewer, { ...subject, frozen: false });
  expect(await read(id)).toMatchObject({ status: 6, reversedAt: world.clock.now() });
});
