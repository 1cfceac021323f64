import { type Sql, sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';

/** SQL: a proof of ownership is approved, was approved, or is under review. What it names cannot change. */
export function isProven(accountId: Sql): Sql {
  return sql`exists (
    select from kyc_records k where k.subject_kind = 'account' and k.subject_id = ${accountId} and k.verdict <> 'rejected')`;
}

/** SQL, in an update of an account: the viewer becomes one of those who entered its owner and may not review the proof of it. */
export function alsoEnteredBy({ userId }: Viewer): Sql {
  return sql`entered_by = array_append(array_remove(entered_by, ${userId}::bigint), ${userId}::bigint)`;
}
