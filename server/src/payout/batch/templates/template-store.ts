import type { TemplateFormat } from '@sangam/contract/payout-templates.ts';
import { type Queryable, type Tx, sql } from '../../../platform/db/database.ts';

/** A template with its newest version. */
export interface StoredTemplate {
  readonly id: bigint;
  readonly name: string;
  readonly enabled: boolean;
  readonly version: number;
  readonly format: TemplateFormat;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
}

const CURRENT = sql`
  select t.id, t.name, t.enabled, v.version, v.format, v.created_at as "updatedAt", u.account as "updatedBy"
  from payout_templates t
  join lateral (select * from payout_template_versions v where v.template_id = t.id order by v.version desc limit 1) v on true
  left join users u on u.id = v.created_by`;

export function currentTemplates(db: Queryable): Promise<StoredTemplate[]> {
  return db.query<StoredTemplate>(sql`${CURRENT} order by t.id`);
}

export async function currentTemplate(db: Queryable, id: bigint): Promise<StoredTemplate | undefined> {
  return (await db.query<StoredTemplate>(sql`${CURRENT} where t.id = ${id}`))[0];
}

export interface TemplateVersion {
  readonly version: number;
  readonly format: TemplateFormat;
  readonly at: Date;
  readonly by: string | null;
}

export function versionsOf(db: Queryable, id: bigint): Promise<TemplateVersion[]> {
  return db.query<TemplateVersion>(sql`
    select v.version, v.format, v.created_at as at, u.account as by from payout_template_versions v
    left join users u on u.id = v.created_by where v.template_id = ${id} order by v.version desc`);
}

/**
 * Who wrote versions of a template up to `version`, since the last one that a second person agreed to. Each version builds on the one
 * before.
 */
export async function authorsOf(
  db: Queryable,
  { id, version }: Pick<StoredTemplate, 'id' | 'version'>,
): Promise<readonly bigint[]> {
  const rows = await db.query<{ by: bigint }>(sql`
    select distinct created_by as by from payout_template_versions
    where template_id = ${id} and created_by is not null and version <= ${version} and version > coalesce((
      select max((a.payload->>'version')::int) from approvals a
      where a.kind = 'payoutTemplate' and a.subject_id = ${id} and a.status = 'approved'), 0)`);
  return rows.map(({ by }) => by);
}

/** The id of a new template; undefined when the name is taken. */
export async function insertTemplate(
  tx: Queryable,
  name: string,
  enabled: boolean,
  at: Date,
): Promise<bigint | undefined> {
  const [row] = await tx.query<{ id: bigint }>(sql`
    insert into payout_templates (name, enabled, created_at) values (${name}, ${enabled}, ${at})
    on conflict (name) do nothing returning id`);
  return row?.id;
}

export async function insertVersion(
  tx: Queryable,
  version: {
    readonly templateId: bigint;
    readonly version: number;
    readonly format: TemplateFormat;
    readonly by: bigint | null;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(sql`
    insert into payout_template_versions (template_id, version, format, created_by, created_at)
    values (${version.templateId}, ${version.version}, ${JSON.stringify(version.format)}, ${version.by}, ${version.at})`);
}

/** Locks a template; undefined when there is none. */
export async function lockTemplate(tx: Tx, id: bigint): Promise<StoredTemplate | undefined> {
  await tx.query(sql`select 1 from payout_templates where id = ${id} for update`);
  return currentTemplate(tx, id);
}

export async function setEnabled(tx: Tx, id: bigint, enabled: boolean): Promise<void> {
  await tx.query(sql`update payout_templates set enabled = ${enabled} where id = ${id}`);
}
