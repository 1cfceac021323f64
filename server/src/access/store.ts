import type { Role } from '@sangam/contract/roles.ts';
import { type Queryable, type Tx, raw, sql } from '../platform/db/database.ts';

export interface UserRow {
  readonly id: bigint;
  readonly account: string;
  readonly nickname: string;
  readonly role: Role;
  /** Null until the user has set a password by a link. */
  readonly passwordHash: string | null;
  readonly payPasswordHash: string | null;
  readonly enableGoogleVerify: boolean;
  readonly googleSecret: Buffer | null;
  readonly pendingGoogleSecret: Buffer | null;
  /** Whether the user may change its own passwords and authenticator. */
  readonly allowModify: boolean;
}

const USER =
  raw(`id, account, nickname, role, password_hash as "passwordHash", pay_password_hash as "payPasswordHash",
  enable_google_verify as "enableGoogleVerify", google_secret as "googleSecret",
  pending_google_secret as "pendingGoogleSecret", allow_modify as "allowModify"`);

/** Only ASCII: PostgreSQL and JavaScript lower-case other letters differently. `İ` would find the account, but not its lock-out. */
const ASCII = /^\p{ASCII}*$/u;

export async function findUserByAccount(db: Queryable, account: string): Promise<UserRow | undefined> {
  if (!ASCII.test(account)) return undefined;
  const rows = await db.query<UserRow>(
    sql`select ${USER} from users where lower(account) = lower(${account}) and deleted_at is null`,
  );
  return rows[0];
}

export async function getUser(db: Queryable, id: bigint): Promise<UserRow | undefined> {
  const rows = await db.query<UserRow>(
    sql`select ${USER} from users where id = ${id} and deleted_at is null`,
  );
  return rows[0];
}

export interface NewUserRow {
  readonly id: bigint;
  readonly account: string;
  readonly nickname: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  readonly payPasswordHash: string | null;
  readonly enableGoogleVerify: boolean;
  readonly googleSecret: Buffer | null;
}

export async function insertUser(tx: Tx, user: NewUserRow, now: Date): Promise<void> {
  await tx.query(sql`
    insert into users (id, account, nickname, role, password_hash, pay_password_hash, enable_google_verify,
                       google_secret, google_bound_at, created_at)
    values (${user.id}, ${user.account}, ${user.nickname}, ${user.role}, ${user.passwordHash}, ${user.payPasswordHash},
            ${user.enableGoogleVerify}, ${user.googleSecret}, ${user.googleSecret ? now : null}, ${now})`);
}

export async function noteSignIn(tx: Tx, userId: bigint, now: Date): Promise<void> {
  await tx.query(sql`update users set last_sign_in_at = ${now} where id = ${userId}`);
}

/** Uses the step for this sign-in; false when this step or a later one was used before, on any node. */
export async function useTotpStep(tx: Tx, userId: bigint, step: bigint): Promise<boolean> {
  const rows = await tx.query(
    sql`update users set last_totp_step = ${step} where id = ${userId} and last_totp_step < ${step} returning id`,
  );
  return rows.length === 1;
}

export async function setPendingSecret(tx: Tx, userId: bigint, sealed: Buffer): Promise<void> {
  await tx.query(sql`update users set pending_google_secret = ${sealed} where id = ${userId}`);
}

/** Puts the proven secret in force; false when another binding was begun meanwhile or the step was used. */
export async function bindPendingSecret(
  tx: Tx,
  binding: {
    readonly userId: bigint;
    /** The pending secret as it was read, and the same secret sealed for its new column. */
    readonly sealed: Buffer;
    readonly bound: Buffer;
    readonly step: bigint;
    readonly now: Date;
  },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update users
    set google_secret = ${binding.bound}, pending_google_secret = null,
        google_bound_at = ${binding.now}, last_totp_step = greatest(last_totp_step, ${binding.step}::bigint)
    where id = ${binding.userId} and pending_google_secret = ${binding.sealed}
    returning id`);
  return rows.length === 1;
}

export async function clearGoogleSecret(tx: Tx, userId: bigint): Promise<void> {
  await tx.query(sql`
    update users set google_secret = null, pending_google_secret = null, google_bound_at = null where id = ${userId}`);
}

/** Whether a user has bound an authenticator, or kept a passkey, since. */
export async function hasBoundSince(tx: Tx, userId: bigint, at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from users where id = ${userId} and google_bound_at > ${at}
    union all select 1 from passkeys where user_id = ${userId} and created_at > ${at} and removed_at is null limit 1`);
  return rows.length > 0;
}

/** Whether the supplier brought other suppliers. */
export async function isAgent(db: Queryable, supplierId: bigint): Promise<boolean> {
  const rows = await db.query(sql`select 1 from suppliers where agent_id = ${supplierId} limit 1`);
  return rows.length > 0;
}
