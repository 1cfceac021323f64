import type { z } from 'zod';
import type { getKycList } from '@sangam/contract/endpoints/kyc.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal } from '../../platform/refusal.ts';
import { nameFor, type Viewer } from '../../platform/viewer.ts';
import { type KycSubject, SUBJECT_JOINS, enteredBy, kycScope } from './subject.ts';

interface Row {
  readonly id: bigint;
  readonly subjectKind: KycSubject;
  readonly subjectId: bigint;
  readonly subjectName: string;
  readonly verdict: 'pending' | 'approved' | 'rejected' | 'expired';
  readonly documentReference: string;
  readonly note: string | null;
  readonly submitterId: bigint;
  readonly submittedBy: string;
  readonly submittedAt: Date;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly entered: boolean;
}

/** KYC records, newest first. Merchants and suppliers do not see which operator decided. */
export async function listKyc(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getKycList.input>,
): Promise<z.input<typeof getKycList.output> | Refusal> {
  const now = platform.clock.now();
  const verdict = sql`case when k.verdict = 'approved' and k.expires_at <= ${now} then 'expired' else k.verdict end`;
  const page = await readPage<Row>(platform, input, {
    columns: sql`k.id, k.subject_kind as "subjectKind", k.subject_id as "subjectId",
      coalesce(m.name, s.name, a.bank || ' ' || a.account_tail, '') as "subjectName", ${verdict} as verdict,
      k.document_reference as "documentReference", k.note, k.submitted_by as "submitterId", su.account as "submittedBy",
      k.submitted_at as "submittedAt", ru.account as "reviewedBy", k.reviewed_at as "reviewedAt", k.expires_at as "expiresAt",
      ${enteredBy(viewer)} as entered`,
    from: sql`
      from kyc_records k ${SUBJECT_JOINS} join users su on su.id = k.submitted_by left join users ru on ru.id = k.reviewed_by
      where true ${kycScope(viewer)}
      ${input.subjectKind === undefined ? empty : sql`and k.subject_kind = ${input.subjectKind}`}
      ${input.subjectId === undefined ? empty : sql`and k.subject_id = ${BigInt(input.subjectId)}`}
      ${input.verdict === undefined ? empty : sql`and ${verdict} = ${input.verdict}`}
      ${input.expiresBefore === undefined ? empty : sql`and k.verdict = 'approved' and k.expires_at < ${parseTime(input.expiresBefore)}`}`,
    key: sql`k.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ submitterId, entered, submittedAt, reviewedAt, expiresAt, ...row }) => ({
      ...row,
      id: String(row.id),
      subjectId: String(row.subjectId),
      submittedBy: nameFor(viewer, row.submittedBy, { isOwn: submitterId === viewer.userId }),
      reviewedBy: nameFor(viewer, row.reviewedBy, { isOwn: false }),
      submitTime: formatTime(submittedAt),
      reviewTime: reviewedAt && formatTime(reviewedAt),
      expiresTime: expiresAt && formatTime(expiresAt),
      mayReview:
        row.verdict === 'pending' &&
        ADMINS.includes(viewer.role) &&
        submitterId !== viewer.userId &&
        !entered,
    })),
  };
}
