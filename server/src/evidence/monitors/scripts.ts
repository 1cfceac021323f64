import type * as contract from '@sangam/contract/endpoints/monitor.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { tiedToAuthors } from '../../approvals/independence.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { askRefresh } from './ask-monitor.ts';

type Input<Endpoint extends { input: z.ZodType }> = z.output<Endpoint['input']>;
type Output<Endpoint extends { output: z.ZodType }> = z.input<Endpoint['output']>;

interface Script {
  readonly version: string;
  readonly note: string;
  readonly live: boolean;
  readonly body: string;
  readonly at: Date;
  readonly by: string | null;
  readonly monitors: number;
}

export async function listScripts(platform: Platform): Promise<Output<typeof contract.getMonitorScriptList>> {
  const rows = await platform.db.query<Script>(sql`
    select s.version, s.note, s.live, s.body, s.created_at as at, u.account as by,
      (select count(*)::int from monitors m where m.script_version = s.version) as monitors
    from monitor_scripts s left join users u on u.id = s.created_by order by s.created_at desc, s.version`);
  return { list: rows.map(({ at, ...script }) => ({ ...script, time: formatTime(at) })) };
}

/** Stores a version for good. 409 if its name is taken, because monitors report by this name which script they run. */
export async function saveScript(
  platform: Platform,
  viewer: Viewer,
  { version, body, note }: Input<typeof contract.saveMonitorScript>,
): Promise<Output<typeof contract.saveMonitorScript> | Refusal> {
  return platform.db.tx(async (tx) => {
    const rows = await tx.query(sql`
      insert into monitor_scripts (version, body, note, created_at, created_by)
      values (${version}, ${body}, ${note}, ${platform.clock.now()}, ${viewer.userId})
      on conflict do nothing returning 1`);
    if (rows.length === 0) return refuse('conflict', {}, { reason: 'versionTaken' });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'monitorScript.save',
      subject: `monitorScript:${version}`,
      after: { note, length: body.length },
      ip: viewer.ip,
    });
    return {};
  });
}

/** Asks to release a version to the monitors. It reaches all phones, so a second person agrees (1205). */
export async function askScriptRelease(
  platform: Platform,
  viewer: Viewer,
  { version, reason }: Input<typeof contract.releaseMonitorScript>,
): Promise<Refusal> {
  const outcome = await platform.db.tx(async (tx) => {
    const [script] = await tx.query<{ note: string }>(sql`
      select note from monitor_scripts where version = ${version}`);
    if (!script) return refuse('notFound');
    return startApproval(platform, tx, viewer, {
      kind: 'monitorScriptRelease',
      subjectKind: 'system',
      subjectId: 0n,
      payload: { version, note: script.note },
      reason,
      sole: true,
    });
  });
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

export const monitorScriptReleaseApproval = approvalHandler({
  kind: 'monitorScriptRelease',
  payload: z.object({ version: z.string(), note: z.string() }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { payload, startedBy }, decider) {
    const { version } = payload;
    const authors = await tx.query<{ by: bigint }>(sql`
      select created_by as by from monitor_scripts where version = ${version} and created_by is not null`);
    const tied = await tiedToAuthors(
      platform,
      tx,
      decider,
      authors.map(({ by }) => by),
    );
    if (tied) return tied;
    const [before] = await tx.query<{ version: string }>(sql`
      update monitor_scripts set live = false where live and version <> ${version} returning version`);
    await tx.query(sql`update monitor_scripts set live = true where version = ${version}`);
    await audit(platform, tx, {
      userId: decider.userId,
      action: 'monitorScript.release',
      subject: `monitorScript:${version}`,
      before,
      after: { version, startedBy: String(startedBy) },
      ip: decider.ip,
    });
    return { version, monitors: await askRefresh(platform, tx, version, decider.userId) };
  },
});

/** The version that is released to monitors; nulls if none is. */
export async function currentScript(platform: Platform): Promise<Output<typeof contract.monitorScript>> {
  const rows = await platform.db.evidence.query<{ version: string; body: string }>(
    sql`select version, body from monitor_scripts where live`,
  );
  return rows[0] ?? { version: null, body: null };
}
