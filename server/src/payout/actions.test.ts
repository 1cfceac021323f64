import { PAYOUT_ACTIONS, PAYOUT_STATUS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { newReference } from '../testing/payments.ts';
import {
  ACTORS,
  actorViewer,
  expected,
  NEW,
  outcomeOf,
  perform,
  type ActorName,
  type ModelState,
} from '../testing/payout-model.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import type { Platform } from '../platform/platform.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeMerchant } from '../testing/world.ts';
import { CLAIM_LEASE } from './claim.ts';
import { expireClaims } from './expire-claims.ts';
import { readPayouts } from './store.ts';

let world: TestPlatform;
let shop: PayoutShop;
let strangerId: bigint;
let other: Platform;
beforeAll(async () => {
  world = await createTestPlatform();
  other = world.anotherNode();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
  // The limit of open claims has its own test (stale-rows.test.ts).
  await world.platform.db.query(sql`update suppliers set open_claims_max = 1000000`);
  // So has the sum that staff may decide alone (own-word.test.ts).
  await world.platform.settings.write('UnprovenDayLimit', { INR: 1e15, KES: 1e15, USDT: 1e15 }, null);
  await world.platform.settings.write('ClaimsGivenBackPerDay', 10_000, null);
  ({ merchantId: strangerId } = await makeMerchant(world.platform));
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const viewer = (actor: ActorName, platform = world.platform) =>
  actorViewer(platform, shop, strangerId, actor);
const act = (
  id: bigint,
  action: (typeof PAYOUT_ACTIONS)[number],
  actor: ActorName,
  platform = world.platform,
) => perform(platform, viewer(actor, platform), id, action, newReference());

/** Makes a payout in a state: by commands where they lead to it, otherwise written by hand, with its history. */
async function orderIn(state: ModelState): Promise<bigint> {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId);
  let status: PayoutStatus = PAYOUT_STATUS.waiting;
  if (state.claimer) {
    await act(id, 'claim', state.claimer);
    status = PAYOUT_STATUS.preparing;
  }
  if (state.status === 4) await act(id, 'cancel', 'admin');
  else if (state.status === 6) await act(id, 'reject', 'admin');
  else if (state.status !== status) {
    const by = state.status === 3 ? PAYOUT_STATUS.preparing : state.status;
    await platform.db.query(sql`
      update payout_orders set status = ${by}, attempt = 1, claimed_until = null where id = ${id}`);
    await platform.db.tx((tx) =>
      writeEvents(platform, tx, [{ orderId: id, kind: 'submitted', from: status, to: by, actor: SYSTEM }]),
    );
    if (state.status === 3) await act(id, 'confirmPaid', state.unproven ? 'first' : 'admin');
    if (state.status === 3 && !state.unproven) await act(id, 'acceptProof', 'admin');
  }
  if (state.locked) {
    await platform.db.query(
      sql`update payout_orders set locked_by = 'test', locked_at = ${world.clock.now()} where id = ${id}`,
    );
  }
  if (state.frozen) await platform.db.query(sql`update payout_orders set frozen = true where id = ${id}`);
  return id;
}

const STATES: ModelState[] = Object.values(PAYOUT_STATUS).flatMap((status) =>
  (status === 0 || status === 4 ? [null] : [null, 'first' as const]).flatMap((claimer) =>
    [false, true].flatMap((locked) =>
      // Without a claimer, an unproven payout does not differ from a proven one.
      (status === 3 && claimer ? [false, true] : [false]).flatMap((unproven) =>
        (locked || unproven ? [false] : [false, true]).map((frozen) => ({
          status,
          claimer,
          locked,
          unproven,
          frozen,
        })),
      ),
    ),
  ),
);

test.each(STATES)(
  'in status $status, claimed by $claimer, locked $locked, unproven $unproven, frozen $frozen: every action of everybody',
  { timeout: 60_000 },
  async (state) => {
    const wrong: string[] = [];
    let id = await orderIn(state);
    for (const action of PAYOUT_ACTIONS) {
      for (const actor of ACTORS) {
        const should = expected(state, action, actor);
        const answer = outcomeOf(await act(id, action, actor), shop);
        const [left] = await readPayouts(world.platform.db, [id]);
        const after = outcomeOf(left!, shop);
        const remains = 'refused' in should ? { state } : should;
        if (!same(answer, should) || !same(after, remains)) {
          wrong.push(`${action} by ${actor}: ${JSON.stringify({ should, answer, after })}`);
        }
        if (!same(after, { state })) id = await orderIn(state);
        // Another request about this payout is refused while one waits.
        else await world.owner.query(sql`delete from approvals where subject_id = ${id}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

const same = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, sorted(inner)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const RIVALS: [ModelState, (readonly [(typeof PAYOUT_ACTIONS)[number], ActorName])[]][] = [
  [
    { status: 0, claimer: null, locked: false, unproven: false, frozen: false },
    [
      ['claim', 'first'],
      ['claim', 'second'],
      ['cancel', 'merchant'],
      ['cancel', 'admin'],
      ['reject', 'customerService'],
    ],
  ],
  [
    { status: 1, claimer: 'first', locked: false, unproven: false, frozen: false },
    [
      ['confirmPaid', 'first'],
      ['confirmPaid', 'admin'],
      ['reject', 'first'],
      ['reject', 'customerService'],
      ['cancelClaim', 'first'],
      ['cancelClaim', 'superAdmin'],
      ['claim', 'second'],
      ['cancel', 'merchant'],
    ],
  ],
  [
    { status: 9, claimer: null, locked: false, unproven: false, frozen: false },
    [
      ['reselect', 'admin'],
      ['reject', 'admin'],
      ['claim', 'first'],
    ],
  ],
];
const PAIRS = RIVALS.flatMap(([state, acts]) =>
  acts.flatMap((a, index) =>
    acts.slice(index).map((b) => ({ state, a, b, name: `${a.join(' by ')} and ${b.join(' by ')}` })),
  ),
);

test.each(PAIRS)(
  'in status $state.status at once: $name end as if one came after the other',
  async ({ state, a, b }) => {
    for (let round = 0; round < 3; round += 1) {
      const id = await orderIn(state);
      const answers = await Promise.all([act(id, ...a), act(id, ...b, other)]);
      const got = answers.map((answer) => outcomeOf(answer, shop));
      const inTurn = (first: typeof a, second: typeof a) => {
        const one = expected(state, ...first);
        const two = expected('state' in one ? one.state : state, ...second);
        return [one, two];
      };
      const [forth, back] = [inTurn(a, b), inTurn(b, a).toReversed()];
      expect([forth, back]).toContainEqual(got);
    }
  },
);

test('of two confirmations with one UTR one wins; the other is refused because the UTR is used', async () => {
  const state: ModelState = { status: 1, claimer: 'first', locked: false, unproven: false, frozen: false };
  for (let round = 0; round < 10; round += 1) {
    const [a, b] = [await orderIn(state), await orderIn(state)];
    const utr = newReference();
    const answers = await Promise.all([
      perform(world.platform, viewer('first'), a, 'confirmPaid', utr),
      perform(other, viewer('first', other), b, 'confirmPaid', utr),
    ]);
    const codes = answers.map((answer) => JSON.stringify(outcomeOf(answer, shop))).toSorted();
    expect(codes).toEqual([
      '{"refused":"utrUsed"}',
      '{"state":{"status":3,"claimer":"first","locked":false,"unproven":true,"frozen":false}}',
    ]);
  }
});

test('a claim that runs out while it is confirmed is paid all the same: its claimer may say so later too', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await orderIn({ status: 1, claimer: 'first', locked: false, unproven: false, frozen: false });
    world.clock.advance(CLAIM_LEASE);
    const [answer] = await Promise.all([act(id, 'confirmPaid', 'first'), expireClaims(other)]);
    expect(outcomeOf(answer, shop)).toEqual({
      state: { status: 3, claimer: 'first', locked: false, unproven: true, frozen: false },
    });
  }
});

test('a frozen supplier claims no payout; what it had claimed before is confirmed all the same', async () => {
  const freeze = (frozen: boolean) =>
    world.platform.db.query(sql`update suppliers set frozen = ${frozen} where id = ${shop.supplierId}`);
  const claimed = await orderIn({ ...NEW, status: 1, claimer: 'first' });
  const waiting = await orderIn(NEW);
  await freeze(true);
  expect(await act(waiting, 'claim', 'first')).toMatchObject({ code: 'notFound' });
  expect(await act(claimed, 'confirmPaid', 'admin')).toMatchObject({ status: 3 });
  await freeze(false);
  expect(await act(waiting, 'claim', 'first')).toMatchObject({ status: 1 });
});
