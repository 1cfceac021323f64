import { PAYOUT_ACTIONS, PAYOUT_TRANSITIONS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import fc from 'fast-check';
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckAnswer, PayoutChannel, SendAnswer } from '../channels/payout-channel.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { sql } from '../db/database.ts';
import { newReference } from '../testing/payments.ts';
import {
  ACTORS,
  actorViewer,
  expected,
  NEW,
  outcomeOf,
  perform,
  stateOf,
  type ModelState,
} from '../testing/payout-model.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/verified.ts';
import { makeMerchant } from '../testing/world.ts';
import { askGateways, expireSubmitted } from './ask-gateways.ts';
import { dispatchWaiting, recoverSends } from './dispatch.ts';
import { expireClaims } from './expire-claims.ts';
import { readPayouts } from './store.ts';

const RUNS = Number(process.env['PAYOUT_RUNS'] ?? 60);
const SEED = Number(process.env['PAYOUT_SEED'] ?? randomInt(2 ** 31));

let world: TestPlatform;
let shop: PayoutShop;
let strangerId: bigint;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makePayoutShop(world.platform, 10n ** 14n);
  ({ merchantId: strangerId } = await makeMerchant(world.platform));
});
afterAll(() => world.close());

const ANSWERS: readonly SendAnswer[] = [
  { outcome: 'accepted', reference: 'pout' },
  { outcome: 'refused', reason: 'low balance' },
  { outcome: 'unknown', reason: 'time-out' },
];
const WORDS: readonly CheckAnswer['state'][] = ['processing', 'processed', 'failed', 'unknown'];

const act = fc.record({
  order: fc.nat(3),
  action: fc.constantFrom(...PAYOUT_ACTIONS),
  // Weighted towards those who may do something.
  actor: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('first', 'second', 'admin', 'merchant') },
    fc.constantFrom(...ACTORS),
  ),
});
const step = fc.oneof(
  { weight: 8, arbitrary: act.map((what) => ({ kind: 'act', ...what }) as const) },
  fc.constantFrom(...ANSWERS).map((answer) => ({ kind: 'dispatch', answer }) as const),
  fc.constantFrom(...WORDS).map((word) => ({ kind: 'ask', word }) as const),
  fc.constantFrom(20 * SECOND, 3 * MINUTE, 31 * MINUTE).map((ms) => ({ kind: 'wait', ms }) as const),
);

test(
  `random sequences on four orders go as the model says, and the ledger holds (seed ${SEED}, ${RUNS} runs)`,
  { timeout: 600_000 },
  async () => {
    const { platform } = world;
    let current: { answer: SendAnswer; word: CheckAnswer['state'] } = {
      answer: ANSWERS[0]!,
      word: 'unknown',
    };
    const channel: PayoutChannel = {
      send: () => Promise.resolve(current.answer),
      check: () => Promise.resolve(wordOf(current.word)),
    };
    const channels = new Map([[GATEWAY_PAYOUT, channel]]);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
        // What an earlier run left unfinished is no business of this one.
        while ((await dispatchWaiting(platform, channels)) > 0);
        await platform.db.pool.query('update payout_orders set asked_at = $1 where status in (2, 7, 8)', [
          new Date(world.clock.now().getTime() + 10_000 * MINUTE),
        ]);
        const ids: bigint[] = [];
        for (const productId of [2001, 2001, 2012, GATEWAY_PAYOUT]) ids.push(await makeOne(productId));
        const states: ModelState[] = ids.map(() => NEW);
        for (const each of steps) {
          if (each.kind === 'act') {
            const id = ids[each.order]!;
            const viewer = actorViewer(platform, shop, strangerId, each.actor);
            const answer = outcomeOf(await perform(platform, viewer, id, each.action, newReference()), shop);
            const isGateway = each.order === 3 && (each.actor === 'first' || each.actor === 'second');
            // Neither supplier has the gateway's product.
            const should = isGateway
              ? { refused: 'notFound' }
              : expected(states[each.order]!, each.action, each.actor);
            expect(answer).toEqual(should);
            if ('state' in should) states[each.order] = should.state;
          } else {
            if (each.kind === 'dispatch') {
              current = { ...current, answer: each.answer };
              await dispatchWaiting(platform, channels);
              states[3] = dispatched(states[3]!, each.answer);
            } else if (each.kind === 'ask') {
              current = { ...current, word: each.word };
              world.clock.advance(16 * SECOND);
              await askGateways(platform, channels);
              states[3] = asked(states[3]!, each.word);
            } else {
              world.clock.advance(each.ms);
              await expireClaims(platform);
              await recoverSends(platform);
              await expireSubmitted(platform);
              // Which claims and words are overdue depends on when they began; the real order says.
              for (const [index, order] of (await inOrder(ids)).entries()) {
                const now = stateOf(order, shop);
                expect(timePasses(states[index]!)).toContainEqual(now);
                states[index] = now;
              }
            }
          }
        }
        expect((await inOrder(ids)).map((order) => stateOf(order, shop))).toEqual(states);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(await brokenChecks(platform)).toEqual([]);
    const steps = await platform.db.query<{ from: PayoutStatus; to: PayoutStatus }>(sql`
      select distinct from_status as "from", to_status as "to" from order_events
      where from_status is not null and from_status <> to_status`);
    expect(steps.filter(({ from, to }) => !PAYOUT_TRANSITIONS[from].includes(to))).toEqual([]);
  },
);

async function makeOne(productId: number): Promise<bigint> {
  const payee = productId === 2012 ? { payee: { vpa: 'asha.rao@okhdfcbank' } } : {};
  return (await payOut(world.platform, shop.merchantId, { productId, ...payee })).id;
}

async function inOrder(ids: readonly bigint[]) {
  const orders = await readPayouts(world.platform.db, ids);
  return ids.map((id) => orders.find((order) => order.id === id)!);
}

function wordOf(word: CheckAnswer['state']): CheckAnswer {
  switch (word) {
    case 'processed':
      return { state: word, utr: newReference() };
    case 'failed':
      return { state: word, reason: 'beneficiary bank offline' };
    case 'processing':
    case 'unknown':
      return { state: word };
  }
}

function dispatched(state: ModelState, answer: SendAnswer): ModelState {
  if (state.status !== 0) return state;
  return { ...state, status: ({ accepted: 8, refused: 9, unknown: 7 } as const)[answer.outcome] };
}

function asked(state: ModelState, word: CheckAnswer['state']): ModelState {
  if (![2, 7, 8].includes(state.status) || word === 'unknown') return state;
  if (word === 'processing') return state.status === 8 ? { ...state, status: 2 } : state;
  return { ...state, status: word === 'processed' ? 3 : 9 };
}

/** Time does nothing, or ends a claim, or an expectation. */
function timePasses(state: ModelState): ModelState[] {
  if (state.status === 1 || state.status === 2 || state.status === 8) return [state, { ...state, status: 7 }];
  return [state];
}
