import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';
import type { MessageTemplate } from './template.ts';

export interface StoredTemplate {
  readonly id: string;
  readonly version: number;
  readonly template: MessageTemplate;
  readonly updatedAt: Date;
  readonly updatedBy: string | null;
}

/** The operator's templates: own ones and changed copies of shipped ones. */
export function readTemplates(db: Queryable): Promise<StoredTemplate[]> {
  return db.query<StoredTemplate>(sql`
    select t.id, t.version, t.template, t.updated_at as "updatedAt", u.account as "updatedBy"
    from message_templates t left join users u on u.id = t.updated_by order by t.id`);
}

export interface TemplateVersion {
  readonly version: number;
  readonly template: MessageTemplate;
  readonly at: Date;
  readonly by: string | null;
}

export function readVersions(db: Queryable, id: string): Promise<TemplateVersion[]> {
  return db.query<TemplateVersion>(sql`
    select v.version, v.template, v.created_at as at, u.account as by
    from message_template_versions v left join users u on u.id = v.created_by
    where v.template_id = ${id} order by v.version desc`);
}

/** The version of the whole set. Each change adds one. */
export async function readSetVersion(db: Queryable): Promise<bigint> {
  const rows = await db.query<{ version: bigint }>(sql`select version from message_template_set`);
  return rows[0]!.version;
}

/** Adds one to the set's version. The row's lock makes changes follow one another. */
export async function countChange(tx: Tx): Promise<void> {
  await tx.query(sql`update message_template_set set version = version + 1`);
}

/** The stored template; undefined if it is as shipped, or new. */
export async function findTemplate(tx: Tx, id: string): Promise<StoredTemplate | undefined> {
  const rows = await tx.query<StoredTemplate>(sql`
    select id, version, template, updated_at as "updatedAt", null as "updatedBy" from message_templates where id = ${id}`);
  return rows[0];
}

export async function writeTemplate(
  tx: Tx,
  { template, version, at, userId }: { template: MessageTemplate; version: number; at: Date; userId: bigint },
): Promise<void> {
  const json = JSON.stringify(template);
  await tx.query(sql`
    insert into message_templates (id, version, template, updated_at, updated_by)
    values (${template.id}, ${version}, ${json}, ${at}, ${userId})
    on conflict (id) do update
    set version = excluded.version, template = excluded.template, updated_at = excluded.updated_at, updated_by = excluded.updated_by`);
  await tx.query(sql`
    insert into message_template_versions (template_id, version, template, created_at, created_by)
    values (${template.id}, ${version}, ${json}, ${at}, ${userId})`);
}

export interface BankHeader {
  readonly header: string;
  readonly bank: string;
  readonly at: Date;
  readonly by: string | null;
}

export function readHeaders(db: Queryable): Promise<BankHeader[]> {
  return db.query<BankHeader>(sql`
    select h.header, h.bank, h.created_at as at, u.account as by
    from bank_headers h left join users u on u.id = h.created_by order by h.bank, h.header`);
}

/** Returns false if the header is there already. */
export async function addHeader(
  tx: Tx,
  { header, bank, at, userId }: { header: string; bank: string; at: Date; userId: bigint },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into bank_headers (header, bank, created_at, created_by) values (${header}, ${bank}, ${at}, ${userId})
    on conflict do nothing returning 1`);
  return rows.length > 0;
}

/** Returns the bank that the header belonged to; undefined if it was not there. */
export async function deleteHeader(tx: Tx, header: string): Promise<string | undefined> {
  const rows = await tx.query<{ bank: string }>(
    sql`delete from bank_headers where header = ${header} returning bank`,
  );
  return rows[0]?.bank;
}

/** Text and sender of a stored message. */
export async function findText(
  db: Queryable,
  id: bigint,
): Promise<{ readonly sender: string; readonly text: string; readonly receivedAt: Date } | undefined> {
  const rows = await db.query<{ sender: string; text: string; receivedAt: Date }>(sql`
    select sender, text, received_at as "receivedAt" from messages where id = ${id} and currency is distinct from 'USDT'`);
  return rows[0];
}

export interface SenderCount {
  readonly sender: string;
  readonly parsed: number;
  readonly unparsed: number;
  readonly ignored: number;
  /** The newest message that no template could read. */
  readonly lastUnparsed: bigint | null;
}

/** What became of each sender's messages, from an id on. */
export function countBySender(db: Queryable, fromId: bigint): Promise<SenderCount[]> {
  return db.query<SenderCount>(sql`
    select sender,
      (count(*) filter (where direction is not null))::int as parsed,
      (count(*) filter (where state = 'unparsed'))::int as unparsed,
      (count(*) filter (where state = 'ignored' and direction is null))::int as ignored,
      max(id) filter (where state = 'unparsed') as "lastUnparsed"
    from messages where id >= ${fromId} and currency is distinct from 'USDT' group by sender`);
}
