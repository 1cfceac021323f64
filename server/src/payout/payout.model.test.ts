import {
  PAYOUT_ACTIONS,
  PAYOUT_TRANSITIONS,
  type PayoutAction,
  type PayoutStatus,
} from '@sangam/contract/payouts.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckAnswer, PayoutChannel, SendAnswer } from '../channels/payout-channel.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import {
  ACTORS,
  actorViewer,
  expected,
  NEW,
  outcomeOf,
  perform,
  stateOf,
  type ActorName,
  type Expected,
  type ModelState,
} from '../testing/payout-model.ts';
import { GATEWAY_PAYOUT, makePayoutShop, newPayout, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { inParallel, named, runSequences, type Run, type Turn } from '../testing/sequences.ts';
import { makeMerchant } from '../testing/world.ts';
import { askGateways, expireSubmitted } from './ask-gateways.ts';
import { createPayouts } from './create.ts';
import { recoverSends } from './dispatch.ts';
import { expireClaims } from './expire-claims.ts';
import { readPayouts } from './store.ts';

const USUAL = 1_000;

let world: TestPlatform;
let rival: Platform;
let shop: PayoutShop;
let strangerId: bigint;
beforeAll(async () => {
  world = await createTestPlatform();
  await world.platform.settings.write('UnprovenDayLimit', { INR: 1e15, KES: 1e15, USDT: 1e15 }, null);
  await world.platform.settings.write('ClaimsGivenBackPerDay', 10_000, null);
  rival = world.anotherNode();
  shop = await makePayoutShop(world.platform, 10n ** 14n);
  ({ merchantId: strangerId } = await makeMerchant(world.platform));
});
afterAll(() => world.close());

/** A payout that suppliers pay, and one that a gateway pays. */
type Which = 0 | 1;

interface Act {
  readonly order: Which;
  readonly action: PayoutAction;
  readonly actor: ActorName;
}

/** A step: one action, or two at once on one order, and the gateway's answer in case it is asked in this round. */
interface Step {
  readonly acts: readonly [Act] | readonly [Act, Act];
  readonly send: Exclude<SendAnswer['outcome'], 'held'>;
  readonly word: CheckAnswer['state'];
}

interface Life {
  readonly ids: readonly [bigint, bigint];
  states: [ModelState, ModelState];
  gateway: Pick<Step, 'send' | 'word'>;
}

const action = fc.constantFrom(...PAYOUT_ACTIONS);
// Roles that may act are chosen more often.
const actor = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<ActorName>('first', 'second', 'admin', 'merchant') },
  fc.constantFrom(...ACTORS),
);
const order = fc.constantFrom<Which>(0, 0, 1);
const one = fc.record({ order, action, actor });
const acts = fc.oneof(
  { weight: 6, arbitrary: one.map((act): Step['acts'] => [act]) },
  fc.tuple(one, one).map(([a, b]): Step['acts'] => [a, { ...b, order: a.order }]),
);
const step: fc.Arbitrary<Step> = fc.record({
  acts,
  send: fc.constantFrom('accepted', 'accepted', 'refused', 'unknown'),
  word: fc.constantFrom('processing', 'processed', 'failed', 'late', 'unknown'),
});

/** How far the clock goes on before each round: shorter than a claim and the wait for a gateway, or longer than both. */
const WAITS = [0, 20 * SECOND, 3 * MINUTE, 0, 31 * MINUTE];

const byGateway = new Map<string, Life>();
const channel: PayoutChannel = {
  send: async ({ orderCode }) => {
    const { send } = byGateway.get(orderCode)!.gateway;
    return send === 'accepted'
      ? { outcome: send, reference: `pout_${orderCode}` }
      : { outcome: send, reason: 'low balance' };
  },
  check: async ({ key }) => {
    const { word } = byGateway.get(key.split('-')[0]!)!.gateway;
    if (word === 'processed') return { state: word, utr: newReference() };
    return word === 'failed' || word === 'late' ? { state: word, reason: 'bank offline' } : { state: word };
  },
};
const channels = new Map([[GATEWAY_PAYOUT, channel]]);

async function begin(seeds: readonly number[]): Promise<Life[]> {
  byGateway.clear();
  // All payouts of a block share two suppliers. The limit of open claims has its own test (stale-rows.test.ts).
  await world.platform.db.query(sql`update suppliers set open_claims_max = 1000000`);
  // Payouts that an earlier block left unfinished do not belong to this one.
  await world.platform.db.query(sql`
    update payout_orders set asked_at = ${new Date(world.clock.now().getTime() + 100_000 * MINUTE)} where status in (2, 7, 8)`);
  await world.platform.db.query(sql`
    update payout_orders set locked_by = 'another test', locked_at = ${world.clock.now()} where status = 0 and locked_by is null`);
  const inputs = seeds.flatMap(() =>
    [2001, GATEWAY_PAYOUT].map((productId) => newPayout(shop.merchantId, { productId })),
  );
  const ids = (await createPayouts(world.platform, inputs)).map((made) => {
    if (isRefusal(made)) throw new Error(`payout refused: ${made.code}`);
    return made.id;
  });
  return seeds.map((_, index) => {
    const life: Life = {
      ids: [ids[2 * index]!, ids[2 * index + 1]!],
      states: [NEW, NEW],
      gateway: { send: 'accepted', word: 'processing' },
    };
    byGateway.set(String(life.ids[1]), life);
    return life;
  });
}

/** Neither supplier has the gateway's product. */
function expectedOf({ order: which, action: what, actor: who }: Act, state: ModelState): Expected {
  const isSupplier = who === 'first' || who === 'second';
  return which === 1 && isSupplier ? { refused: 'notFound' } : expected(state, what, who);
}

