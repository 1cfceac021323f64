import { audit } from '../platform/audit/record.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { isOwnAccount } from './bind-user.ts';
import { ownUser } from './change-own.ts';
import { endSessionsOf } from './session-store.ts';
import { type UserRow, clearGoogleSecret, findUserByAccount } from './store.ts';
import { askUserAccess } from './user-access.ts';

/**
 * Removes the viewer's own authenticator, or asks a second person to remove another user's (1205). The user must bind one at
 * the next sign-in. An admin may not ask this for an equal or a superior.
 */
export async function unbind(
  platform: Platform,
  viewer: Viewer,
  userAccount: string,
): Promise<Record<string, never> | Refusal> {
  const user = await findUserByAccount(platform.db, userAccount);
  if (!user) return refuse('notFound');
  return user.id === viewer.userId
    ? removeOwn(platform, viewer, user)
    : askUserAccess(platform, viewer, user.id, { userChange: 'unbound' });
}

/** Removes the viewer's own authenticator. */
export async function unbindForProfile(
  platform: Platform,
  viewer: Viewer,
  userAccount: string,
): Promise<Record<string, never> | Refusal> {
  if (!isOwnAccount(viewer, userAccount)) return refuse('notFound');
  const user = await ownUser(platform, viewer);
  return isRefusal(user) ? user : removeOwn(platform, viewer, user);
}

async function removeOwn(platform: Platform, viewer: Viewer, user: UserRow): Promise<Record<string, never>> {
  return platform.db.tx(async (tx) => {
    await clearGoogleSecret(tx, user.id);
    await endSessionsOf(tx, user.id, viewer.sessionId, platform.clock.now());
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'user.unbind',
      subject: `user:${user.account}`,
      before: { bound: user.googleSecret !== null },
      after: { bound: false },
      ip: viewer.ip,
    });
    return {};
  });
}
