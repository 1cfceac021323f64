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
/** A long whole run is made less often: it never uses more than a quarter of one connection's time. */
const REST_PER_WORK = 4;
/** While whole runs are this quick they run in every interval, and recent runs would find nothing more. */
const QUICK = INTERVAL / REST_PER_WORK;
/** The period that a recent run covers: many intervals, so that a missed run leaves no hole. */
const RECENT = 10 * MINUTE;
/** How long runs without a fault are kept. */
const KEPT = 7 * DAY;

interface Broken {
  readonly name: string;
  readonly detail: string;
  /** The check did not finish. */
  readonly unfinished?: true;
}

type Scope = 'whole' | 'recent';

interface Run {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly broken: readonly Broken[];
}

/**
 * Runs all checks, on one node at a time. While a whole run takes less than ten seconds, every fault is named within a minute.
 * With a longer history it is named within five times the length of a run, and recent runs watch what changes.
 */
export function verifyWhole(platform: Platform): Promise<boolean> {
  return leased(platform, 'verify.whole', async () => {
    const { startedAt, durationMs } = await verifyNow(platform);
    return new Date(startedAt.getTime() + Math.max(INTERVAL, durationMs * REST_PER_WORK));
  });
}

/** Runs all checks now, because somebody asked for it. */
export function verifyNow(platform: Platform): Promise<Run> {
  return run(platform, 'whole', (snapshot) => brokenOf(snapshot, CHECKS));
}

/** Checks what has changed lately, when a whole run takes too long to be made in every interval. */
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
      // At the start of the window, ids of nodes with different clocks may be in the wrong order. So a fault counts only if a
      // longer window shows it too.
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
