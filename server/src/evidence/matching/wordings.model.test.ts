import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireDue } from '../../collection/expire.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ensurePartitions } from '../../platform/db/partitions.ts';
import { type AttackWorld, makeAttackWorld } from '../../testing/attack-world.ts';
import { brokenChecks } from '../../testing/books.ts';
import { newReference } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { inParallel, named } from '../../testing/sequences.ts';
import { isReport } from '../../testing/step-rows.ts';
import { type Block, blocksOf, isReversal, type Payment } from '../../testing/wordings-rows.ts';
import {
  act,
  beat,
  breakChains,
  freeze,
  isListed,
  listPayers,
  notifiedOf,
  paidOf,
  type PaidOrder,
  placeOrders,
  report,
  type WordingLife,
} from '../../testing/wordings-world.ts';
import { matchDelayed } from './delayed.ts';
import { releaseHeld } from './release-held.ts';

/**
 * The bank's messages about one or two payments of one sum, in every order and every grouping into reports, with what people do in between.
 * However they come: a payment pays one order, and none if the bank took it back, if it was settled outside, or if its payer is listed.
 * What happened before the bank said so stays as it is, but the admins are notified of it.
 */

const USUAL = 200;

let node: TestPlatform;
let staff: AttackWorld['staff'];
beforeAll(async () => {
  node = await createTestPlatform();
  // One user stands for all operators, so the limit of the day must not stop it.
  await node.platform.settings.write('UnprovenDayLimit', { INR: 1e15, KES: 1e15, USDT: 1e15 }, null);
});
afterAll(() => node.close());

async function pass(ms: number): Promise<void> {
  const { platform, clock } = node;
  clock.advance(ms);
  await beat(platform);
  while ((await expireDue(platform)) > 0);
  while ((await matchDelayed(platform)) > 0);
  await releaseHeld(platform);
}

async function begin({ rows, shop }: Block): Promise<WordingLife[]> {
  const { platform, clock, owner } = node;
  // A sweep makes the partitions of coming months, and no test runs it. A block lasts fifteen days at most.
  await ensurePartitions(owner, clock.now(), new Date(clock.now().getTime() + 15 * DAY));
  const world = await makeAttackWorld(platform, rows.length);
  ({ staff } = world);
  // Autovacuum is off in tests, and a statement that is planned on an empty table reads every open credit.
  await owner.query(sql`analyze messages`);
  await platform.settings.write('MessageDelay', 0, null);
  if (shop.keeps === 'chain') await breakChains(platform, world.gangs, () => pass(MINUTE));
  if (shop.keeps === 'delay') await platform.settings.write('MessageDelay', 60, null);
  await beat(platform);
  const places = rows.map((row, index) => ({ row, shop, gang: world.gangs[index]!, amount: 550_00n }));
  const orders: CollectionOrder[][] = [];
  for (let n = 0; n < 3; n += 1) orders.push(await placeOrders(platform, places));
  const lives = places.map((place, index): WordingLife => {
    const utrs = { P: newReference(), Q: newReference() };
    const made = orders.map((each) => each[index]!);
    return { ...place, utrs, orders: made, texts: new Map(), told: new Map(), settled: new Set(), trail: [] };
  });
  if (shop.listed) await listPayers({ platform, staff }, lives);
  return lives;
}

async function play(lives: readonly WordingLife[], gap: number): Promise<string[]> {
  const { platform } = node;
  const problems: string[] = [];
  const rounds = Math.max(...lives.map(({ row }) => row.steps.length));
  for (let round = 0; round < rounds; round += 1) {
    const turns = lives.filter(({ row }) => round < row.steps.length);
    // Orders that wait, when the others have timed out.
    if (gap > 15 && round > 0) {
      const fresh = await placeOrders(platform, turns);
      turns.forEach(({ orders }, index) => orders.push(fresh[index]!));
    }
    const before = await paidOf(platform, lives);
    await inParallel(turns, async (life) => {
      const step = life.row.steps[round]!;
      if (isReport(step)) await report(platform, life, step);
      else await act({ platform, staff }, life, step, before.get(life)!);
    });
    await pass(gap * MINUTE);
    for (const [life, paid] of await paidOf(platform, lives)) {
      const known = new Set(before.get(life)!.map(({ id }) => id));
      const added = paid.filter(({ id }) => !known.has(id));
      for (const { id, by } of added)
        life.trail.push(`order ${life.orders.findIndex((order) => order.id === id) + 1} is paid by ${by}`);
      const step = life.row.steps[round];
      const byPeople = step === 'P join' || step === 'P help';
      if (!byPeople && added.length > 0 && [...life.told.values()].some((message) => isListed(life, message)))
        problems.push(said(life, 'a listed payer has paid'));
    }
  }
  // What is still kept back is decided.
  await inParallel(lives, async (life) => void (await freeze({ platform, staff }, life, false)));
  await pass(2 * MINUTE);
  const notified = await notifiedOf(platform, lives);
  for (const [life, paid] of await paidOf(platform, lives))
    if (!paid.some(({ id }) => notified.has(id))) problems.push(...wrongIn(life, paid));
  return problems;
}

/** What of the paid orders nobody may leave as it is. */
function wrongIn(life: WordingLife, paid: readonly PaidOrder[]): string[] {
  const isGone = [...life.told.values()].some(isReversal);
  const uses = (which: Payment) =>
    paid.filter(({ by }) => by === which).length + (life.settled.has(which) ? 1 : 0);
  return [
    ...(uses('P') > (isGone && !life.settled.has('P') ? 0 : 1) ? [said(life, 'P paid too much')] : []),
    ...(uses('Q') > 1 ? [said(life, 'Q paid too much')] : []),
    ...(paid.some(({ by }) => by === undefined) ? [said(life, 'an order is paid by nothing')] : []),
  ];
}

const said = ({ row, shop, trail }: WordingLife, what: string) =>
  `${what}: ${row.name} (${Object.values(shop).join(', ')})\n  ${trail.join('\n  ')}`;

test(
  named('a payment pays one order, and money that is gone pays none', USUAL),
  { timeout: 7_200_000 },
  async () => {
    for (const block of blocksOf(USUAL)) {
      const problems = await play(await begin(block), block.gap);
      expect(problems, `${block.gap} minutes between the steps`).toEqual([]);
    }
    expect(await brokenChecks(node.platform)).toEqual([]);
  },
);
