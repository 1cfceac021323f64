import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';

export interface Visit {
  readonly tokenHash: Buffer;
  /** The verifier of PKCE. */
  readonly verifier: string;
  readonly nonce: string;
  /** The session that links its user; null at sign-in. */
  readonly sessionId: bigint | null;
  /** Set once the identity service has proven the user. */
  readonly userId: bigint | null;
}

export async function insertVisit(db: Queryable, visit: Visit, expiresAt: Date): Promise<void> {
  await db.query(sql`
    insert into company_visits (token_hash, verifier, nonce, session_id, user_id, expires_at)
    values (${visit.tokenHash}, ${visit.verifier}, ${visit.nonce}, ${visit.sessionId}, ${visit.userId}, ${expiresAt})`);
}

/** Takes a visit away, because each is used once. Undefined where this session has no such visit or the visit is too old. */
export async function takeVisit(
  db: Queryable,
  tokenHash: Buffer,
  sessionId: bigint | null,
  now: Date,
): Promise<Omit<Visit, 'tokenHash' | 'sessionId'> | undefined> {
  const rows = await db.query<Omit<Visit, 'tokenHash' | 'sessionId'>>(sql`
    delete from company_visits
    where token_hash = ${tokenHash} and session_id is not distinct from ${sessionId}::bigint and expires_at > ${now}
    returning verifier, nonce, user_id as "userId"`);
  return rows[0];
}

/** The user whose sign-in waits for a second factor. The ticket stays valid, so that a mistyped code can be corrected. */
export async function userOfTicket(db: Queryable, tokenHash: Buffer, now: Date): Promise<bigint | undefined> {
  const rows = await db.query<{ userId: bigint }>(sql`
    select user_id as "userId" from company_visits
    where token_hash = ${tokenHash} and user_id is not null and expires_at > ${now}`);
  return rows[0]?.userId;
}

export async function deleteVisit(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from company_visits where token_hash = ${tokenHash} returning token_hash`);
  return rows.length === 1;
}

export async function deleteVisitsBefore(db: Queryable, now: Date): Promise<void> {
  await db.query(sql`delete from company_visits where expires_at <= ${now}`);
}

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export async function linkedUser(db: Queryable, { issuer, subject }: Identity): Promise<bigint | undefined> {
  const rows = await db.query<{ userId: bigint }>(sql`
    select user_id as "userId" from company_identities where issuer = ${issuer} and subject = ${subject}`);
  return rows[0]?.userId;
}

export async function linkedAt(db: Queryable, userId: bigint): Promise<Date | undefined> {
  const rows = await db.query<{ linkedAt: Date }>(sql`
    select linked_at as "linkedAt" from company_identities where user_id = ${userId}`);
  return rows[0]?.linkedAt;
}

/** Links a user to an identity; false where either is linked already. */
export async function insertIdentity(
  tx: Tx,
  userId: bigint,
  { issuer, subject }: Identity,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into company_identities (user_id, issuer, subject, linked_at) values (${userId}, ${issuer}, ${subject}, ${now})
    on conflict do nothing returning user_id`);
  return rows.length === 1;
}

export async function deleteIdentity(tx: Tx, userId: bigint): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from company_identities where user_id = ${userId} returning user_id`);
  return rows.length === 1;
}
