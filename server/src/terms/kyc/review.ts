import type { z } from 'zod';
import type { reviewKyc as contract } from '@sangam/contract/endpoints/kyc.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { parseTime } from '@sangam/contract/time.ts';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import { notIndependent } from '../../approvals/independence.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

interface Locked {
  readonly verdict: 'pending' | 'approved' | 'rejected';
  readonly submittedBy: bigint;
  readonly expiresAt: Date | null;
  /** Of an account: the users who entered its owner. */
  readonly enteredBy: readonly string[] | null;
}

/**
 * Decides on a waiting record. Nobody decides on a record they submitted (the table forbids it too), nor on the owner of an
 * account that they entered. Nobody approves who is not independent of those users.
 */
export async function reviewKyc(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<Record<string, never> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const id = BigInt(input.id);
  const now = platform.clock.now();
  return platform.db.tx(async (tx) => {
    const [record] = await tx.query<Locked>(sql`
      select verdict, submitted_by as "submittedBy", expires_at as "expiresAt",
        (select a.entered_by::text[] from accounts a where k.subject_kind = 'account' and a.id = k.subject_id) as "enteredBy"
      from kyc_records k where id = ${id} for update`);
    if (!record) return refuse('notFound');
    if (record.verdict !== 'pending') return refuse('conflict', {}, { reason: 'decided' });
    if (record.submittedBy === viewer.userId) return refuse('forbidden', {}, { reason: 'ownSubmission' });
    const authors = (record.enteredBy ?? []).map(BigInt);
    if (authors.includes(viewer.userId)) return refuse('forbidden', {}, { reason: 'ownEntry' });
    if (input.verdict === 'approved')
      for (const starter of [record.submittedBy, ...authors]) {
        const tied = await notIndependent(tx, { starter, decider: viewer.userId, at: now });
        if (tied) return tied;
      }
    const expiresAt = input.expiresTime === undefined ? record.expiresAt : parseTime(input.expiresTime)!;
    if (input.verdict === 'approved' && expiresAt && expiresAt <= now)
      return refuse('invalidInput', { fields: 'expiresTime' }, { reason: 'past' });
    const { verdict, note = null } = input;
    await tx.query(sql`
      update kyc_records set verdict = ${verdict}, reviewed_by = ${viewer.userId}, reviewed_at = ${now},
        expires_at = ${expiresAt}, note = ${note}
      where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'kyc.review',
      subject: `kyc:${id}`,
      before: { verdict: record.verdict, expiresAt: record.expiresAt },
      after: { verdict, expiresAt, note },
      ip: viewer.ip,
    });
    return {};
  });
}
