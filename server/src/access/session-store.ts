import type { PartyRole } from '@sangam/contract/party-roles.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { isFresh } from '../approvals/independence.ts';
import { DAY } from '../platform/clock.ts';
import { hot, type Queryable, type Tx, empty, sql } from '../platform/db/database.ts';
import { sourceOf } from '../platform/net/source.ts';

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
  /** Set for a session that shows the console as another. */
  readonly seen?: { readonly from: bigint; readonly role: Role; readonly userId: bigint | null } | undefined;
}

export async function insertSession(tx: Tx, row: NewSessionRow): Promise<void> {
  await tx.query(sql`
    insert into sessions (id, token_hash, cookie_hash, needs_cookie, user_id, stage, ip, user_agent, created_at, last_seen_at, active_at, expires_at, seen_from, seen_as_role, seen_as_user)
    values (${row.id}, ${row.tokenHash}, ${row.cookieHash}, ${row.needsCookie}, ${row.userId}, ${row.stage}, ${row.ip}, ${row.userAgent},
            ${row.now}, ${row.now}, ${row.now}, ${row.expiresAt}, ${row.seen?.from ?? null}, ${row.seen?.role ?? null},
            ${row.seen?.userId ?? null})`);
}

/** Whether the user has opened a full session from this source (net/source.ts), as far back as sessions are kept. */
export async function hasSignedInFrom(db: Queryable, userId: bigint, source: string): Promise<boolean> {
  const rows = await db.query<{ ip: string }>(
    sql`select distinct ip from sessions where user_id = ${userId} and stage = 'full'`,
  );
  return rows.some(({ ip }) => sourceOf(ip) === source);
}

export interface SessionRow {
  readonly id: bigint;
  readonly stage: Stage;
  readonly cookieHash: Buffer;
  readonly needsCookie: boolean;
  readonly ip: string;
  readonly lastSeenAt: Date;
  readonly activeAt: Date;
  readonly expiresAt: Date;
  /** The session it was opened from, for a session that shows the console as another. */
  readonly seenFrom: bigint | null;
  readonly secondTokenHash: Buffer | null;
  readonly secondExpiresAt: Date | null;
  /** The user who signed in. */
  readonly ownerId: bigint;
  readonly ownerAccount: string;
  readonly ownerRole: Role;
  /** The user the session stands for: the owner, or the user as whom it shows the console. */
  readonly userId: bigint;
  readonly account: string;
  readonly role: Role;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
  /** Null except for further users of a party. */
  readonly partyRole: PartyRole | null;
  /**
   * Whether a user of a party was made or reset within a day. For the user that a party was made with it is false on the
   * party's first day.
   */
  readonly isFreshMember: boolean;
}

/**
 * The open session of a token, with its user. Undefined when the session ended or expired, or when the user was deleted. A
 * session that shows the console as another is open only while the session it was opened from is open.
 */
