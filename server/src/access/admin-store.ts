import type { Role } from '@sangam/contract/roles.ts';
import { type Tx, empty, sql } from '../platform/db/database.ts';

/** A user under a lock; it may be deleted. */
export interface LockedUser {
  readonly id: bigint;
  readonly account: string;
  readonly nickname: string;
  readonly role: Role;
  readonly enableGoogleVerify: boolean;
  readonly allowModify: boolean;
  readonly deleted: boolean;
  /** Whether it is a user of a merchant or supplier. */
  readonly isParty: boolean;
}

export async function lockUser(tx: Tx, id: bigint): Promise<LockedUser | undefined> {
  const rows = await tx.query<LockedUser>(sql`
    select u.id, u.account, u.nickname, u.role, u.enable_google_verify as "enableGoogleVerify",
      u.allow_modify as "allowModify", u.deleted_at is not null as deleted,
      exists (select from merchants m where m.user_id = u.id) or exists (select from suppliers s where s.user_id = u.id)
        or exists (select from party_members pm where pm.user_id = u.id) as "isParty"
    from users u where u.id = ${id} for update of u`);
  return rows[0];
}

/** Whether another superAdmin remains. Locks the superAdmins, so that two cannot remove each other at once. */
export async function lockOtherSuperAdmins(tx: Tx, id: bigint): Promise<boolean> {
  const rows = await tx.query<{ id: bigint }>(sql`
    select id from users where role = 'superAdmin' and deleted_at is null order by id for update`);
  return rows.some((row) => row.id !== id);
}

/** superAdmins whom no other user made. */
const FIRST_ADMINS = sql`users u where role = 'superAdmin' and deleted_at is null
  and not exists (select from user_control_changes c where c.user_id = u.id and c.change in ('created', 'role'))`;

export async function countFirstAdmins(tx: Tx): Promise<number> {
  return (await tx.query(sql`select from ${FIRST_ADMINS}`)).length;
}

/** The first superAdmin of this name that has set no password yet. */
export async function findUnopenedFirstAdmin(tx: Tx, account: string): Promise<bigint | undefined> {
  const [user] = await tx.query<{ id: bigint }>(sql`
    select u.id from ${FIRST_ADMINS} and lower(u.account) = lower(${account}) and u.password_hash is null`);
  return user?.id;
}

/** Nobody else creates, changes or deletes users until the transaction ends. */
export async function lockUsers(tx: Tx): Promise<void> {
  await tx.query(sql`lock table users in share row exclusive mode`);
}

/** Whether another user, not deleted, has the account name. */
export async function accountTaken(tx: Tx, account: string, except: bigint | null): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from users where lower(account) = lower(${account}) and deleted_at is null
    ${except === null ? empty : sql`and id <> ${except}`}`);
  return rows.length > 0;
}

export interface UserChange {
  readonly account: string;
  readonly nickname: string;
}

export async function updateUserRow(tx: Tx, id: bigint, change: UserChange): Promise<void> {
  await tx.query(sql`
    update users set account = ${change.account}, nickname = ${change.nickname} where id = ${id}`);
}

export async function setRole(tx: Tx, id: bigint, role: Role): Promise<void> {
  await tx.query(sql`update users set role = ${role} where id = ${id}`);
}

export async function markDeleted(tx: Tx, id: bigint, now: Date): Promise<void> {
  await tx.query(sql`update users set deleted_at = ${now} where id = ${id}`);
}

/** Renames a user, brings a deleted one back without passwords, and drops what was begun and not finished. */
export async function renameAndRevive(tx: Tx, id: bigint, account: string): Promise<void> {
  await tx.query(sql`
    update users set account = ${account}, deleted_at = null, pending_google_secret = null,
      password_hash = case when deleted_at is null then password_hash end,
      pay_password_hash = case when deleted_at is null then pay_password_hash end
    where id = ${id}`);
}

export async function forgetAllFailures(tx: Tx, accounts: readonly string[]): Promise<void> {
  await tx.query(sql`delete from sign_in_failures where account = any(${accounts})`);
}

/** Sets a password that the user chose. */
export async function setPassword(tx: Tx, id: bigint, hash: string): Promise<void> {
  await tx.query(sql`update users set password_hash = ${hash} where id = ${id}`);
}

/** Sets a new second-level password; tokens that were got with the old one become invalid. */
export async function setPayPassword(tx: Tx, id: bigint, hash: string): Promise<void> {
  await tx.query(sql`update users set pay_password_hash = ${hash} where id = ${id}`);
  await tx.query(sql`
    update sessions set second_token_hash = null, second_expires_at = null where user_id = ${id} and ended_at is null`);
}

export async function setGoogleVerify(tx: Tx, id: bigint, enabled: boolean): Promise<void> {
  await tx.query(sql`update users set enable_google_verify = ${enabled} where id = ${id}`);
}

export async function writeAllowModify(tx: Tx, id: bigint, allowed: boolean): Promise<void> {
  await tx.query(sql`update users set allow_modify = ${allowed} where id = ${id}`);
}
