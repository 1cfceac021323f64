import { type Tx, empty, sql } from '../platform/db/database.ts';
import type { Approval, ApprovalResult } from './approval.ts';

/** Columns of an Approval, of table alias `a`. */
export const APPROVAL_COLUMNS = sql`
  a.id, a.kind, a.subject_kind as "subjectKind", a.subject_id as "subjectId", a.payload, a.sealed, a.reason, a.status,
  a.started_by as "startedBy", a.started_at as "startedAt", a.expires_at as "expiresAt", a.decided_by as "decidedBy",
  a.result`;

export type NewApproval = Omit<Approval, 'status' | 'decidedBy' | 'result'> & {
  /** The requester's role, with the role at its merchant or supplier: 'admin', 'merchant:finance'. */
  readonly startedAs: string;
  readonly requestKey: string | null;
  readonly isSole: boolean;
};

/** Writes the request. False: it was made before (same key), or it is a sole request and one is waiting already. */
export async function insertApproval(tx: Tx, row: NewApproval): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into approvals (id, kind, subject_kind, subject_id, payload, sealed, reason, started_by, started_as, started_at, expires_at, request_key, is_sole)
    values (${row.id}, ${row.kind}, ${row.subjectKind}, ${row.subjectId}, ${JSON.stringify(row.payload)}, ${row.sealed}, ${row.reason},
      ${row.startedBy}, ${row.startedAs}, ${row.startedAt}, ${row.expiresAt}, ${row.requestKey}, ${row.isSole})
    on conflict do nothing returning id`);
  return inserted.length > 0;
}

/**
 * The request that conflicts with a new one: the same request made before, or the only one that may wait. `isSame`: it asks for the same.
 * Secrets are not compared, so a request that carries one is the same only by its key.
 */
export async function findConflicting(
  tx: Tx,
  row: NewApproval,
): Promise<{ readonly id: bigint; readonly isSame: boolean } | undefined> {
  const subject = sql`a.kind = ${row.kind} and a.subject_kind = ${row.subjectKind} and a.subject_id = ${row.subjectId}`;
  const payload = sql`${JSON.stringify(row.payload)}::jsonb`;
  const repeated = sql`(a.started_by = ${row.startedBy} and a.request_key = ${row.requestKey} and a.payload = ${payload})`;
  const rows = await tx.query<{ id: bigint; isSame: boolean }>(sql`
    select a.id, ${repeated} is true or (a.payload = ${payload} and a.sealed is null and ${row.sealed === null}) as "isSame"
    from approvals a
    where ${subject} and (${repeated}
      or a.status = 'pending' and a.is_sole and (a.payload ->> 'currency') is not distinct from (${payload} ->> 'currency'))
    order by ${repeated} is true desc limit 1`);
  return rows[0];
}

/** Whether the requester is unchanged since: not deleted, and with the same role, all the time. */
export async function isStarterUnchanged(tx: Tx, { id }: Approval): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from approvals a join users u on u.id = a.started_by and u.deleted_at is null
      left join party_members pm on pm.user_id = u.id
    where a.id = ${id} and a.started_as = concat_ws(':', u.role, pm.party_role)
      and not exists (select from user_control_changes c
        where c.user_id = u.id and c.change in ('revived', 'role') and c.created_at > a.started_at)`);
  return rows.length > 0;
}

export async function lockApproval(tx: Tx, id: bigint): Promise<Approval | undefined> {
  const rows = await tx.query<Approval>(sql`
    select ${APPROVAL_COLUMNS} from approvals a where a.id = ${id} for update`);
  return rows[0];
}

export async function endApproval(
  tx: Tx,
  id: bigint,
  end: {
    readonly status: 'approved' | 'refused' | 'withdrawn';
    readonly decidedBy: bigint | null;
    readonly reason: string | null;
    readonly result: ApprovalResult | null;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(sql`
    update approvals set status = ${end.status}, decided_by = ${end.decidedBy}, decided_at = ${end.at},
      decide_reason = ${end.reason}, result = ${end.result && JSON.stringify(end.result)}
    where id = ${id}`);
}

/** Expires every pending request, for a reason. */
export function expireEvery(tx: Tx, at: Date, reason: string): Promise<Pick<Approval, 'id' | 'kind'>[]> {
  return tx.query(sql`
    update approvals set status = 'expired', decided_at = ${at}, decide_reason = ${reason}
    where status = 'pending' returning id, kind`);
}

/** Expires requests that nobody decided in time: all of them, or those about one subject. */
export function expirePending(
  tx: Tx,
  at: Date,
  of?: Pick<Approval, 'kind' | 'subjectKind' | 'subjectId'>,
): Promise<Approval[]> {
  const subject = of
    ? sql`and a.kind = ${of.kind} and a.subject_kind = ${of.subjectKind} and a.subject_id = ${of.subjectId}`
    : empty;
  return tx.query<Approval>(sql`
    update approvals a set status = 'expired', decided_at = ${at}
    where a.status = 'pending' and a.expires_at <= ${at} ${subject} returning ${APPROVAL_COLUMNS}`);
}
