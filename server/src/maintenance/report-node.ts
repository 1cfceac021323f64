import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { heldLeases } from '../platform/db/lease.ts';
import { loopRounds } from '../platform/loop-watch.ts';
import type { Platform } from '../platform/platform.ts';
import { within } from '../platform/within.ts';

/** The resolution of the measured event loop, ms. Only time above it is delay. */
const RESOLUTION = 20;
/** A look is made each second; at least every third look writes a report. */
const EVERY_LOOKS = 3;
/** How long the report of a node is kept that ended without removing it. */
const FORGOTTEN = 24 * 60 * 60 * SECOND;

/** Writes a report of this node every few seconds until the node stops, and within a second after its settings changed. */
export async function reportNode(platform: Platform, slot: number): Promise<() => Promise<void>> {
  const { version } = JSON.parse(
    await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as { readonly version: string };
  const startedAt = platform.clock.now();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  let looks = 0;
  let told = '';
  let writing: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    const settings = JSON.stringify(Object.fromEntries(await platform.settings.seen()));
    looks += 1;
    if (looks % EVERY_LOOKS !== 1 && settings === told) return;
    const lag = [delay.percentile(99), delay.max].map((ns) => Math.max(0, Math.round(ns / 1e6) - RESOLUTION));
    delay.reset();
    await write(platform, { slot, version, startedAt, lag, settings });
    told = settings;
  };
  platform.state.every(SECOND, () => {
    // A report that cannot be written now is written with the next look.
    writing ??= look()
      .catch(() => undefined)
      .finally(() => (writing = undefined));
  });
  const forget = async (): Promise<void> => {
    await writing;
    await platform.db.query(sql`delete from node_reports where slot = ${slot}`);
  };
  return async () => {
    delay.disable();
    // A database that does not answer must not delay the stop. The report is deleted later.
    await within(SECOND, forget());
  };
}

interface Report {
  readonly slot: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly lag: readonly number[];
  /** JSON. */
  readonly settings: string;
}

async function write(platform: Platform, { slot, version, startedAt, lag, settings }: Report): Promise<void> {
  const { db, clock, config } = platform;
  const at = clock.now();
  const { totalCount, idleCount, waitingCount } = db.pool;
  const pool = { total: totalCount, idle: idleCount, waiting: waitingCount };
  const loops = [...loopRounds(platform).values()];
  const leases = [...heldLeases(platform)].filter(([, until]) => until > at).map(([name]) => name);
  await db.query(sql`
    with gone as (delete from node_reports where reported_at < ${new Date(at.getTime() - FORGOTTEN)})
    insert into node_reports (slot, name, version, role, started_at, reported_at, lag_ms, longest_lag_ms, pool, loops, leases,
      settings)
    values (${slot}, ${`${hostname()}:${process.pid}`}, ${version}, ${config.role}, ${startedAt}, ${at}, ${lag[0]}, ${lag[1]},
      ${JSON.stringify(pool)}, ${JSON.stringify(loops)}, ${leases}, ${settings})
    on conflict (slot) do update set name = excluded.name, version = excluded.version, role = excluded.role,
      started_at = excluded.started_at, reported_at = excluded.reported_at, lag_ms = excluded.lag_ms,
      longest_lag_ms = excluded.longest_lag_ms, pool = excluded.pool, loops = excluded.loops, leases = excluded.leases,
      settings = excluded.settings`);
}
