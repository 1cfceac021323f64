import type { z } from 'zod';
import type { heartbeat as contract } from '@sangam/contract/endpoints/outside.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { MINUTE } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import type { SignedMonitor } from '../../http/route.ts';
import type { Platform } from '../../platform/platform.ts';

type Input = z.output<typeof contract.input>;

/** Monitors beat every few seconds; the log keeps one beat of each minute. */
const LOG_EVERY = MINUTE;

/** Records that a monitor is alive. Its accounts get orders while it is. */
export async function heartbeat(
  platform: Platform,
  monitor: SignedMonitor,
  input: Input,
): Promise<z.input<typeof contract.output>> {
  const now = platform.clock.now();
  await platform.db.evidence.tx(async (tx) => {
    // First, because the row's lock makes two concurrent heartbeats check the log one after the other.
    await tx.query(sql`
      update monitors set last_seen_at = ${now}, script_version = ${input.scriptVersion} where id = ${monitor.id}`);
    if (await loggedLately(tx, monitor.id, now)) return;
    const accounts = await servedAccounts(tx, monitor.id, input.accounts ?? []);
    const { scriptVersion, battery } = input;
    await tx.query(sql`
      insert into monitor_log (id, monitor_id, phase, detail, created_at)
      values (${platform.ids.next()}, ${monitor.id}, 'heartbeat', ${JSON.stringify({ scriptVersion, battery, accounts })}, ${now})`);
  });
  return { serverTime: formatTime(now) };
}

async function loggedLately(tx: Tx, monitorId: bigint, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from monitor_log
    where monitor_id = ${monitorId} and phase = 'heartbeat' and id >= ${firstIdAt(new Date(now.getTime() - LOG_EVERY + 1))}
    limit 1`);
  return rows.length > 0;
}

/** Those of the accounts that belong to this monitor. A device cannot speak for others. */
async function servedAccounts(tx: Tx, monitorId: bigint, claimed: readonly string[]): Promise<string[]> {
  if (claimed.length === 0) return [];
  const rows = await tx.query<{ id: bigint }>(sql`
    select id from accounts where monitor_id = ${monitorId} and id = any(${claimed}::bigint[]) order by id`);
  return rows.map((row) => String(row.id));
}
