import type { GatewayProvider } from '@sangam/contract/gateways.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GATEWAY_ENDS, type GatewayEnd } from '@sangam/simulators/gateway/ends.ts';
import { type SimulatedGateway, startGateway } from '@sangam/simulators/gateway/gateway.ts';
import { gatewayAccess } from '../accounts/paying-gateway.ts';
import { createCashfree } from '../channels/gateway/cashfree.ts';
import { gatewayChannel } from '../channels/gateway/gateway-channel.ts';
import { createRazorpayX } from '../channels/gateway/razorpayx.ts';
import type { WireAnswer, WireCall } from '../channels/gateway/wire.ts';
import { scriptPayouts } from '../channels/script/script-payouts.ts';
import type { PayoutChannel } from '../channels/payout-channel.ts';
import { HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { createRandom } from '../demo/random.ts';
import { type Database, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { dispatchWaiting, GATEWAY_KEYS, makeGatewayAccount, payerWithoutLimits } from '../testing/gateway.ts';
import { GATEWAY_PAYOUT, makePayoutShop, newPayout, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SEED } from '../testing/seed.ts';
import { brokenChecks } from '../testing/books.ts';
import { viewerOf } from '../testing/world.ts';
import { askAboutEnded, askGateways, expireSubmitted } from './ask-gateways.ts';
import { createPayouts } from './create.ts';
import { recoverSends } from './dispatch.ts';
import { takeGatewayEvent } from './gateway-webhook.ts';
import type { PayoutOrder } from './order.ts';
import { reselectPayout } from './reselect.ts';
import { readPayouts } from './store.ts';

/** How many payouts the test makes; many are under way at the same time. */
const RUNS = Number(process.env['GATEWAY_RUNS'] ?? 300);
const BLOCK = 150;
const ROUNDS = 6;
const ENDS = Object.keys(GATEWAY_ENDS) as GatewayEnd[];
const { completed, processingError, rejected, toBeConfirmed, inProgress, submitted } = PAYOUT_STATUS;

const { next: random, pick } = createRandom(SEED);

let world: TestPlatform;
let shop: PayoutShop;
let gateway: SimulatedGateway;
let nodes: readonly Platform[];
/** The gateway account that pays the payouts which are sent now. */
let paying: GatewayProvider = 'razorpayx';
const accounts = {} as Record<GatewayProvider, bigint>;

beforeAll(async () => {
  world = await createTestPlatform();
  nodes = [world.platform, world.anotherNode()];
  shop = await makePayoutShop(world.platform, 10n ** 13n);
  for (const provider of ['razorpayx', 'cashfree'] as const)
    accounts[provider] = await makeGatewayAccount(world.platform, shop.supplierId, provider);
  gateway = await startGateway({
    ...GATEWAY_KEYS,
    now: () => world.clock.now().getTime(),
    settleMs: 40 * SECOND,
    returnMs: 12 * HOUR,
    mischief: { random, late: 0.3, twice: 0.2, forged: 0.1 },
    deliver: async ({ wire }, { body, headers }) => {
      const call = {
        method: 'POST',
        params: { account: String(accounts[wire]) },
        query: {},
        headers: {},
        header: (name: string) => headers[name],
        body: Buffer.from(body),
        ip: '127.0.0.1',
      };
      return (await takeGatewayEvent(pick(nodes), call)).status;
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await world.close();
});

/** Calls the simulated gateway without a network. A call it would leave without an answer fails at once as a broken connection. */
async function wire({ url, headers, post }: WireCall): Promise<WireAnswer> {
  const reply = gateway.answer({
    method: post ? 'POST' : 'GET',
    url: new URL(url),
    header: (name) => headers[name],
    text: post ? JSON.stringify(post) : '',
  });
  if (!reply) throw new Error('no answer');
  return { status: reply.status, body: JSON.parse(JSON.stringify(reply.body)) as unknown };
}

/** A node's gateways. `onSend` runs once the gateway has answered a send. */
function channelsOf(node: Platform, onSend: () => void = () => {}): ReadonlyMap<number, PayoutChannel> {
  const channel = gatewayChannel({
    gateways: {
      razorpayx: createRazorpayX({ url: gateway.url, wire }),
      cashfree: createCashfree({ url: gateway.cashfreeUrl, wire }),
    },
    script: scriptPayouts(node),
    payers: () => Promise.resolve([payerWithoutLimits(accounts[paying])]),
    accessOf: (id) => gatewayAccess(node, id),
  });
  const send: PayoutChannel['send'] = async (payout, key) => {
    const answer = await channel.send(payout, key);
    onSend();
    return answer;
  };
  return new Map([[GATEWAY_PAYOUT, { ...channel, send }]]);
}

/** Sends waiting payouts, on both nodes at once. Sometimes one node dies before it has written down the answer. */
async function dispatch(mayDie: boolean): Promise<void> {
  const dies = mayDie && random() < 0.3;
  await Promise.all(
    nodes.map(async (node, index) => {
      if (index > 0 || !dies) {
        while ((await dispatchWaiting(node, channelsOf(node))) > 0);
        return;
      }
      let dead = false;
      const db: Database = {
        ...node.db,
        tx: (work) => (dead ? Promise.reject(new Error('killed')) : node.db.tx(work)),
      };
      const mortal = { ...node, db };
      await dispatchWaiting(
        mortal,
        channelsOf(mortal, () => (dead = true)),
      ).catch(() => {});
    }),
  );
}

async function tend(): Promise<void> {
  for (const sweep of [recoverSends, expireSubmitted]) while ((await sweep(pick(nodes))) > 0);
}

async function ask(): Promise<void> {
  world.clock.advance(16 * SECOND);
  const node = pick(nodes);
  while ((await askGateways(node, channelsOf(node))) > 0);
}

async function reselectSome(ids: readonly bigint[]): Promise<void> {
  const failed = (await readPayouts(world.platform.db, ids)).filter(
    ({ status }) => status === processingError,
  );
  const desk = viewerOf(world.platform, { role: 'admin' });
  for (const { id } of failed) if (random() < 0.4) await reselectPayout(world.platform, desk, id);
}

/** The end results that are allowed for a payout, once every event has come. */
function isRightEnd(end: GatewayEnd, { status, reversedAt }: PayoutOrder): boolean {
  switch (end) {
    case 'success':
    case 'errorAfter':
    case 'silentAfter':
    case 'tornAfter':
      return status === completed;
    case 'reversed':
      return status === rejected && reversedAt !== null;
    case 'failed':
      return status === processingError;
    // The gateway accepted nothing. If the node died before it wrote the answer, the platform does not know that.
    case 'refused':
      return status === processingError || status === toBeConfirmed;
    case 'errorBefore':
      return status === toBeConfirmed;
    case 'stuck':
      return [inProgress, submitted, toBeConfirmed].some((each) => each === status);
  }
}

test(`${RUNS} payouts through misbehaving gateways, on two nodes that die: each sent and paid once (seed ${SEED})`, async () => {
  for (let made = 0; made < RUNS; made += BLOCK) {
    const ends = Array.from({ length: Math.min(BLOCK, RUNS - made) }, () => pick(ENDS));
    const orders = await createPayouts(
      world.platform,
      ends.map((end, index) => ({
        ...newPayout(shop.merchantId, { productId: GATEWAY_PAYOUT }),
        payee: {
          ...newPayout(shop.merchantId).payee,
          cardNumber: `5010${String(made + index).padStart(6, '0')}${GATEWAY_ENDS[end]}`,
        },
      })),
    );
    const ids = orders.map((order) => (isRefusal(order) ? 0n : order.id));
    for (let round = 0; round < ROUNDS; round += 1) {
      paying = pick(['razorpayx', 'cashfree'] as const);
      world.clock.advance(pick([0, 20 * SECOND, 3 * MINUTE, 31 * MINUTE]));
      await pick([() => dispatch(true), ask, tend, () => gateway.tell(), () => reselectSome(ids)])();
    }
    // Now everything that is still outstanding comes.
    await dispatch(false);
    for (const waitMs of [3 * MINUTE, MINUTE, 13 * HOUR]) {
      world.clock.advance(waitMs);
      await tend();
      while ((await gateway.tell()) > 0);
      for (let again = 0; again < 3; again += 1) await ask();
      while ((await askAboutEnded(world.platform, channelsOf(world.platform))) > 0);
    }
    await holdAgainst(ids, ends);
    // Completed payouts are not asked about for the rest of their week, so that a long run stays as fast as a short one.
    await world.platform.db.query(sql`
      update payout_orders set asked_at = '2100-01-01' where id = any(${ids}) and status = ${completed}`);
  }
  expect(await brokenChecks(world.platform)).toEqual([]);
}, 3_600_000);

async function holdAgainst(ids: readonly bigint[], ends: readonly GatewayEnd[]): Promise<void> {
  const keysOf = groupByOrder(gateway.sends);
  const takenOf = Map.groupBy(gateway.payouts, ({ referenceId }) => orderOf(referenceId));
  for (const order of await readPayouts(world.platform.db, ids)) {
    const end = ends[ids.indexOf(order.id)]!;
    const [keys, taken] = [keysOf.get(String(order.id)) ?? [], takenOf.get(String(order.id)) ?? []];
    const about = `${order.id} (${end}) in ${order.status}: ${keys.join(' ')}`;
    expect(new Set(keys).size, `no key twice: ${about}`).toBe(keys.length);
    const moved = taken.filter((each) => each.end !== 'failed');
    expect(moved.length, `paid once: ${about}`).toBeLessThanOrEqual(1);
    expect(isRightEnd(end, order), `the right end: ${about}`).toBe(true);
    if (order.status === completed) expect(order.utr, about).toBe(moved[0]?.utr);
  }
}

const orderOf = (key: string) => key.split(/[-_]/)[0]!;

function groupByOrder(keys: readonly string[]): Map<string, string[]> {
  return Map.groupBy(keys, orderOf);
}
