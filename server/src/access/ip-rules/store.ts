import { type IpDoor, type IpEffect, parseIpSubject } from '@sangam/contract/ip-rules.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';
import { rangeOf } from './ranges.ts';
import type { IpRule } from './rule.ts';

interface Row {
  readonly id: bigint;
  readonly door: IpDoor;
  readonly effect: IpEffect;
  readonly subjectText: string;
  readonly network: string;
  readonly note: string;
  readonly expiresAt: Date | null;
}

export async function readRules(db: Queryable): Promise<IpRule[]> {
  const rows = await db.query<Row>(sql`
    select id, door, effect, subject as "subjectText", network::text as network, note, expires_at as "expiresAt"
    from ip_rules order by id`);
  return rows.map(({ network, ...row }) => ({
    ...row,
    subject: parseIpSubject(row.subjectText)!,
    range: rangeOf(network)!,
  }));
}

/** Nobody else writes rules until the transaction ends. */
export async function lockRules(tx: Tx): Promise<IpRule[]> {
  await tx.query(sql`lock table ip_rules in share row exclusive mode`);
  return readRules(tx);
}

export async function writeRule(tx: Tx, rule: IpRule, userId: bigint, now: Date): Promise<void> {
  await tx.query(sql`
    insert into ip_rules (id, door, effect, subject, network, note, expires_at, changed_by, changed_at)
    values (${rule.id}, ${rule.door}, ${rule.effect}, ${rule.subjectText}, ${rule.range.text}::cidr, ${rule.note},
            ${rule.expiresAt}, ${userId}, ${now})
    on conflict (id) do update set door = excluded.door, effect = excluded.effect, subject = excluded.subject,
      network = excluded.network, note = excluded.note, expires_at = excluded.expires_at,
      changed_by = excluded.changed_by, changed_at = excluded.changed_at`);
}

export async function deleteRule(tx: Tx, id: bigint): Promise<void> {
  await tx.query(sql`delete from ip_rules where id = ${id}`);
}

export interface Hits {
  readonly id: bigint;
  readonly count: number;
  readonly lastAt: Date;
}

/** Adds the counts of a node; rows are locked in id order. */
export async function addHits(tx: Tx, hits: readonly Hits[]): Promise<void> {
  const sorted = [...hits].sort((a, b) => (a.id < b.id ? -1 : 1));
  await tx.query(
    sql`select id from ip_rules where id = any(${sorted.map(({ id }) => id)}) order by id for update`,
  );
  await tx.query(sql`
    update ip_rules r set hits = r.hits + h.count, last_hit_at = greatest(r.last_hit_at, h.last_at)
    from unnest(${sorted.map(({ id }) => id)}::bigint[], ${sorted.map(({ count }) => count)}::int[],
                ${sorted.map(({ lastAt }) => lastAt)}::timestamptz[]) as h (id, count, last_at)
    where r.id = h.id`);
}

/** The address at which each superAdmin that is not deleted was last seen; without those that have not signed in for long. */
export async function lastAddressesOfSuperAdmins(
  db: Queryable,
): Promise<{ readonly userId: bigint; readonly ip: string }[]> {
  return db.query(sql`
    select distinct on (s.user_id) s.user_id as "userId", s.ip
    from sessions s join users u on u.id = s.user_id
    where u.role = 'superAdmin' and u.deleted_at is null
    order by s.user_id, s.last_seen_at desc`);
}

/** Whether the user or merchant that a rule names exists. */
export async function subjectExists(db: Queryable, { subject }: IpRule): Promise<boolean> {
  if (subject.kind === 'anyone' || subject.kind === 'role') return true;
  const table = subject.kind === 'user' ? sql`users where deleted_at is null and` : sql`merchants where`;
  const rows = await db.query(sql`select 1 from ${table} id = ${subject.id}`);
  return rows.length === 1;
}

/** Roles of the users that rules name. */
export async function rolesOfUsers(db: Queryable, ids: readonly bigint[]) {
  return db.query<{ readonly id: bigint; readonly role: Role }>(
    sql`select id, role from users where id = any(${ids})`,
  );
}
