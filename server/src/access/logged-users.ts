import type * as contract from '@sangam/contract/endpoints/user.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit, type AuditEntry } from '../platform/audit/record.ts';
import { MINUTE } from '../platform/clock.ts';
import { empty, sql } from '../platform/db/database.ts';
import { escapeLike, readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { endOpenSessions } from './session-store.ts';

interface Row {
  readonly id: bigint;
  readonly userId: bigint;
  readonly account: string;
  readonly nickname: string;
  readonly role: Role;
  readonly ip: string;
  readonly userAgent: string;
  readonly seesAs: string | null;
  readonly screens: readonly string[] | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** A window reports every minute. A window that has not reported for this long counts as closed. */
const WINDOW_GONE = 3 * MINUTE;

/** Open sessions of all users, newest first. */
export async function listLoggedUsers(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.getLoggedUsers.input>,
): Promise<z.input<typeof contract.getLoggedUsers.output> | Refusal> {
  const goneSince = new Date(platform.clock.now().getTime() - WINDOW_GONE);
  const page = await readPage<Row>(platform, input, {
    columns: sql`s.id, u.id as "userId", u.account, u.nickname, u.role, s.ip, s.user_agent as "userAgent",
      s.created_at as "createdAt", s.last_seen_at as "lastSeenAt",
      case when s.seen_from is not null then coalesce(seen.account, s.seen_as_role) end as "seesAs",
      (select array_agg(screen order by w.told_at desc, w.window_id, place)
       from session_screens w cross join unnest(w.screens) with ordinality t (screen, place)
       where w.session_id = s.id and w.told_at > ${goneSince}) as screens`,
    from: sql`
      from sessions s join users u on u.id = s.user_id left join users seen on seen.id = s.seen_as_user
      where s.ended_at is null and s.expires_at > ${platform.clock.now()} and u.deleted_at is null
        ${input.account === undefined ? empty : sql`and u.account ilike ${`%${escapeLike(input.account)}%`}`}
        ${input.role === undefined ? empty : sql`and u.role = ${input.role}`}
        ${input.ip === undefined ? empty : sql`and s.ip = ${input.ip}`}`,
    key: sql`s.id`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map(({ id, userId, createdAt, lastSeenAt, screens, ...row }) => ({
    ...row,
    token: String(id),
    userId: String(userId),
    screens: [...(screens ?? [])],
    createTime: formatTime(createdAt),
    lastSeenTime: formatTime(lastSeenAt),
    current: id === viewer.sessionId,
  }));
  return { ...page, list };
}

/** Ends all sessions of a user, or of everybody; the caller's own session stays. */
export function endSessions(
  platform: Platform,
  viewer: Viewer,
  userId: bigint | undefined,
  reason: string,
): Promise<z.input<typeof contract.endSessions.output>> {
  return endOthers(platform, viewer, userId, { action: 'user.endSessions', reason });
}

/** Signs the viewer out everywhere else, so that a stolen token stops working too. */
export function endOwnSessions(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof contract.endOwnSessions.output>> {
  return endOthers(platform, viewer, viewer.userId, { action: 'user.endOwnSessions' });
}

function endOthers(
  platform: Platform,
  viewer: Viewer,
  userId: bigint | undefined,
  entry: Pick<AuditEntry, 'action' | 'reason'>,
): Promise<{ readonly ended: number }> {
  return platform.db.tx(async (tx) => {
    const ended = await endOpenSessions(tx, platform.clock.now(), { userId, except: viewer.sessionId });
    await audit(platform, tx, {
      userId: viewer.userId,
      ...entry,
      subject: userId === undefined ? 'user:all' : `user:${userId}`,
      after: { sessions: ended.map(({ id }) => String(id)) },
      ip: viewer.ip,
    });
    return { ended: ended.length };
  });
}
