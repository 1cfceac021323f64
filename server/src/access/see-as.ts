import type { seeAs as seeAsCall } from '@sangam/contract/endpoints/user.ts';
import type { z } from 'zod';
import { audit } from '../platform/audit/record.ts';
import { HOUR } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse, wrongInput } from '../platform/refusal.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { newSessionTokens } from './new-session.ts';
import { hashToken } from './secret-token.ts';
import { cookieOf, endSession, insertSession } from './session-store.ts';
import { findUserByAccount } from './store.ts';

const LIFE = HOUR;

/**
 * Opens a session that shows the console as a role or a user sees it. It lives one hour at most and no longer than the viewer's
 * own session, whose cookie it shares; `accessProblem` lets it only read. The role merchant or supplier needs a user, because
 * without one there are no rows to see. technicalSupport cannot see as superAdmin, who may read more than technicalSupport.
 */
export async function seeAs(
  platform: Platform,
  viewer: Viewer,
  { role, account, reason }: z.output<typeof seeAsCall.input>,
  userAgent: string,
): Promise<{ readonly token: string } | Refusal> {
  if (viewer.role !== 'superAdmin' && role === 'superAdmin') return refuse('forbidden');
  if (account === undefined && !isStaff({ ...viewer, role })) return wrongInput('account');
  const user = account === undefined ? undefined : await findUserByAccount(platform.db, account);
  if (account !== undefined && user?.role !== role)
    return refuse('notFound', {}, { fields: [{ path: 'account' }] });
  const { token } = newSessionTokens();
  return platform.db.tx(async (tx) => {
    const own = await cookieOf(tx, viewer.sessionId);
    if (!own) return refuse('sessionExpired');
    const now = platform.clock.now();
    const id = platform.ids.next();
    await insertSession(tx, {
      id,
      tokenHash: hashToken(token),
      ...own,
      userId: viewer.userId,
      stage: 'full',
      ip: viewer.ip,
      userAgent: userAgent.slice(0, 512),
      now,
      expiresAt: new Date(Math.min(own.expiresAt.getTime(), now.getTime() + LIFE)),
      seen: { from: viewer.sessionId, role, userId: user?.id ?? null },
    });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'user.seeAs',
      subject: user ? `user:${user.account}` : `role:${role}`,
      after: { session: String(id) },
      reason,
      ip: viewer.ip,
    });
    return { token };
  });
}

/** Ends such a session; 409 from any other session. */
export async function endSeeAs(platform: Platform, viewer: Viewer): Promise<Record<string, never> | Refusal> {
  if (!viewer.seenBy) return refuse('conflict');
  return platform.db.tx(async (tx) => {
    await endSession(tx, viewer.sessionId, platform.clock.now());
    const subject = `session:${viewer.sessionId}`;
    await audit(platform, tx, { userId: viewer.userId, action: 'user.endSeeAs', subject, ip: viewer.ip });
    return {};
  });
}
