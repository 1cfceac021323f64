import type * as contract from '@sangam/contract/endpoints/monitor.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { isFreshUser } from '../../approvals/independence.ts';
import { audit } from '../../platform/audit/record.ts';
import { SECOND } from '../../platform/clock.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { newMonitorSecret, setMonitorSecret } from './monitor.ts';
import { askResend } from './ask-monitor.ts';

type Input<Endpoint extends { input: z.ZodType }> = z.output<Endpoint['input']>;
type Output<Endpoint extends { output: z.ZodType }> = z.input<Endpoint['output']>;

interface Row {
  readonly id: bigint;
  readonly name: string;
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly enabled: boolean;
  readonly lastSeen: Date | null;
  readonly scriptVersion: string | null;
  readonly isScriptOld: boolean;
  readonly accounts: number;
  readonly waitingCommands: number;
}

/** SQL: the monitors (alias `m`) that a viewer may see. A supplier sees its own devices, but no rail that the platform watches itself. */
const monitorScope = (viewer: Viewer) =>
  viewer.role === 'supplier'
    ? sql`${scopeOf(viewer, { supplier: sql`m.supplier_id` })}
        and not exists (select from rail_watches w where w.monitor_id = m.id)`
    : empty;

/** Monitors, newest first. A monitor is online if it was seen within MonitorLiveTime. */
export async function listMonitors(
  platform: Platform,
  viewer: Viewer,
  input: Input<typeof contract.getMonitorList>,
): Promise<Output<typeof contract.getMonitorList> | Refusal> {
  const { MonitorLiveTime } = await platform.settings.all();
  const since = platform.clock.now().getTime() - MonitorLiveTime * SECOND;
  const page = await readPage<Row>(platform, input, {
    columns: sql`m.id, m.name, m.supplier_id as "supplierId", s.name as "supplierName", m.enabled,
      m.last_seen_at as "lastSeen", m.script_version as "scriptVersion",
      exists (select from monitor_scripts l where l.live and l.version is distinct from m.script_version) as "isScriptOld",
      (select count(*)::int from accounts a where a.monitor_id = m.id) as accounts,
      (select count(*)::int from monitor_commands c where c.monitor_id = m.id and c.first_given_at is null) as "waitingCommands"`,
    from: sql`
      from monitors m join suppliers s on s.id = m.supplier_id
      where true ${monitorScope(viewer)} ${input.name === undefined ? empty : sql`and strpos(lower(m.name), lower(${input.name})) > 0`}
        ${input.supplierId === undefined ? empty : sql`and m.supplier_id = ${BigInt(input.supplierId)}`}`,
    key: sql`m.id`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map((row) => ({
    ...row,
    id: String(row.id),
    supplierId: String(row.supplierId),
    online: row.enabled && row.lastSeen !== null && row.lastSeen.getTime() >= since,
    lastSeen: row.lastSeen ? formatTime(row.lastSeen) : null,
  }));
  return { ...page, list };
}

/** Registers a monitor of a supplier. Nobody knows its secret until the supplier asks for one: whoever has it can report any payment. */
export async function registerMonitor(
  platform: Platform,
  viewer: Viewer,
  { supplierId, name }: Input<typeof contract.registerMonitor>,
): Promise<Output<typeof contract.registerMonitor> | Refusal> {
  return platform.db.tx(async (tx) => {
    const rows = await tx.query<{ id: bigint }>(sql`
      insert into monitors (supplier_id, name, secret, created_at)
      select id, ${name}, '', ${platform.clock.now()} from suppliers where id = ${BigInt(supplierId)}
      returning id`);
    if (!rows[0]) return refuse('notFound');
    await setMonitorSecret(platform, tx, rows[0].id, newMonitorSecret());
    const monitorId = String(rows[0].id);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'monitor.register',
      subject: `monitor:${monitorId}`,
      after: { supplierId, name },
      ip: viewer.ip,
    });
    return { monitorId };
  });
}

/**
 * Makes a new secret. The old one ends at once, so a lost or sold phone reports nothing more. Only the supplier's own user is shown the new
 * secret, once; staff are shown nothing. 403 if that user was made or reset within a day and the monitor has reported before.
 */
export async function renewSecret(
  platform: Platform,
  viewer: Viewer,
  { monitorId }: Input<typeof contract.renewMonitorSecret>,
): Promise<Output<typeof contract.renewMonitorSecret> | Refusal> {
  const secret = newMonitorSecret();
  const isOwn = viewer.role === 'supplier';
  if (!isOwn && viewer.role !== 'superAdmin') return refuse('forbidden');
  return platform.db.tx(async (tx) => {
    const [monitor] = await tx.query<{ isUsed: boolean }>(sql`
      select m.last_seen_at is not null or m.last_sequence > 0 as "isUsed" from monitors m
      where m.id = ${BigInt(monitorId)} ${monitorScope(viewer)} for update of m`);
    if (!monitor) return refuse('notFound');
    if (isOwn && monitor.isUsed && (await isFreshUser(tx, viewer.userId, platform.clock.now())))
      return refuse('forbidden', {}, { reason: 'freshUser' });
    await setMonitorSecret(platform, tx, BigInt(monitorId), secret);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'monitor.renewSecret',
      subject: `monitor:${monitorId}`,
      ip: viewer.ip,
    });
    return { monitorId, secret: isOwn ? secret : null };
  });
}

/** Switches a monitor on or off. While it is off, its calls are refused and it counts as never seen, so its accounts get no orders. */
export async function enableMonitor(
  platform: Platform,
  viewer: Viewer,
  { monitorId, enable }: Input<typeof contract.enableMonitor>,
): Promise<Output<typeof contract.enableMonitor> | Refusal> {
  return platform.db.tx(async (tx) => {
    const rows = await tx.query(sql`
      update monitors set enabled = ${enable}, last_seen_at = case when ${enable} then last_seen_at end
      where id = ${BigInt(monitorId)} returning 1`);
    if (rows.length === 0) return refuse('notFound');
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'monitor.enable',
      subject: `monitor:${monitorId}`,
      after: { enabled: enable },
      ip: viewer.ip,
    });
    return {};
  });
}

/** Asks a monitor to report its inbox between two times again. 400 if a time is wrong or the start is after the end. */
export async function resend(
  platform: Platform,
  viewer: Viewer,
  input: Input<typeof contract.askMonitorResend>,
): Promise<Output<typeof contract.askMonitorResend> | Refusal> {
  const monitorId = BigInt(input.monitorId);
  const from = parseTime(input.startTime);
  const to = parseTime(input.endTime);
  if (!from || !to || from > to) return wrongInput('startTime');
  return platform.db.tx(async (tx) => {
    const known = await tx.query(sql`select 1 from monitors where id = ${monitorId}`);
    if (known.length === 0) return refuse('notFound');
    const commandId = await askResend(platform, tx, {
      monitorId,
      from,
      to,
      reason: 'operator',
      askedBy: viewer.userId,
    });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'monitor.resend',
      subject: `monitor:${input.monitorId}`,
      after: { startTime: input.startTime, endTime: input.endTime },
      ip: viewer.ip,
    });
    return { commandId: String(commandId) };
  });
}