export async function findOpenSession(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionRow | undefined> {
  const find = sql`
    select s.id, s.stage, s.cookie_hash as "cookieHash", s.needs_cookie as "needsCookie", s.ip, s.last_seen_at as "lastSeenAt",
           s.expires_at as "expiresAt", s.second_token_hash as "secondTokenHash", s.second_expires_at as "secondExpiresAt",
           s.active_at as "activeAt", s.seen_from as "seenFrom", o.id as "ownerId", o.account as "ownerAccount", o.role as "ownerRole",
           u.id as "userId", u.account, coalesce(s.seen_as_role, u.role) as role,
           coalesce(m.id, pm.merchant_id) as "merchantId", coalesce(p.id, pm.supplier_id) as "supplierId",
           pm.party_role as "partyRole", (pm.user_id is not null or coalesce(m.created_at, p.created_at, ${now}) <= ${new Date(now.getTime() - DAY)}) and ${isFresh(sql`u.id`, now)}
             as "isFreshMember"
    from sessions s
    join users o on o.id = s.user_id and o.deleted_at is null
    join users u on u.id = coalesce(s.seen_as_user, s.user_id)
    left join merchants m on m.user_id = u.id
    left join suppliers p on p.user_id = u.id
    left join party_members pm on pm.user_id = u.id
    where s.token_hash = ${tokenHash} and s.ended_at is null and s.expires_at > ${now} and u.deleted_at is null
      and (s.seen_from is null or exists (select from sessions f where f.id = s.seen_from and f.ended_at is null and f.expires_at > ${now}))`;
  // Every call of the console runs this query.
  return (await db.query<SessionRow>(hot('find a session', find)))[0];
}

export async function markSeen(tx: Tx, sessionIds: readonly bigint[], now: Date): Promise<void> {
  await tx.query(
    sql`update sessions set last_seen_at = ${now} where id = any(${sessionIds}) and last_seen_at < ${now}`,
  );
}

/** Records that a person used these sessions just now. */
export async function markActive(tx: Tx, sessionIds: readonly bigint[], now: Date): Promise<void> {
  await tx.query(
    sql`update sessions set active_at = ${now} where id = any(${sessionIds}) and active_at < ${now}`,
  );
}

/** Ends the sessions of some roles that no person has used since a given time; answers them. */
export function endIdle(
  tx: Tx,
  now: Date,
  roles: readonly Role[],
  since: Date,
): Promise<{ readonly id: bigint; readonly userId: bigint; readonly ip: string }[]> {
  return tx.query(sql`
    update sessions s set ended_at = ${now} from users u
    where u.id = s.user_id and u.role = any(${roles}) and s.ended_at is null and s.expires_at > ${now} and s.active_at <= ${since}
    returning s.id, s.user_id as "userId", s.ip`);
}

/** Deletes at most `limit` sessions that ended or expired before a given time; answers how many. */
export async function deleteSessionsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from sessions where id in (
      select id from sessions where ended_at < ${before} or expires_at < ${before} limit ${limit})
    returning id`);
  return rows.length;
}

/** Ends a session. False when it does not exist, has ended already, or does not belong to `onlyOf`. */
export async function endSession(tx: Tx, sessionId: bigint, now: Date, onlyOf?: bigint): Promise<boolean> {
  const rows = await tx.query(sql`
    update sessions set ended_at = ${now}
    where id = ${sessionId} and ended_at is null and expires_at > ${now}
      ${onlyOf === undefined ? empty : sql`and user_id = ${onlyOf}`}
    returning id`);
  return rows.length === 1;
}

/** Ends all sessions of a user except one. */
export async function endSessionsOf(tx: Tx, userId: bigint, except: bigint, now: Date): Promise<void> {
  await tx.query(
    sql`update sessions set ended_at = ${now} where user_id = ${userId} and ended_at is null and id <> ${except}`,
  );
}

/** Ends all open sessions of a user, or of everybody, except one; answers their users. */
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

/** The values that a session opened from another one shares with it. */
export async function cookieOf(
  tx: Tx,
  sessionId: bigint,
): Promise<Pick<NewSessionRow, 'cookieHash' | 'needsCookie' | 'expiresAt'> | undefined> {
  const rows = await tx.query<Pick<NewSessionRow, 'cookieHash' | 'needsCookie' | 'expiresAt'>>(sql`
    select cookie_hash as "cookieHash", needs_cookie as "needsCookie", expires_at as "expiresAt"
    from sessions where id = ${sessionId} and ended_at is null for share`);
  return rows[0];
}

/** Stores what a window has open; deletes windows that no longer report. */
export async function writeScreens(
  db: Queryable,
  sessionId: bigint,
  windowId: string,
  screens: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(
    screens.length === 0
      ? sql`delete from session_screens where session_id = ${sessionId} and window_id = ${windowId}`
      : sql`
        insert into session_screens (session_id, window_id, screens, told_at) values (${sessionId}, ${windowId}, ${screens}, ${now})
        on conflict (session_id, window_id) do update set screens = excluded.screens, told_at = excluded.told_at`,
  );
}

export async function stageOf(db: Queryable, sessionId: bigint): Promise<Stage | undefined> {
  const rows = await db.query<{ stage: Stage }>(sql`select stage from sessions where id = ${sessionId}`);
  return rows[0]?.stage;
}

/** Turns a binding session into a full one with new tokens; false when it was full already. */
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

/** Far more than there are people; the answer has no pages. */
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
