import { type Sql, sql } from '../../platform/db/database.ts';

/** SQL: the latest decided KYC record approves the subject and has not expired. */
export function kycApproved(kind: 'merchant' | 'supplier' | 'account', subjectId: Sql, now: Date): Sql {
  return sql`coalesce((
    select k.verdict = 'approved' and (k.expires_at is null or k.expires_at > ${now}) from kyc_records k
    where k.subject_kind = ${kind} and k.subject_id = ${subjectId} and k.verdict <> 'pending'
    order by k.place desc, k.id desc limit 1), false)`;
}

/** SQL: until when kycApproved stays true if nothing changes, in milliseconds; −infinity where it is false. */
export function kycApprovedUntilMs(kind: 'merchant' | 'supplier' | 'account', subjectId: Sql): Sql {
  return sql`coalesce((
    select case when k.verdict = 'approved' then coalesce(extract(epoch from k.expires_at)::float8 * 1000, 'infinity') end
    from kyc_records k where k.subject_kind = ${kind} and k.subject_id = ${subjectId} and k.verdict <> 'pending'
    order by k.place desc, k.id desc limit 1), '-infinity')`;
}

/** SQL: the subject's KYC state for lists: none, pending, approved, rejected or expired. */
export function kycState(kind: 'merchant' | 'supplier' | 'account', subjectId: Sql, now: Date): Sql {
  return sql`coalesce((
    select case when k.verdict = 'approved' and k.expires_at <= ${now} then 'expired' else k.verdict end from kyc_records k
    where k.subject_kind = ${kind} and k.subject_id = ${subjectId} order by k.place desc, k.id desc limit 1), 'none')`;
}
