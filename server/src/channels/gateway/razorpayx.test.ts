import { getGateways } from '@sangam/contract/endpoints/gateway.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endOf, GATEWAY_ENDS, type GatewayEnd } from '@sangam/simulators/gateway/ends.ts';
import { type SimulatedGateway, startGateway } from '@sangam/simulators/gateway/gateway.ts';
import { HOUR, MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { askBalances } from '../../payout/ask-balances.ts';
import { askAboutEnded, askGateways } from '../../payout/ask-gateways.ts';
import { readPayouts } from '../../payout/store.ts';
import { reselectPayout } from '../../payout/reselect.ts';
import type { Platform } from '../../platform/platform.ts';
import { openPayers } from '../../accounts/payers.ts';
import { gatewayAccess } from '../../accounts/paying-gateway.ts';
import { CAUSES } from '../../alerts/causes.ts';
import { ask } from '../../testing/ask.ts';
import { dispatchWaiting, GATEWAY_KEYS, makeGatewayAccount } from '../../testing/gateway.ts';
import { GATEWAY_PAYOUT, makePayoutShop, newPayout, payOut, type PayoutShop } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { runsOf, SEED } from '../../testing/seed.ts';
import { brokenChecks } from '../../testing/books.ts';
import { viewerOf } from '../../testing/world.ts';
import type { PayoutChannels } from '../payout-channel.ts';
import { createCashfree } from './cashfree.ts';
import { gatewayChannel } from './gateway-channel.ts';
import { scriptPayouts } from '../script/script-payouts.ts';
import { createRazorpayX } from './razorpayx.ts';

let world: TestPlatform;
let shop: PayoutShop;
let accountId: bigint;
let numbers: readonly string[] = [];
let gateway: SimulatedGateway;
let nodes: readonly { readonly node: Platform; readonly channels: PayoutChannels }[];

beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
  accountId = await makeGatewayAccount(world.platform, shop.supplierId);
  gateway = await startGateway({
    ...GATEWAY_KEYS,
    now: () => world.clock.now().getTime(),
    settleMs: 40 * SECOND,
    returnMs: 12 * HOUR,
    funds: 9_999_00,
    accountNumbers: () => numbers,
  });
  nodes = [world.platform, world.anotherNode()].map((node) => ({
    node,
    channels: new Map([
      [
        GATEWAY_PAYOUT,
        gatewayChannel({
          gateways: {
            razorpayx: createRazorpayX({ url: gateway.url, patienceMs: 700 }),
            cashfree: createCashfree({ url: gateway.cashfreeUrl, patienceMs: 700 }),
          },
          script: scriptPayouts(node),
          payers: () => openPayers(node, node.db, 'gateway', GATEWAY_PAYOUT),
          accessOf: (id) => gatewayAccess(node, id),
        }),
      ],
    ]),
  }));
});
afterAll(async () => {
  await gateway.stop();
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

beforeEach(async () => {
  await world.platform.db.query(sql`update accounts set frozen = false where id = ${accountId}`);
});

/** A payee whose account makes the gateway end its payout in this way. */
let payees = 0;
function payeeOf(end: GatewayEnd) {
  payees += 1;
  return {
    ...newPayout(shop.merchantId).payee,
    cardNumber: `5010${String(payees).padStart(6, '0')}${GATEWAY_ENDS[end]}`,
  };
}
const make = async (end: GatewayEnd): Promise<bigint> =>
  (await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT, payee: payeeOf(end) })).id;
const read = async (id: bigint) => (await readPayouts(world.platform.db, [id]))[0]!;
const dispatch = () => dispatchWaiting(nodes[0]!.node, nodes[0]!.channels);
async function askAll(waitMs = 16 * SECOND): Promise<void> {
  world.clock.advance(waitMs);
  while ((await askGateways(nodes[0]!.node, nodes[0]!.channels)) > 0);
}
const takenOf = (id: bigint) =>
  gateway.payouts.filter(({ key }) => key === String(id) || key.startsWith(`${id}-`));

test('gateways say what an account has left; the admins are alerted while it is too little, and nodes ask once', async () => {
  const { platform } = world;
  const [row] = await platform.db.query<{ number: string }>(
    sql`select account_number as number from accounts where id = ${accountId}`,
  );
  const silent = await makeGatewayAccount(platform, shop.supplierId, 'cashfree');
  const shown = async (id: bigint) =>
    (await ask(platform, viewerOf(platform, { role: 'superAdmin' }), getGateways)).list.find(
      (each) => each.id === String(id),
    );
  const poor = async () => {
    await CAUSES.find(({ kind }) => kind === 'gatewayBalanceLow')!.look(platform);
    return platform.db.query(
      sql`select subject, data->>'balance' as balance from alerts where kind = 'gatewayBalanceLow' and closed_at is null`,
    );
  };
  const everyNode = () => Promise.all(nodes.map((each) => askBalances(each.node, each.channels)));
  // Not one of the accounts that the gateway names.
  await everyNode();
  expect(await shown(accountId)).toMatchObject({ balance: null, balanceTime: null });
  expect(await poor()).toEqual([]);
  numbers = ['1', row!.number];
  const inBetween = await everyNode();
  world.clock.advance(5 * MINUTE);
  expect([inBetween.reduce((a, b) => a + b), (await everyNode()).reduce((a, b) => a + b)]).toEqual([0, 2]);
  expect(await shown(accountId)).toMatchObject({ balance: 9_999_00, balanceTime: expect.any(String) });
  expect(await shown(silent)).toMatchObject({ balance: null });
  expect(await poor()).toEqual([
    { subject: String(accountId), balance: expect.stringContaining('9,999.00') },
  ]);
  await platform.db.query(sql`update resources set state = 1 where account_id = ${accountId}`);
  expect(await poor()).toEqual([]);
  await platform.db.query(sql`update resources set state = 0 where account_id = ${accountId}`);
  world.clock.advance(31 * MINUTE);
  expect(await poor()).toEqual([]);
  await platform.db.query(sql`update resources set state = 1 where account_id = ${silent}`);
});

