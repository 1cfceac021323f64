import type { Role } from '@sangam/contract/roles.ts';
import { type Queryable, type Tx, empty, sql } from '../platform/db/database.ts';

export type Stage = 'binding' | 'full';

export interface NewSessionRow {
  readonly id: bigint;
  readonly tokenHash: Buffer;
  readonly cookieHash: Buffer;
  readonly needsCookie: boolean;
  readonly userId: bigint;
  readonly stage: Stage;
  readonly ip: string;
  readonly userAgent: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export async function insertSession(tx: Tx, row: NewSessionRow): Promise<void> {
  await tx.query(sql`
    insert into sessions (id, token_hash, cookie_hash, needs_cookie, user_id, stage, ip, user_agent, created_at, last_seen_at, expires_at)
    values (${row.id}, ${row.tokenHash}, ${row.cookieHash}, ${row.needsCookie}, ${row.userId}, ${row.stage}, ${row.ip}, ${row.userAgent},
            ${row.now}, ${row.now}, ${row.expiresAt})`);
}

export interface SessionRow {
  readonly id: bigint;
  readonly stage: Stage;
  readonly cookieHash: Buffer;
  readonly needsCookie: boolean;
  readonly ip: string;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly secondTokenHash: Buffer | null;
  readonly secondExpiresAt: Date | null;
  readonly userId: bigint;
  readonly account: string;
  readonly role: Role;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
}

/** The open session of a token with its user; nothing when it ended, expired or the user was deleted. */
export async function findOpenSession(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionRow | undefined> {
  const rows = await db.query<SessionRow>(sql`
    select s.id, s.stage, s.cookie_hash as "cookieHash", s.needs_cookie as "needsCookie", s.ip, s.last_seen_at as "lastSeenAt",
           s.expires_at as "expiresAt", s.second_token_hash as "secondTokenHash", s.second_expires_at as "secondExpiresAt",
           u.id as "userId", u.account, u.role, m.id as "merchantId", p.id as "supplierId"
    from sessions s
    join users u on u.id = s.user_id
    left join merchants m on m.user_id = u.id
    left join suppliers p on p.user_id = u.id
    where s.token_hash = ${tokenHash} and s.ended_at is null and s.expires_at > ${now} and u.deleted_at is null`);
  return rows[0];
}

export async function markSeen(tx: Tx, sessionIds: readonly bigint[], now: Date): Promise<void> {
  await tx.query(
    sql`update sessions set last_seen_at = ${now} where id = any(${sessionIds}) and last_seen_at < ${now}`,
  );
}

/** Deletes sessions that ended or expired before; says how many, at most `limit`. */
export async function deleteSessionsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from sessions where id in (
      select id from sessions where ended_at < ${before} or expires_at < ${before} limit ${limit})
    returning id`);
  return rows.length;
}

/** Ends a session; false when it does not exist, had ended, or belongs to another than `onlyOf`. */
export async function endSession(tx: Tx, sessionId: bigint, now: Date, onlyOf?: bigint): Promise<boolean> {
  const rows = await tx.query(sql`
    update sessions set ended_at = ${now}
    where id = ${sessionId} and ended_at is null and expires_at > ${now}
      ${onlyOf === undefined ? empty : sql`and user_id = ${onlyOf}`}
    returning id`);
  return rows.length === 1;
}

/** Ends all of a user's sessions but one. */
export async function endSessionsOf(tx: Tx, userId: bigint, except: bigint, now: Date): Promise<void> {
  await tx.query(
    sql`update sessions set ended_at = ${now} where user_id = ${userId} and ended_at is null and id <> ${except}`,
  );
}

/** Ends the open sessions of a user, or of everybody, but one; answers whose they were. */
export async function endOpenSessions(
  tx: Tx,
  now: Date,
  { userId, except }: { readonly userId: bigint | undefined; readonly except: bigint },
): Promise<{ readonly id: bigint; readonly userId: bigint }[]> {
  return tx.query(sql`
    update sessions set ended_at = ${now}
    where ended_at is null and expires_at > ${now} and id <> ${except}
      ${userId === undefined ? empty : sql`and user_id = ${userId}`}
    returning id, user_id as "userId"`);
}

export async function stageOf(db: Queryable, sessionId: bigint): Promise<Stage | undefined> {
  const rows = await db.query<{ stage: Stage }>(sql`select stage from sessions where id = ${sessionId}`);
  return rows[0]?.stage;
}

/** Turns a binding session into a full one under new tokens; false when it was one already. */
export async function makeSessionFull(
  tx: Tx,
  change: Pick<NewSessionRow, 'id' | 'tokenHash' | 'cookieHash' | 'now' | 'expiresAt'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update sessions
    set stage = 'full', token_hash = ${change.tokenHash}, cookie_hash = ${change.cookieHash},
        last_seen_at = ${change.now}, expires_at = ${change.expiresAt}
    where id = ${change.id} and stage = 'binding' and ended_at is null
    returning id`);
  return rows.length === 1;
}

export async function setSecondToken(
  tx: Tx,
  sessionId: bigint,
  hash: Buffer,
  expiresAt: Date,
): Promise<void> {
  await tx.query(
    sql`update sessions set second_token_hash = ${hash}, second_expires_at = ${expiresAt} where id = ${sessionId}`,
  );
}

export interface ListedSession {
  readonly id: bigint;
  readonly account: string;
  readonly role: Role;
  readonly ip: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** Far more than people; the answer has no pages. */
const MOST_LISTED = 1_000;

/** Open sessions, newest first, of one user or of all. */
export async function listOpenSessions(db: Queryable, now: Date, userId?: bigint): Promise<ListedSession[]> {
  return db.query<ListedSession>(sql`
    select s.id, u.account, u.role, s.ip, s.user_agent as "userAgent", s.created_at as "createdAt",
           s.last_seen_at as "lastSeenAt"
    from sessions s join users u on u.id = s.user_id
    where s.ended_at is null and s.expires_at > ${now} and u.deleted_at is null
      ${userId === undefined ? empty : sql`and s.user_id = ${userId}`}
    order by s.id desc limit ${MOST_LISTED}`);
}
