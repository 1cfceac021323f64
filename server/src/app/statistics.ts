import { parseArgs } from 'node:util';
import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import { joinEmbedded } from '../platform/db/embedded.ts';
import { systemClock } from '../platform/clock.ts';
import { checkDay, daysOf } from '../statistics/check.ts';
import { sumUpDays } from '../statistics/keep.ts';
import { rebuild } from '../statistics/rebuild.ts';

const USAGE = 'Usage: npm run statistics -- check|rebuild [--from YYYY-MM-DD] [--to YYYY-MM-DD]';
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** How many differences of a day are printed. */
const SHOWN = 20;

/**
 * `npm run statistics -- check|rebuild [--from D --to D]`: compares the sums of each day with its orders, or makes the sums anew. Works
 * beside running nodes, in short transactions. `check` ends with 1 when something differs.
 */
async function run(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, to: { type: 'string' } },
  });
  const [action] = positionals;
  if (action !== 'check' && action !== 'rebuild') throw new Error(USAGE);
  for (const day of [values.from, values.to]) if (day !== undefined && !DAY.test(day)) throw new Error(USAGE);
  const config = readConfig(process.env);
  const embedded =
    config.databaseUrl === undefined
      ? await joinEmbedded({ dataDir: config.dataDir, log: (line) => console.log(line) })
      : undefined;
  const db = openDatabase(embedded?.url ?? config.databaseUrl!, { maxConnections: 2 });
  try {
    const days = await daysOf(db, values);
    if (action === 'rebuild') {
      const platform = { db, clock: systemClock };
      await rebuild(platform, days);
      await sumUpDays(platform);
      console.log(`${days.length} days made anew.`);
      return true;
    }
    let differing = 0;
    for (const day of days) {
      const found = await checkDay(db, day);
      if (found.length > 0) differing += 1;
      for (const detail of found.slice(0, SHOWN)) console.log(`${day} ${detail}`);
    }
    console.log(
      differing === 0
        ? `${days.length} days are exactly their orders.`
        : `${differing} of ${days.length} days differ.`,
    );
    return differing === 0;
  } finally {
    await db.close();
    await embedded?.stop();
  }
}

try {
  if (!(await run())) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