test('a payout is sent in paise with its key, is in progress, and is completed by the gateway’s UTR', async () => {
  const id = await make('success');
  await dispatch();
  const [taken] = takenOf(id);
  expect(taken).toMatchObject({ key: String(id), referenceId: String(id), amount: 500_00, mode: 'IMPS' });
  expect(await read(id)).toMatchObject({ status: 8, gatewayRef: taken!.id, accountId, supplierId: null });
  await askAll();
  expect((await read(id)).status).toBe(2);
  await askAll(MINUTE);
  expect(await read(id)).toMatchObject({ status: 3, utr: taken!.utr });
});

test('a VPA is paid by UPI, and more than five lakh to an account by NEFT', async () => {
  const vpa = await payOut(world.platform, shop.merchantId, {
    productId: GATEWAY_PAYOUT,
    payee: { userName: 'Asha Rao', vpa: 'asha.rao@okhdfcbank' },
  });
  const much = await payOut(world.platform, shop.merchantId, {
    productId: GATEWAY_PAYOUT,
    amount: 6_00_000_00n,
    payee: payeeOf('success'),
  });
  await dispatch();
  expect([takenOf(vpa.id)[0]?.mode, takenOf(much.id)[0]?.mode]).toEqual(['UPI', 'NEFT']);
});

test.each(['errorAfter', 'silentAfter', 'tornAfter'] as const)(
  'an answer lost after the gateway took it (%s): to be confirmed, found by its reference, paid once',
  async (end) => {
    const id = await make(end);
    await dispatch();
    expect(await read(id)).toMatchObject({ status: 7, gatewayRef: null });
    await dispatch();
    await askAll(MINUTE);
    expect(await read(id)).toMatchObject({ status: 3, utr: takenOf(id)[0]!.utr });
    expect(gateway.sends.filter((key) => key.startsWith(String(id)))).toEqual([String(id)]);
  },
);

test('an error of a gateway that took nothing leaves the payout to be confirmed: a person decides', async () => {
  const id = await make('errorBefore');
  await dispatch();
  await askAll(HOUR);
  await dispatch();
  expect((await read(id)).status).toBe(7);
  expect(gateway.sends.filter((key) => key === String(id))).toHaveLength(1);
});

test.each(['refused', 'failed'] as const)(
  '%s is a processing error with the reason of the gateway; reselected it has a new key',
  async (end) => {
    const id = await make(end);
    await dispatch();
    await askAll(MINUTE);
    expect((await read(id)).status).toBe(9);
    await reselectPayout(world.platform, viewerOf(world.platform, { role: 'admin' }), id);
    await dispatch();
    expect(gateway.sends.filter((key) => key.startsWith(String(id)))).toEqual([String(id), `${id}-2`]);
  },
);

test('a completed payout whose money comes back is taken back', async () => {
  const id = await make('reversed');
  await dispatch();
  await askAll(MINUTE);
  expect((await read(id)).status).toBe(3);
  world.clock.advance(13 * HOUR);
  while ((await askAboutEnded(nodes[0]!.node, nodes[0]!.channels)) > 0);
  const back = await read(id);
  expect(back.status).toBe(6);
  expect(back.reversedAt).not.toBeNull();
});

test('without an open account payouts wait; payouts that were sent are still queried', async () => {
  const sent = await make('success');
  await dispatch();
  await world.platform.db.query(sql`update accounts set frozen = true where id = ${accountId}`);
  const waits = await make('success');
  await dispatch();
  expect((await read(waits)).status).toBe(0);
  await askAll(MINUTE);
  expect((await read(sent)).status).toBe(3);
});

test(`an order is paid exactly once, whatever the gateway does, on two nodes at once (seed ${SEED})`, async () => {
  const ends = Object.keys(GATEWAY_ENDS) as GatewayEnd[];
  const step = fc.record({
    kind: fc.constantFrom('dispatch', 'ask', 'reselect' as const),
    node: fc.integer({ min: 0, max: 1 }),
    waitMs: fc.constantFrom(0, 16 * SECOND, 5 * MINUTE),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...ends), { minLength: 1, maxLength: 6 }),
      fc.array(step, { minLength: 2, maxLength: 8 }),
      async (wanted, steps) => {
        const ids: bigint[] = [];
        for (const end of wanted) ids.push(await make(end));
        for (const { kind, node, waitMs } of steps) {
          world.clock.advance(waitMs);
          if (kind === 'dispatch')
            await Promise.all(nodes.map((each) => dispatchWaiting(each.node, each.channels)));
          if (kind === 'ask') await askGateways(nodes[node]!.node, nodes[node]!.channels);
          if (kind === 'reselect')
            for (const id of ids)
              await reselectPayout(world.platform, viewerOf(world.platform, { role: 'admin' }), id);
        }
        for (const [index, id] of ids.entries()) {
          const { status } = await read(id);
          const taken = takenOf(id);
          const sends = gateway.sends.filter((key) => key === String(id) || key.startsWith(`${id}-`));
          expect(new Set(sends).size, 'no key twice').toBe(sends.length);
          const end = endOf(`5010${GATEWAY_ENDS[wanted[index]!]}`);
          const moved = taken.filter(({ end: how }) => how !== 'failed');
          expect(moved.length, `${end} in ${status}`).toBeLessThanOrEqual(1);
          if (status === 3) expect(moved).toHaveLength(1);
        }
      },
    ),
    { seed: SEED, numRuns: runsOf(12) },
  );
});
