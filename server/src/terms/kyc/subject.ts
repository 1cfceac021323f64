import { type Queryable, type Sql, sql } from '../../platform/db/database.ts';
import { type Viewer, scopeOf } from '../../platform/viewer.ts';

export type KycSubject = 'merchant' | 'supplier' | 'account';

/** Joins the subject of a record `k`, from whichever table has it. */
export const SUBJECT_JOINS: Sql = sql`
  left join merchants m on k.subject_kind = 'merchant' and m.id = k.subject_id
  left join suppliers s on k.subject_kind = 'supplier' and s.id = k.subject_id
  left join accounts a on k.subject_kind = 'account' and a.id = k.subject_id`;

/** Records that a viewer may see: staff all, a merchant and a supplier their own, a supplier also those of its accounts. */
export function kycScope(viewer: Viewer): Sql {
  return scopeOf(viewer, { merchant: sql`m.id`, supplier: sql`coalesce(s.id, a.supplier_id)` });
}

/** SQL: whether the record `k` is about an account whose bank, owner or number the viewer entered. */
export function enteredBy(viewer: Viewer): Sql {
  return sql`(k.subject_kind = 'account' and exists (
    select from accounts e where e.id = k.subject_id and ${viewer.userId} = any(e.entered_by)))`;
}

/** Whether the subject exists and the viewer may see it. */
export async function seesSubject(
  db: Queryable,
  viewer: Viewer,
  kind: KycSubject,
  id: bigint,
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from (values (${kind}::text, ${id}::bigint)) as k (subject_kind, subject_id) ${SUBJECT_JOINS}
    where coalesce(m.id, s.id, a.id) is not null ${kycScope(viewer)}`);
  return rows.length === 1;
}

/** The name of a subject; of an account, its owner's name. */
export async function nameOf(db: Queryable, kind: KycSubject, id: bigint): Promise<string | null> {
  const [row] = await db.query<{ name: string | null }>(sql`
    select coalesce(m.name, s.name, a.owner_name) as name
    from (values (${kind}::text, ${id}::bigint)) as k (subject_kind, subject_id) ${SUBJECT_JOINS}`);
  return row?.name ?? null;
}
