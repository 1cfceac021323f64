import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { startApproval, type Started } from '../approvals/start.ts';
import { audit } from '../platform/audit/record.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

/**
 * Starts, in the caller's transaction, an approval for new credentials of a gateway payout account. The caller has found the
 * account in the viewer's scope. The credentials are sealed at once: the request shows the names of the changed fields, never a
 * value. The caller commits and answers `approvalNeeded`.
 */
export function askForCredentials(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  input: {
    readonly accountId: bigint;
    readonly credentials: Readonly<Record<string, string>>;
    readonly reason: string | null;
  },
): Promise<Started | Refusal> {
  return startApproval(platform, tx, viewer, {
    kind: 'gatewayCredentials',
    subjectKind: 'account',
    subjectId: input.accountId,
    payload: { fields: Object.keys(input.credentials) },
    sealed: platform.vault.seal(JSON.stringify(input.credentials), ['approvals.sealed', input.accountId]),
    reason: input.reason,
    sole: true,
  });
}

export const gatewayCredentialsApproval = approvalHandler({
  kind: 'gatewayCredentials',
  payload: z.object({ fields: z.array(z.string()) }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { subjectId, payload, sealed, startedBy }, decider) {
    const { vault } = platform;
    const plain = vault.open(sealed!, ['approvals.sealed', subjectId]);
    const credentials = vault.seal(plain, ['accounts.credentials', subjectId]);
    const changed = await tx.query(sql`
      update accounts set credentials = ${credentials}, credentials_at = ${platform.clock.now()}
      where id = ${subjectId} returning id`);
    if (changed.length === 0) return refuse('notFound');
    await audit(platform, tx, {
      userId: decider.userId,
      action: 'account.setCredentials',
      subject: `account:${subjectId}`,
      after: { fields: payload.fields, startedBy: String(startedBy) },
      ip: decider.ip,
    });
    return { fields: payload.fields };
  },
});
