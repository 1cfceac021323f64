import { audit } from '../platform/audit/record.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { endSession } from './session-store.ts';

/** Ends the viewer's own session. */
export async function logout(platform: Platform, viewer: Viewer): Promise<Record<string, never> | Refusal> {
  return end(platform, viewer, viewer.sessionId, 'user.logout');
}

/** Ends a session by its id: users end their own sessions, a superAdmin any. Another user's session is not found (404). */
export async function forceLogout(
  platform: Platform,
  viewer: Viewer,
  sessionId: bigint,
): Promise<Record<string, never> | Refusal> {
  return end(platform, viewer, sessionId, 'user.forceLogout');
}

async function end(
  platform: Platform,
  viewer: Viewer,
  sessionId: bigint,
  action: string,
): Promise<Record<string, never> | Refusal> {
  return platform.db.tx(async (tx) => {
    const onlyOf = viewer.role === 'superAdmin' ? undefined : viewer.userId;
    if (!(await endSession(tx, sessionId, platform.clock.now(), onlyOf))) return refuse('notFound');
    await audit(platform, tx, {
      userId: viewer.userId,
      action,
      subject: `session:${sessionId}`,
      ip: viewer.ip,
    });
    return {};
  });
}
