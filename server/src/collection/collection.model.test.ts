import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import {
  apply,
  timePasses,
  type CollectionCommand,
  type CollectionModel,
  type Facts,
  type Outcome,
} from '../testing/collection-model.ts';
import {
  beginCollections,
  collectionCommand,
  expectedOrders,
  makeCollectionWorld,
  payAll,
  perform,
  retryAll,
  storedOrders,
  type Asked,
  type CollectionLife,
  type CollectionWorld,
} from '../testing/collection-world.ts';
import { newReference } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { inParallel, named, runSequences, type Run, type Turn } from '../testing/sequences.ts';
import { expireDue } from './expire.ts';

let node: TestPlatform;
let rival: Platform;
let world: CollectionWorld;
beforeAll(async () => {
  node = await createTestPlatform();
  await node.platform.settings.write('UnprovenDayLimit', { INR: 1e15, KES: 1e15, USDT: 1e15 }, null);
  rival = node.anotherNode();
  world = await makeCollectionWorld(node.platform);
});
afterAll(() => node.close());

const USUAL = 1_000;

/** Two commands at once on one order, on two nodes. */
interface Pair {
  readonly kind: 'pair';
  readonly first: CollectionCommand;
  readonly second: CollectionCommand;
}
type Step = CollectionCommand | Pair;

const pair = fc
  .tuple(collectionCommand, collectionCommand)
  .map(([first, second]): Pair => ({ kind: 'pair', first, second: { ...second, order: first.order } }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 7, arbitrary: collectionCommand },
  { weight: 1, arbitrary: pair },
);

/** Minutes that pass before each round: within the payer's time, past it, or past the grace. */
const WAITS = [0, 2, 14, 0, 20, 0, 31, 1];

async function passTime(ms: number): Promise<void> {
  node.clock.advance(ms);
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  while ((await expireDue(node.platform)) > 0);
}

type Asking = Asked & { readonly run: Run<CollectionLife> };

const now = () => node.clock.now().getTime();

function factsOf(model: CollectionModel, command: CollectionCommand, fresh: string): Facts {
  return { now: now(), fresh, into: model.orders[command.order].account };
}

/** Applies the command to the model and compares the real answer with the model's answer. */
function settle({ run, life, command, fresh }: Asking, answer: string): void {
  const { answer: expected, after } = apply(life.model, command, factsOf(life.model, command, fresh));
  run.same(`answer to ${command.kind}`, answer, expected);
  life.model = after;
}

async function round(
  turns: readonly Turn<CollectionLife, Step>[],
  runs: readonly Run<CollectionLife>[],
  index: number,
) {
  await passTime(WAITS[index % WAITS.length]! * MINUTE);
  for (const { life } of runs) life.model = timePasses(life.model, now());

  const single = turns.flatMap(({ command, ...turn }): Asking[] =>
    command.kind === 'pair' ? [] : [{ ...turn, command, fresh: newReference() }],
  );
  const ofKind = (kind: CollectionCommand['kind']) => single.filter(({ command }) => command.kind === kind);
  for (const [asked, answers] of [
    [ofKind('pay'), await payAll(node.platform, world, ofKind('pay'))],
    [ofKind('retry'), await retryAll(node.platform, ofKind('retry'))],
  ] as const)
    asked.forEach((each, position) => settle(each, answers[position]!));
  const others = single.filter(({ command }) => command.kind !== 'pay' && command.kind !== 'retry');
  await inParallel(others, async (each) => settle(each, await perform(node.platform, world, each)));
  await inParallel(
    turns,
    async ({ run, life, command }) => {
      if (command.kind === 'pair') await together(run, life, command);
    },
    4,
  );
}

/** Runs both commands at once. The result must be the result of one of the two possible orders of them. */
async function together(
  run: Run<CollectionLife>,
  life: CollectionLife,
  { first, second }: Pair,
): Promise<void> {
  const [freshA, freshB] = [newReference(), newReference()];
  const [answerA, answerB] = await Promise.all([
    perform(node.platform, world, { life, command: first, fresh: freshA }),
    perform(rival, world, { life, command: second, fresh: freshB }),
  ]);
  const stored = await storedOrders(node.platform, world, life.ids);
  const happened = { answers: [answerA, answerB], orders: life.ids.map((id) => stored.get(id)) };
  const told = (answers: readonly string[], after: CollectionModel) => ({
    answers,
    orders: expectedOrders(after),
  });
  const [factsA, factsB] = [factsOf(life.model, first, freshA), factsOf(life.model, second, freshB)];
  const a = (model: CollectionModel): Outcome => apply(model, first, factsA);
  const b = (model: CollectionModel): Outcome => apply(model, second, factsB);
  const aFirst = a(life.model);
  const thenB = b(aFirst.after);
  const bFirst = b(life.model);
  const thenA = a(bFirst.after);
  const serial = [
    { after: thenB.after, expected: told([aFirst.answer, thenB.answer], thenB.after) },
    { after: thenA.after, expected: told([thenA.answer, bFirst.answer], thenA.after) },
  ];
  const match = serial.find(({ expected }) => run.is(happened, expected));
  if (!match)
    run.same(
      'two at once',
      happened,
      serial.map(({ expected }) => expected),
    );
  else life.model = match.after;
}

test(
  named('collection orders go as the model says, two commands at once included', USUAL),
  { timeout: 3_600_000 },
  () =>
    runSequences<CollectionLife, Step>({
      name: 'collection',
      usual: USUAL,
      block: 250,
      command: step,
      steps: { min: 2, max: 7 },
      begin: async (seeds) => {
        // By then the orders of earlier blocks have ended, so their amounts are free.
        await passTime(2 * HOUR);
        return beginCollections(node.platform, world, seeds);
      },
      round,
      async compare(runs) {
        const stored = await storedOrders(
          node.platform,
          world,
          runs.flatMap(({ life }) => life.ids),
        );
        for (const run of runs) {
          const { ids, model } = run.life;
          run.same(
            'stored',
            ids.map((id) => stored.get(id)),
            expectedOrders(model),
          );
        }
      },
      async end() {
        expect(await brokenChecks(node.platform)).toEqual([]);
      },
    }),
);
