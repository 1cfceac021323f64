import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';

export interface Passkey {
  readonly id: bigint;
  readonly credentialId: Buffer;
  /** COSE. */
  readonly publicKey: Buffer;
  readonly signCount: bigint;
  readonly transports: readonly string[];
  readonly isSynced: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A user's passkeys, oldest first. */
export function passkeysOf(db: Queryable, userId: bigint): Promise<Passkey[]> {
  return db.query<Passkey>(sql`
    select id, credential_id as "credentialId", public_key as "publicKey", sign_count as "signCount", transports,
      is_synced as "isSynced", name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = ${userId} and removed_at is null order by id`);
}

/** Stores a new passkey; false where the credential is known already. */
export async function insertPasskey(
  tx: Tx,
  userId: bigint,
  {
    id,
    credentialId,
    publicKey,
    signCount,
    transports,
    isSynced,
    name,
    createdAt,
  }: Omit<Passkey, 'lastUsedAt'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, is_synced, name, created_at)
    values (${id}, ${userId}, ${credentialId}, ${publicKey}, ${signCount}, ${transports}, ${isSynced}, ${name}, ${createdAt})
    on conflict do nothing returning id`);
  return rows.length === 1;
}

/** Records a use; false where the passkey was removed, or its counter passed `signCount` meanwhile. */
export async function notePasskeyUse(tx: Tx, id: bigint, signCount: bigint, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update passkeys set sign_count = ${signCount}, last_used_at = ${now}
    where id = ${id} and removed_at is null and (sign_count < ${signCount} or sign_count = 0 and ${signCount}::bigint = 0)
    returning id`);
  return rows.length === 1;
}

/** Removes the user's own passkey; answers its name. */
export async function markPasskeyRemoved(
  tx: Tx,
  userId: bigint,
  id: bigint,
  now: Date,
): Promise<string | undefined> {
  const rows = await tx.query<{ name: string }>(sql`
    update passkeys set removed_at = ${now} where id = ${id} and user_id = ${userId} and removed_at is null
    returning name`);
  return rows[0]?.name;
}

export async function removePasskeysOf(tx: Tx, userId: bigint, now: Date): Promise<void> {
  await tx.query(
    sql`update passkeys set removed_at = ${now} where user_id = ${userId} and removed_at is null`,
  );
}

export interface Challenge {
  readonly challenge: Buffer;
  readonly userId: bigint;
  /** Null at sign-in. */
  readonly sessionId: bigint | null;
  readonly nonce: string | null;
}

/** Stores a challenge and deletes those that are too old. A challenge lives a few minutes, so there are few. */
export async function insertChallenge(
  db: Queryable,
  { challenge, userId, sessionId, nonce }: Challenge,
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await db.query(sql`delete from passkey_challenges where expires_at <= ${now}`);
  await db.query(sql`
    insert into passkey_challenges (challenge, user_id, session_id, nonce, expires_at)
    values (${challenge}, ${userId}, ${sessionId}, ${nonce}, ${expiresAt})`);
}

/** Takes a challenge away, because each is used once. Undefined where this user and session have no such challenge, or it is too old. */
export async function takeChallenge(
  db: Queryable,
  { challenge, userId, sessionId }: Omit<Challenge, 'nonce'>,
  now: Date,
): Promise<Pick<Challenge, 'nonce'> | undefined> {
  const rows = await db.query<{ nonce: string | null }>(sql`
    delete from passkey_challenges
    where challenge = ${challenge} and user_id = ${userId} and session_id is not distinct from ${sessionId}::bigint
      and expires_at > ${now}
    returning nonce`);
  return rows[0];
}

/** The facts of a waiting request. */
export async function requestFacts(db: Queryable, id: bigint): Promise<object | undefined> {
  const rows = await db.query<object>(sql`
    select kind, subject_kind as "subjectKind", subject_id::text as "subjectId", payload, started_by::text as "startedBy"
    from approvals where id = ${id}`);
  return rows[0];
}

/** The facts of an order of either direction: whose money, and how much. */
export async function orderFacts(db: Queryable, code: bigint): Promise<object | undefined> {
  const rows = await db.query<object>(sql`
    select 'in' as direction, merchant_id::text as "merchantId", currency, amount::text from collection_orders where id = ${code}
    union all
    select 'out', merchant_id::text, currency, amount::text from payout_orders where id = ${code}`);
  return rows[0];
}
