import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../demo/random.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import {
  changeHistories,
  insertHistories,
  makeOrder,
  type Parties,
  stateOf,
} from '../testing/order-histories.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { runsOf, SEED } from '../testing/seed.ts';
import { checkDay, daysOf } from './check.ts';
import { addUp, settleOrders, sumUpDays } from './keep.ts';

/**
 * Kills the worker that adds changes, or rebuilds days, and makes their spans, while orders change. The changes it had taken must be there for the next worker,
 * and none may count twice.
 */

/** `npm run soak:rollup` makes 200 kills. */
const KILLS = runsOf(6);
const CHANGES = 600;
const WORKER = fileURLToPath(new URL('../testing/adding-up.ts', import.meta.url));

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

const random = createRandom(SEED);
const PARTIES: Parties = {
  merchants: [1n, 2n, 3n],
  suppliers: new Map([1n, 2n, 3n].map((id) => [id, [id * 10n, id * 10n + 1n]])),
};

/** A running worker. `isAdding`: it is within a transaction. `added`: the changes of its finished transactions. */
async function startWorker(task: 'add' | 'rebuild') {
  const child = spawn(process.execPath, [WORKER, node.url, task], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const seen = { isAdding: false, added: 0 };
  child.on('message', (said: string) => {
    seen.isAdding = said === 'begins';
    seen.added += Number(/\d+/.exec(said)?.[0] ?? 0);
  });
  await once(child, 'message');
  return { child, seen };
}

async function until(is: () => boolean): Promise<void> {
  for (let wait = 0; wait < 1_000 && !is(); wait += 1) await sleep(2);
}

test(
  `sums are exact after ${KILLS} kills of the worker while orders change (SEED=${SEED})`,
  { timeout: 60_000 + KILLS * 20_000 },
  async () => {
    const { platform } = node;
    const orders = Array.from({ length: 4 * CHANGES }, (_, index) =>
      makeOrder(random, PARTIES, node.clock.now(), index),
    );
    await insertHistories(platform, orders);
    let [kills, atWork, changes, added] = [0, 0, orders.length, 0];
    while (kills < KILLS) {
      const task = random.chance(0.3) ? 'rebuild' : 'add';
      const { child, seen } = await startWorker(task);
      const touched = Array.from({ length: CHANGES }, () => random.pick(orders));
      const each = [...new Set(touched)];
      for (const order of each) order.state = stateOf(random, PARTIES, order);
      const written = changeHistories(platform, each);
      changes += each.length;
      // About half of the workers have finished a transaction by then.
      if (task === 'add' && random.chance(0.5)) await until(() => seen.added > 0);
      await sleep(random.int(0, task === 'add' ? 60 : 600));
      await until(() => seen.isAdding);
      atWork += seen.isAdding ? 1 : 0;
      added += seen.added;
      child.kill('SIGKILL');
      await once(child, 'exit');
      await written;
      kills += 1;
      // Together with the waiting changes, the sums are right after each kill.
      const [day] = await daysOf(platform.db, {});
      if (kills % 20 === 0) expect(await checkDay(platform.db, day!)).toEqual([]);
    }
    const [left] = await platform.db.query<{ waiting: number }>(
      sql`select count(*)::int as waiting from statistics_changes`,
    );
    while ((await addUp(platform)) === undefined) await sleep(20);
    for (const day of await daysOf(platform.db, {})) expect(await checkDay(platform.db, day)).toEqual([]);
    // The next worker finishes the spans, in which all days of the orders are by then.
    const later = { db: platform.db, clock: { now: () => new Date(Date.now() + 20 * DAY) } };
    await settleOrders(later);
    await sumUpDays(later);
    expect(await platform.db.query(sql`select distinct grain from statistics_spans`)).toHaveLength(5);
    for (const day of await daysOf(platform.db, {})) expect(await checkDay(platform.db, day)).toEqual([]);
    if (process.env['MODEL_RUNS'])
      process.stdout.write(
        `${kills} kills, ${atWork} at work, ${changes} changes in ${added + left!.waiting} rows, ${left!.waiting} of which waited at the end; equal\n`,
      );
  },
);
