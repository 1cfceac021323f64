import { MINUTE, SECOND, DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { leased } from '../platform/db/lease.ts';
import type { Platform } from '../platform/platform.ts';
import type { Check } from './check.ts';
import { recentChecks } from './recent-checks.ts';
import { CHECKS, type Snapshot, snapshotsOf, verify } from './verify.ts';

/** From the start of one run to the start of the next. */
const INTERVAL = 30 * SECOND;
/** A whole run that takes longer is made less often: never more than a quarter of one connection's time. */
const REST_PER_WORK = 4;
/** While whole runs are this quick they are made every time, and recent ones would tell nothing new. */
const QUICK = INTERVAL / REST_PER_WORK;
/** What a recent run looks back on: many rounds, so that one missed leaves no hole. */
const RECENT = 10 * MINUTE;
/** Runs in which everything held are forgotten after so long. */
const KEPT = 7 * DAY;

interface Broken {
  readonly name: string;
  readonly detail: string;
  /** The check did not come to an end. */
  readonly unfinished?: true;
}

type Scope = 'whole' | 'recent';

interface Run {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly broken: readonly Broken[];
}

/**
 * Proves the books whole, on one node at a time. What is wrong anywhere is named within a minute while a whole run
 * takes less than ten seconds; with a longer history, within five times what it takes, and recent runs watch what moves.
 */
export function verifyWhole(platform: Platform): Promise<boolean> {
  return leased(platform, 'verify.whole', async () => {
    const { startedAt, durationMs } = await verifyNow(platform);
    return new Date(startedAt.getTime() + Math.max(INTERVAL, durationMs * REST_PER_WORK));
  });
}

/** The whole proof now, whatever is due: somebody asked for it. */
export function verifyNow(platform: Platform): Promise<Run> {
  return run(platform, 'whole', (snapshot) => brokenOf(snapshot, CHECKS));
}

/** Proves what has moved lately, when the whole has grown too long to be proven every time. */
export function verifyRecent(platform: Platform): Promise<boolean> {
  return leased(platform, 'verify.recent', async () => {
    const now = platform.clock.now();
    const [whole] = await platform.db.query<{ durationMs: number }>(sql`
      select duration_ms as "durationMs" from verify_runs where scope = 'whole' order by id desc limit 1`);
    if (whole && whole.durationMs <= QUICK) return new Date(now.getTime() + INTERVAL);
    const checksSince = (ms: number) => recentChecks(firstIdAt(new Date(now.getTime() - ms)));
    await run(platform, 'recent', async (snapshot) => {
      const broken = await brokenOf(snapshot, checksSince(RECENT));
      if (broken.length === 0) return [];
      // Ids of nodes whose clocks differ may stand the wrong way round where the window begins: what is wrong from
      // another beginning too is wrong.
      const again = new Set((await brokenOf(snapshot, checksSince(2 * RECENT))).map(({ name }) => name));
      return broken.filter(({ name }) => again.has(name));
    });
    return new Date(now.getTime() + INTERVAL);
  });
}

async function run(
  platform: Platform,
  scope: Scope,
  check: (snapshot: Snapshot) => Promise<Broken[]>,
): Promise<Run> {
  const startedAt = platform.clock.now();
  const began = performance.now();
  const broken = await check(await snapshotsOf(platform.db));
  const durationMs = Math.round(performance.now() - began);
  const checks = scope === 'whole' ? CHECKS.length : recentChecks(0n).length;
  await platform.db.query(sql`
    insert into verify_runs (id, scope, checks, broken, started_at, duration_ms)
    values (${platform.ids.next()}, ${scope}, ${checks}, ${JSON.stringify(broken)}, ${startedAt}, ${durationMs})`);
  await platform.db.query(sql`
    delete from verify_runs where is_ok and id < ${firstIdAt(new Date(startedAt.getTime() - KEPT))}`);
  const unfinished = broken.filter((each) => each.unfinished);
  if (unfinished.length > 0) platform.log.warn({ scope, unfinished }, 'checks of the books did not finish');
  if (broken.length > unfinished.length) platform.log.error({ scope, broken }, 'the books do not hold');
  return { startedAt, durationMs, broken };
}

async function brokenOf(snapshot: Snapshot, checks: readonly Check[]): Promise<Broken[]> {
  const broken: Broken[] = [];
  for await (const { name, ok, detail, unfinished } of verify(snapshot, checks))
    if (!ok) broken.push({ name, detail: detail!, ...(unfinished ? { unfinished } : {}) });
  return broken;
}