const after = (should: Expected, before: ModelState) => ('state' in should ? should.state : before);

async function perform_(node: Platform, life: Life, { order: which, action: what, actor: who }: Act) {
  const viewer = actorViewer(node, shop, strangerId, who);
  return outcomeOf(await perform(node, viewer, life.ids[which], what, newReference()), shop);
}

async function stored(ids: readonly bigint[]): Promise<Map<bigint, ModelState>> {
  const orders = await readPayouts(world.platform.db, ids);
  return new Map(orders.map((each) => [each.id, stateOf(each, shop)]));
}

async function alone({ run, life }: Turn<Life, Step>, act: Act): Promise<void> {
  const before = life.states[act.order];
  const should = expectedOf(act, before);
  run.same(`${act.action} by ${act.actor}`, await perform_(world.platform, life, act), should);
  life.states[act.order] = after(should, before);
}

/** Runs both actions at once, on two nodes: the result must be that of one of the two possible orders. */
async function together({ run, life }: Turn<Life, Step>, first: Act, second: Act): Promise<void> {
  const before = life.states[first.order];
  const answers = await Promise.all([perform_(world.platform, life, first), perform_(rival, life, second)]);
  const id = life.ids[first.order];
  const happened = { answers, state: (await stored([id])).get(id) };
  const a = expectedOf(first, before);
  const thenB = expectedOf(second, after(a, before));
  const b = expectedOf(second, before);
  const thenA = expectedOf(first, after(b, before));
  const serial = [
    { answers: [a, thenB], state: after(thenB, after(a, before)) },
    { answers: [thenA, b], state: after(thenA, after(b, before)) },
  ];
  const match = serial.find((each) => run.is(happened, each));
  if (match) life.states[first.order] = match.state;
  else run.same('two at once', happened, serial);
}

async function round(
  turns: readonly Turn<Life, Step>[],
  runs: readonly Run<Life>[],
  index: number,
): Promise<void> {
  const { platform } = world;
  await passTime(runs, WAITS[index % WAITS.length]!);
  for (const { life, command } of turns) life.gateway = command;
  await inParallel(turns, async (turn) => {
    if (turn.command.acts.length === 1) await alone(turn, turn.command.acts[0]);
  });
  await inParallel(
    turns,
    async (turn) => {
      if (turn.command.acts.length === 2) await together(turn, ...turn.command.acts);
    },
    4,
  );
  if (index % 2 === 0) {
    while ((await dispatchWaiting(platform, channels)) > 0);
    for (const { life } of runs) life.states[1] = dispatched(life.states[1], life.gateway.send);
  } else {
    world.clock.advance(16 * SECOND);
    while ((await askGateways(platform, channels)) > 0);
    for (const { life } of runs) life.states[1] = asked(life.states[1], life.gateway.word);
  }
}

async function passTime(runs: readonly Run<Life>[], ms: number): Promise<void> {
  world.clock.advance(ms);
  for (const sweep of [expireClaims, recoverSends, expireSubmitted])
    while ((await sweep(world.platform)) > 0);
  if (ms === 0) return;
  // Whether a claim or a gateway's answer is overdue depends on when it began: the real order has that time.
  const now = await stored(runs.flatMap(({ life }) => life.ids));
  for (const run of runs) {
    const { life } = run;
    for (const which of [0, 1] as const) {
      const [same, overdue] = timePasses(life.states[which]);
      const found = now.get(life.ids[which])!;
      if (overdue && run.is(found, overdue)) life.states[which] = overdue;
      else run.same('after a while', found, same);
    }
  }
}

/** The effect of time: none, the end of a claim, or the end of the wait for a gateway. */
function timePasses(state: ModelState): [ModelState, ModelState?] {
  const waits = state.status === 1 || state.status === 2 || state.status === 8;
  return waits && !state.locked ? [state, { ...state, status: 7 }] : [state];
}

function dispatched(state: ModelState, send: Step['send']): ModelState {
  if (state.status !== 0 || state.locked) return state;
  return { ...state, status: ({ accepted: 8, refused: 9, unknown: 7 } as const)[send] };
}

function asked(state: ModelState, word: CheckAnswer['state']): ModelState {
  if (![2, 7, 8].includes(state.status) || word === 'unknown') return state;
  if (word === 'late') return { ...state, status: 7 };
  if (word === 'processing') return state.status === 8 ? { ...state, status: 2 } : state;
  return { ...state, status: word === 'processed' ? 3 : 9 };
}

test(
  named('payouts go as the model says, two commands at once included', USUAL),
  { timeout: 3_600_000 },
  async () => {
    await runSequences<Life, Step>({
      name: 'payout',
      usual: USUAL,
      block: 250,
      command: step,
      steps: { min: 2, max: 7 },
      begin,
      round,
      async compare(runs) {
        const now = await stored(runs.flatMap(({ life }) => life.ids));
        for (const run of runs) {
          const { ids, states } = run.life;
          run.same(
            'stored',
            ids.map((id) => now.get(id)),
            states,
          );
        }
      },
      async end() {
        expect(await brokenChecks(world.platform)).toEqual([]);
      },
    });
    const steps = await world.platform.db.query<{ from: PayoutStatus; to: PayoutStatus }>(sql`
      select distinct e.from_status as "from", e.to_status as "to" from order_events e
      where e.from_status is not null and e.from_status <> e.to_status`);
    expect(steps.filter(({ from, to }) => !PAYOUT_TRANSITIONS[from].includes(to))).toEqual([]);
  },
);
