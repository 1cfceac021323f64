import { COLLECTION_ACTIONS, COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { brokenChecks } from '../testing/books.ts';
import {
  ACTORS,
  apply,
  timePasses,
  type ActorName,
  type CollectionCommand,
} from '../testing/collection-model.ts';
import {
  beginCollections,
  expectedOrders,
  makeCollectionWorld,
  perform,
  storedOrders,
  type CollectionLife,
  type CollectionWorld,
} from '../testing/collection-world.ts';
import { newReference } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { inParallel } from '../testing/sequences.ts';
import { expireDue } from './expire.ts';

let node: TestPlatform;
let world: CollectionWorld;
beforeAll(async () => {
  node = await createTestPlatform();
  world = await makeCollectionWorld(node.platform);
});
afterAll(() => node.close());

const step = (fields: Partial<Extract<CollectionCommand, { kind: 'act' }>>): CollectionCommand => ({
  kind: 'act',
  order: 0,
  action: 'updateMark',
  actor: 'superAdmin',
  offset: true,
  utr: 'fresh',
  mark: 1,
  ...fields,
});
const pay: CollectionCommand = { kind: 'pay', order: 0, how: 'exact' };
const deliver = (end: 'succeeded' | 'exhausted'): CollectionCommand => ({ kind: 'deliver', order: 0, end });
const reverse = step({ action: 'reverse' });

/** How an order is brought into each state: milliseconds to wait, or a command. */
const STATES: Readonly<Record<string, readonly (CollectionCommand | number)[]>> = {
  'allocated (1)': [],
  'timed out, amount kept (2)': [20 * MINUTE],
  'timed out, released (2)': [20 * MINUTE, 40 * MINUTE],
  'freed (2)': [step({ action: 'freeResource' })],
  'allocation failed (5)': [],
  'paid (6)': [pay],
  'callback succeeded (3)': [pay, deliver('succeeded')],
  'callback failed (4)': [pay, deliver('exhausted')],
  'paid and reversed (6)': [pay, reverse],
  'told and reversed (3)': [pay, deliver('succeeded'), reverse],
  'not told and reversed (4)': [pay, deliver('exhausted'), reverse],
};

const CELLS = COLLECTION_ACTIONS.flatMap((action) =>
  (Object.keys(ACTORS) as ActorName[]).map((actor) => step({ action, actor })),
);

const now = () => node.clock.now().getTime();

async function passTime(ms: number): Promise<void> {
  node.clock.advance(ms);
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  while ((await expireDue(node.platform)) > 0);
}

/** Performs the command on the real order and on the model; answers both results. */
async function both(life: CollectionLife, command: CollectionCommand): Promise<[string, string]> {
  const fresh = newReference();
  const facts = { now: now(), fresh, into: life.model.orders[0].account };
  const { answer, after } = apply(life.model, command, facts);
  const answered = await perform(node.platform, world, { life, command, fresh });
  life.model = after;
  return [answered, answer];
}

async function traces(lives: readonly CollectionLife[]) {
  const rows = await node.platform.db.query<{
    id: bigint;
    events: number;
    postings: number;
    callbacks: number;
  }>(sql`
    select o.id, (select count(*) from order_events e where e.order_id = o.id)::int as events,
      (select count(*) from postings p where p.order_id = o.id)::int as postings,
      (select count(*) from callbacks c where c.order_id = o.id)::int as callbacks
    from collection_orders o where o.id = any(${lives.map(({ ids }) => ids[0])})`);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

test.each(Object.entries(STATES))(
  '%s: every action of everybody does what the table says, or is refused and changes nothing',
  { timeout: 60_000 },
  async (state, path) => {
    await passTime(2 * HOUR);
    // One sequence number in eight means an order that no account takes.
    const seed = state.startsWith('allocation failed') ? 7 : 0;
    const lives = await beginCollections(
      node.platform,
      world,
      CELLS.map(() => seed),
    );
    for (const way of path) {
      if (typeof way === 'number') {
        await passTime(way);
        for (const life of lives) life.model = timePasses(life.model, now());
      } else {
        await inParallel(lives, async (life) => {
          const [answered, should] = await both(life, way);
          expect(answered).toBe(should);
        });
      }
    }
    const before = await traces(lives);
    const wrong: string[] = [];
    const refused: CollectionLife[] = [];
    await inParallel(CELLS, async (cell, index) => {
      const life = lives[index]!;
      const [answered, should] = await both(life, cell);
      if (answered !== should) wrong.push(`${JSON.stringify(cell)}: ${answered}, not ${should}`);
      if (answered === 'notFound' || answered === 'actionNotAllowed') refused.push(life);
    });
    expect(wrong).toEqual([]);
    const stored = await storedOrders(
      node.platform,
      world,
      lives.map(({ ids }) => ids[0]),
    );
    expect(lives.map(({ ids }) => stored.get(ids[0]))).toEqual(
      lives.map(({ model }) => expectedOrders(model)[0]),
    );
    const after = await traces(refused);
    expect(refused.map(({ ids }) => after.get(ids[0]))).toEqual(refused.map(({ ids }) => before.get(ids[0])));
    expect(refused.length).toBeGreaterThan(CELLS.length / 4);
  },
);

test('after all these commands the books hold', async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
});

test('an order between creation and allocation can only be allocated and marked', async () => {
  await passTime(2 * HOUR);
  const lives = await beginCollections(
    node.platform,
    world,
    CELLS.map(() => 7),
  );
  await node.platform.db.query(sql`
    update collection_orders set status = ${COLLECTION_STATUS.created} where id = any(${lives.map(({ ids }) => ids[0])})`);
  for (const life of lives) {
    const [first, second] = life.model.orders;
    life.model = { ...life.model, orders: [{ ...first, status: 0 }, second] };
  }
  await inParallel(CELLS, async (cell, index) => {
    const [answered, should] = await both(lives[index]!, cell);
    expect([cell, answered]).toEqual([cell, should]);
  });
});
