import type * as contract from '@sangam/contract/endpoints/user.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../platform/audit/record.ts';
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
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** Open sessions of all users, newest first. */
export async function listLoggedUsers(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.getLoggedUsers.input>,
): Promise<z.input<typeof contract.getLoggedUsers.output> | Refusal> {
  const page = await readPage<Row>(platform, input, {
    columns: sql`s.id, u.id as "userId", u.account, u.nickname, u.role, s.ip, s.user_agent as "userAgent",
      s.created_at as "createdAt", s.last_seen_at as "lastSeenAt"`,
    from: sql`
      from sessions s join users u on u.id = s.user_id
      where s.ended_at is null and s.expires_at > ${platform.clock.now()} and u.deleted_at is null
        ${input.account === undefined ? empty : sql`and u.account ilike ${`%${escapeLike(input.account)}%`}`}
        ${input.role === undefined ? empty : sql`and u.role = ${input.role}`}
        ${input.ip === undefined ? empty : sql`and s.ip = ${input.ip}`}`,
    key: sql`s.id`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map(({ id, userId, createdAt, lastSeenAt, ...row }) => ({
    ...row,
    token: String(id),
    userId: String(userId),
    createTime: formatTime(createdAt),
    lastSeenTime: formatTime(lastSeenAt),
    current: id === viewer.sessionId,
  }));
  return { ...page, list };
}

/** Ends all sessions of a user, or everybody's; the caller's own stays. */
export async function endSessions(
  platform: Platform,
  viewer: Viewer,
  userId: bigint | undefined,
): Promise<z.input<typeof contract.endSessions.output>> {
  return platform.db.tx(async (tx) => {
    const ended = await endOpenSessions(tx, platform.clock.now(), { userId, except: viewer.sessionId });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'user.endSessions',
      subject: userId === undefined ? 'user:all' : `user:${userId}`,
      after: { sessions: ended.map(({ id }) => String(id)) },
      ip: viewer.ip,
    });
    return { ended: ended.length };
  });
}
