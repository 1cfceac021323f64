import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPayers } from '../accounts/payers.ts';
import type { PayoutChannel } from '../channels/payout-channel.ts';
import { createCashfree } from '../channels/gateway/cashfree.ts';
import { createRazorpayX } from '../channels/gateway/razorpayx.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting, GATEWAY_KEYS, makeGatewayAccount } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { askAboutEnded, recordGatewayStatus } from './ask-gateways.ts';
import { readPayouts } from './store.ts';

let world: TestPlatform;
let shop: PayoutShop;
let accountId: bigint;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
  accountId = await makeGatewayAccount(world.platform, shop.supplierId);
});
beforeEach(async () => {
  await world.platform.db.query(sql`update payout_orders set frozen = true where status = 0`);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const make = () => payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
const statusOf = async (id: bigint) => (await readPayouts(world.platform.db, [id]))[0]!.status;

/** A channel of either provider. Its gateway answers every call with the same HTTP status and counts the sends. */
function answering(maker: 'razorpayx' | 'cashfree', status: number) {
  const calls = { sent: 0 };
  const body = maker === 'razorpayx' ? { error: { code: 'BAD_REQUEST_ERROR' } } : { code: 'refused' };
  const wire = () => {
    calls.sent += 1;
    return Promise.resolve({ status, body });
  };
  const options = { url: 'http://127.0.0.1:9', wire };
  const gateway = maker === 'razorpayx' ? createRazorpayX(options) : createCashfree(options);
  const access = { ...GATEWAY_KEYS, accountNumber: '7878780080316316', provider: maker } as never;
  const channel: PayoutChannel = {
    payers: () => openPayers(world.platform, world.platform.db, 'gateway', GATEWAY_PAYOUT),
    send: (payout, key) => gateway.send(access, payout, key),
    check: () => Promise.resolve({ state: 'unknown' }),
  };
  return { calls, channels: new Map([[GATEWAY_PAYOUT, channel]]) };
}

test.each(['razorpayx', 'cashfree'] as const)(
  'too many calls (429) of %s: the payout waits and is sent later',
  async (maker) => {
    const { calls, channels } = answering(maker, 429);
    const { id } = await make();
    await dispatchWaiting(world.platform, channels);
    expect([await statusOf(id), calls.sent]).toEqual([0, 1]);
    await dispatchWaiting(world.platform, channels);
    expect(calls.sent).toBe(1);
    world.clock.advance(6 * MINUTE);
    await dispatchWaiting(world.platform, channels);
    expect([await statusOf(id), calls.sent]).toEqual([0, 2]);
  },
);

test.each(['razorpayx', 'cashfree'] as const)(
  'wrong keys (401) of %s: its account is closed, admins are told, all payouts wait',
  async (maker) => {
    const { calls, channels } = answering(maker, 401);
    const made = [];
    for (let n = 0; n < 20; n += 1) made.push((await make()).id);
    await world.platform.db.query(sql`delete from inbox_messages`);
    for (let round = 0; round < 3; round += 1) {
      await dispatchWaiting(world.platform, channels);
      world.clock.advance(6 * MINUTE);
    }
    expect(calls.sent).toBeLessThanOrEqual(16);
    expect(new Set(await Promise.all(made.map(statusOf)))).toEqual(new Set([0]));
    const state = () =>
      world.platform.db.query(sql`select state from resources where account_id = ${accountId}`);
    expect(await state()).toEqual([{ state: 1 }]);
    const notices = await world.platform.db.query(
      sql`select kind, data ->> 'account' as account from inbox_messages where user_id = ${shop.adminId}`,
    );
    expect(notices).toEqual([{ kind: 'gatewayPaused', account: String(accountId) }]);
    await world.platform.db.query(sql`update resources set state = 0 where account_id = ${accountId}`);
  },
);

test('an account that was switched off after it was chosen sends nothing', async () => {
  const { platform } = world;
  const switchTo = (state: 0 | 1) =>
    platform.db.query(sql`update resources set state = ${state} where account_id = ${accountId}`);
  await switchTo(0);
  // USDT wallets are looked at every five seconds, so what a node knows of them may be as old.
  const chosen = await openPayers(platform, platform.db, 'gateway', GATEWAY_PAYOUT);
  expect(chosen).toHaveLength(1);
  const sent: string[] = [];
  const channel: PayoutChannel = {
    payers: () => Promise.resolve(chosen),
    send: (_payout, key) => {
      sent.push(key);
      return Promise.resolve({ outcome: 'accepted', reference: key });
    },
    check: () => Promise.resolve({ state: 'unknown' }),
  };
  const channels = new Map([[GATEWAY_PAYOUT, channel]]);
  const { id } = await make();
  await switchTo(1);
  await dispatchWaiting(platform, channels);
  expect([await statusOf(id), sent]).toEqual([0, []]);
  await switchTo(0);
  await dispatchWaiting(platform, channels);
  expect(sent).toEqual([String(id)]);
});

test('a completed payout is asked about for a week from its completion, all that are due in one run', async () => {
  const asked: string[] = [];
  const channel: PayoutChannel = {
    send: (_payout, key) => Promise.resolve({ outcome: 'accepted', reference: `pout_${key}` }),
    check({ key }) {
      asked.push(key);
      return Promise.resolve({ state: 'processing' });
    },
  };
  const channels = new Map([[GATEWAY_PAYOUT, channel]]);
  const made = [];
  for (let n = 0; n < 40; n += 1) made.push((await make()).id);
  while ((await dispatchWaiting(world.platform, channels)) > 0);
  // The gateway took eight days: counted from the creation, the week would be over and nobody would ask.
  world.clock.advance(8 * DAY);
  for (const id of made)
    await recordGatewayStatus(
      world.platform,
      { id, attempt: 1 },
      { state: 'processed', utr: newReference() },
    );
  world.clock.advance(6 * HOUR + MINUTE);
  expect(await askAboutEnded(world.platform, channels)).toBe(40);
  expect(new Set(asked)).toEqual(new Set(made.map(String)));
  expect(await askAboutEnded(world.platform, channels)).toBe(0);
  world.clock.advance(8 * DAY);
  await askAboutEnded(world.platform, channels);
  world.clock.advance(DAY);
  expect(await askAboutEnded(world.platform, channels)).toBe(0);
});
