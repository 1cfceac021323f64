import type * as contract from '@sangam/contract/endpoints/maintenance.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { LoopRound } from '../platform/loop-watch.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';

/** A node that has not reported for this long is shown as silent. */
const SILENT = 10 * SECOND;

interface Row {
  readonly slot: number;
  readonly name: string;
  readonly version: string;
  readonly role: 'api' | 'worker' | 'all';
  readonly startedAt: Date;
  readonly reportedAt: Date;
  readonly lagMs: number;
  readonly longestLagMs: number;
  readonly pool: { readonly total: number; readonly idle: number; readonly waiting: number };
  readonly loops: readonly LoopRound[];
  readonly leases: readonly string[];
  readonly settings: Readonly<Record<string, number>>;
}

function readReports(platform: Platform): Promise<Row[]> {
  return platform.db.query<Row>(sql`
    select slot, name, version, role, started_at as "startedAt", reported_at as "reportedAt", lag_ms as "lagMs",
      longest_lag_ms as "longestLagMs", pool, loops, leases, settings
    from node_reports order by slot`);
}

const isSilent = (platform: Platform, { reportedAt }: Row) =>
  platform.clock.now().getTime() - reportedAt.getTime() > SILENT;

/** Whether some node that is not silent runs a loop. */
export const hasLoop = async (platform: Platform, loop: string): Promise<boolean> =>
  (await readReports(platform)).some(
    (row) => !isSilent(platform, row) && row.loops.some(({ name }) => name === loop),
  );

/** Every node with its last report. */
export async function listNodes(platform: Platform): Promise<z.input<typeof contract.getNodes.output>> {
  const rows = await readReports(platform);
  return {
    list: rows.map((row) => ({
      slot: row.slot,
      name: row.name,
      version: row.version,
      role: row.role,
      startTime: formatTime(row.startedAt),
      reportTime: formatTime(row.reportedAt),
      silent: isSilent(platform, row),
      lagMs: row.lagMs,
      longestLagMs: row.longestLagMs,
      pool: row.pool,
      leases: [...row.leases],
      loops: row.loops.map(({ name, everyMs, ranAt, ms, failure }) => ({
        name,
        everySeconds: everyMs / SECOND,
        lastTime: ranAt === null ? null : formatTime(new Date(ranAt)),
        durationMs: ms,
        failure,
      })),
    })),
  };
}

/** Which nodes have the stored value of a setting in force. */
export async function listSettingNodes(
  platform: Platform,
  _viewer: Viewer,
  { name }: z.output<typeof contract.getSettingNodes.input>,
): Promise<z.input<typeof contract.getSettingNodes.output>> {
  const [rows, [stored]] = await Promise.all([
    readReports(platform),
    platform.db.query<{ at: Date }>(sql`select updated_at as at from settings where name = ${name}`),
  ]);
  return {
    list: rows.map((row) => ({
      slot: row.slot,
      name: row.name,
      has: row.settings[name] === stored?.at.getTime(),
      silent: isSilent(platform, row),
    })),
  };
}
