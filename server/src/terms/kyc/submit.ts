import type { z } from 'zod';
import type { submitKyc as contract } from '@sangam/contract/endpoints/kyc.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { parseTime } from '@sangam/contract/time.ts';
import { audit } from '../../platform/audit/record.ts';
import { sql, type Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import { listedProblem } from '../../screening/listed-problem.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { type KycSubject, nameOf, seesSubject } from './subject.ts';

const SUBMITTERS: readonly Role[] = ['superAdmin', 'admin', 'customerService', 'supplier', 'merchant'];

/**
 * Submits a record for review. Each subject has one waiting record at most, so the newest decided record is also the newest
 * submitted. An approved record stays in force until the decision.
 */
export async function submitKyc(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<{ readonly id: string } | Refusal> {
  if (!SUBMITTERS.includes(viewer.role)) return refuse('forbidden');
  const now = platform.clock.now();
  const expiresAt = input.expiresTime === undefined ? null : parseTime(input.expiresTime)!;
  if (expiresAt && expiresAt <= now)
    return refuse('invalidInput', { fields: 'expiresTime' }, { reason: 'past' });
  const { subjectKind, documentReference } = input;
  const subjectId = BigInt(input.subjectId);
  return platform.db.tx(async (tx) => {
    if (!(await seesSubject(tx, viewer, subjectKind, subjectId))) return refuse('notFound');
    const listed = await subjectListed(platform, tx, subjectKind, subjectId, documentReference);
    if (listed) return listed;
    // Two submissions for one subject at the same time run one after the other.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`kyc/${subjectKind}/${subjectId}`}, 0))`,
    );
    const waiting = await tx.query(sql`
      select 1 from kyc_records where subject_kind = ${subjectKind} and subject_id = ${subjectId} and verdict = 'pending'`);
    if (waiting.length > 0) return refuse('conflict', {}, { reason: 'pending' });
    const id = platform.ids.next();
    await tx.query(sql`
      insert into kyc_records (id, subject_kind, subject_id, verdict, document_reference, submitted_by, submitted_at, expires_at,
        place)
      values (${id}, ${subjectKind}, ${subjectId}, 'pending', ${documentReference}, ${viewer.userId}, ${now}, ${expiresAt},
        (select coalesce(max(place), 0) + 1 from kyc_records
          where subject_kind = ${subjectKind} and subject_id = ${subjectId}))`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'kyc.submit',
      subject: `kyc:${id}`,
      after: { subjectKind, subjectId: String(subjectId), documentReference, expiresAt },
      ip: viewer.ip,
    });
    return { id: String(id) };
  });
}

async function subjectListed(
  platform: Platform,
  tx: Tx,
  kind: KycSubject,
  id: bigint,
  document: string,
): Promise<Refusal | undefined> {
  const name = await nameOf(tx, kind, id);
  return listedProblem(platform, { name, document }, 'kyc', `${kind}:${id}`);
}
