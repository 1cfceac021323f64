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
import { enteredBy } from './subject.ts';

interface Locked {
  readonly verdict: 'pending' | 'approved' | 'rejected';
  readonly submittedBy: bigint;
  readonly expiresAt: Date | null;
  /** Of an account: the viewer entered whose it is. */
  readonly entered: boolean;
}

/**
 * Decides on a record that waits; nobody decides on what they submitted (the table forbids it too), nor on the owner of
 * an account as they entered it themselves.
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
        ${enteredBy(viewer)} as entered
      from kyc_records k where id = ${id} for update`);
    if (!record) return refuse('notFound');
    if (record.verdict !== 'pending') return refuse('conflict', {}, { reason: 'decided' });
    if (record.submittedBy === viewer.userId) return refuse('forbidden', {}, { reason: 'ownSubmission' });
    if (record.entered) return refuse('forbidden', {}, { reason: 'ownEntry' });
    const people = { starter: record.submittedBy, decider: viewer.userId, at: now };
    const tied = input.verdict === 'approved' ? await notIndependent(tx, people) : undefined;
    if (tied) return tied;
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
