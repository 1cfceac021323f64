import type * as contract from '@sangam/contract/endpoints/pay-script.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { tiedToAuthors } from '../../approvals/independence.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { authorsOf, readVersion } from './store.ts';

/**
 * Asks to make a version live: a newer one, or an older one to go back to. The version must have worked on a request before
 * (409 `untried`), and another person must agree (1205).
 */
export async function askRelease(
  platform: Platform,
  viewer: Viewer,
  { id, version, reason }: z.output<typeof contract.releasePayScript.input>,
): Promise<Refusal> {
  const scriptId = BigInt(id);
  const outcome = await platform.db.tx(async (tx) => {
    const script = await readVersion(tx, scriptId, version);
    if (!script) return refuse('notFound');
    if (script.triedAt === null) return refuse('conflict', {}, { reason: 'untried' });
    return startApproval(platform, tx, viewer, {
      kind: 'payScriptRelease',
      subjectKind: 'payScript',
      subjectId: scriptId,
      payload: { version, origins: script.origins },
      reason,
      sole: true,
    });
  });
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

export const payScriptReleaseApproval = approvalHandler({
  kind: 'payScriptRelease',
  payload: z.object({ version: z.int(), origins: z.array(z.string()) }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { subjectId, payload, startedBy }, decider) {
    const { version } = payload;
    const [before] = await tx.query<{ version: number | null }>(sql`
      select live_version as version from pay_scripts where id = ${subjectId} for update`);
    if (!before) return refuse('notFound');
    const tied = await tiedToAuthors(platform, tx, decider, await authorsOf(tx, subjectId, version));
    if (tied) return tied;
    await tx.query(sql`
      update pay_script_versions set released_at = coalesce(released_at, ${platform.clock.now()})
      where script_id = ${subjectId} and version = ${version}`);
    await tx.query(sql`update pay_scripts set live_version = ${version} where id = ${subjectId}`);
    await audit(platform, tx, {
      userId: decider.userId,
      action: 'payScript.release',
      subject: `payScript:${subjectId}`,
      before,
      after: { version, startedBy: String(startedBy) },
      ip: decider.ip,
    });
    return { version, before: before.version };
  },
});
