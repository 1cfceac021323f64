import { audit, type AuditEntry } from '../platform/audit/record.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { endSession } from './session-store.ts';

/** Ends the viewer's own session. */
export async function logout(platform: Platform, viewer: Viewer): Promise<Record<string, never> | Refusal> {
  const { sessionId } = viewer;
  return end(platform, viewer, sessionId, () =>
    Promise.resolve({ action: 'user.logout', subject: `session:${sessionId}` }),
  );
}

/** Ends a session by its id: users end their own sessions, a superAdmin any. Another user's session is not found (404). */
export async function forceLogout(
  platform: Platform,
  viewer: Viewer,
  sessionId: bigint,
  reason?: string,
): Promise<Record<string, never> | Refusal> {
  return end(platform, viewer, sessionId, async (tx) => {
    const [owner] = await tx.query<{ account: string }>(sql`
      select u.account from sessions s join users u on u.id = s.user_id where s.id = ${sessionId}`);
    // Filed under the user: the session is deleted after a month, and then nobody would know whose it was.
    return {
      action: 'user.forceLogout',
      subject: `user:${owner!.account}`,
      after: { session: String(sessionId) },
      ...(reason !== undefined && { reason }),
    };
  });
}

async function end(
  platform: Platform,
  viewer: Viewer,
  sessionId: bigint,
  entryOf: (tx: Tx) => Promise<Pick<AuditEntry, 'action' | 'subject' | 'after' | 'reason'>>,
): Promise<Record<string, never> | Refusal> {
  return platform.db.tx(async (tx) => {
    const onlyOf = viewer.role === 'superAdmin' ? undefined : viewer.userId;
    if (!(await endSession(tx, sessionId, platform.clock.now(), onlyOf))) return refuse('notFound');
    await audit(platform, tx, { ...(await entryOf(tx)), userId: viewer.userId, ip: viewer.ip });
    return {};
  });
}
