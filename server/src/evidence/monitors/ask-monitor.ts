import type { monitorCommands } from '@sangam/contract/endpoints/monitor.ts';
import type { z } from 'zod';
import { MINUTE } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { SignedMonitor } from '../../http/route.ts';
import type { Platform } from '../../platform/platform.ts';

/** A command is given out again for this long after the first time: the answer may have been lost, and doing it twice harms nothing. */
const TOLD_FOR = MINUTE;

export interface ResendRequest {
  readonly monitorId: bigint;
  /** Both ends are included. The device reports its inbox between them again; messages that are known already stay as they are. */
  readonly from: Date;
  readonly to: Date;
  readonly reason: string;
  /** Null: the platform itself asks. */
  readonly askedBy: bigint | null;
}

/**
 * Asks a monitor to report its inbox between two moments again. If a request for the whole span still waits to be fetched, no second one is
 * made. Returns the id of the command.
 */
export async function askResend(platform: Platform, tx: Tx, request: ResendRequest): Promise<bigint> {
  const { monitorId, from, to, reason, askedBy } = request;
  const waiting = await tx.query<{ id: bigint }>(sql`
    select id from monitor_commands
    where monitor_id = ${monitorId} and kind = 'resend' and first_given_at is null
      and from_time <= ${from} and to_time >= ${to}
    order by id limit 1`);
  if (waiting[0]) return waiting[0].id;
  const id = platform.ids.next();
  await tx.query(sql`
    insert into monitor_commands (id, monitor_id, kind, from_time, to_time, reason, asked_at, asked_by)
    values (${id}, ${monitorId}, 'resend', ${from}, ${to}, ${reason}, ${platform.clock.now()}, ${askedBy})`);
  await logCommand(platform, tx, monitorId, {
    command: 'resend',
    from: from.toISOString(),
    to: to.toISOString(),
    reason,
  });
  return id;
}

/** Asks every enabled monitor to report its inbox between two moments again. Returns the number of monitors. */
export async function askAllToResend(
  platform: Platform,
  tx: Tx,
  span: Pick<ResendRequest, 'from' | 'to' | 'reason'>,
): Promise<number> {
  // The platform watches a rail itself: no device would fetch the command.
  const monitors = await tx.query<{ id: bigint }>(sql`
    select id from monitors m where enabled and not exists (select from rail_watches w where w.monitor_id = m.id)
    order by id`);
  for (const { id: monitorId } of monitors)
    await askResend(platform, tx, { ...span, monitorId, askedBy: null });
  return monitors.length;
}

/** Asks every enabled monitor to fetch the live script. Returns the number of monitors. */
export async function askRefresh(
  platform: Platform,
  tx: Tx,
  version: string,
  askedBy: bigint,
): Promise<number> {
  const monitors = await tx.query<{ id: bigint }>(sql`select id from monitors where enabled order by id`);
  for (const { id: monitorId } of monitors) {
    await tx.query(sql`
      insert into monitor_commands (id, monitor_id, kind, reason, asked_at, asked_by)
      values (${platform.ids.next()}, ${monitorId}, 'refreshScript', ${version}, ${platform.clock.now()}, ${askedBy})`);
    await logCommand(platform, tx, monitorId, { command: 'refreshScript', version });
  }
  return monitors.length;
}

async function logCommand(platform: Platform, tx: Tx, monitorId: bigint, detail: object): Promise<void> {
  await tx.query(sql`
    insert into monitor_log (id, monitor_id, phase, detail, created_at)
    values (${platform.ids.next()}, ${monitorId}, 'command', ${JSON.stringify(detail)}, ${platform.clock.now()})`);
}

/** The commands for the calling monitor, oldest first. */
export async function takeCommands(
  platform: Platform,
  monitor: SignedMonitor,
): Promise<z.input<typeof monitorCommands.output>> {
  const now = platform.clock.now();
  const rows = await platform.db.evidence.query<{
    id: bigint;
    kind: 'resend' | 'refreshScript';
    from: Date;
    to: Date;
  }>(sql`
    with told as (
      update monitor_commands set first_given_at = coalesce(first_given_at, ${now})
      where monitor_id = ${monitor.id}
        and (first_given_at is null or first_given_at > ${new Date(now.getTime() - TOLD_FOR)})
      returning id, kind, from_time, to_time
    )
    select id, kind, from_time as "from", to_time as "to" from told order by id`);
  return {
    commands: rows.map(({ id, kind, from, to }) =>
      kind === 'resend'
        ? { id: String(id), kind, from: from.getTime(), to: to.getTime() }
        : { id: String(id), kind },
    ),
  };
}
