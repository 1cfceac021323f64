import { ADMINS } from '@sangam/contract/roles.ts';
import { audit } from '../platform/audit/record.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { isOwnAccount } from './bind-user.ts';
import { ownUser } from './change-own.ts';
import { noteControlChange } from './control-changes.ts';
import { endSessionsOf } from './session-store.ts';
import { type UserRow, clearGoogleSecret, findUserByAccount } from './store.ts';

/**
 * Removes a user's authenticator and ends the user's (other) sessions: it must be bound anew at the next sign-in.
 * An admin may not do that to an equal or a superior: with their password it would be the way into their account.
 */
export async function unbind(
  platform: Platform,
  viewer: Viewer,
  userAccount: string,
): Promise<Record<string, never> | Refusal> {
  const user = await findUserByAccount(platform.db, userAccount);
  if (!user) return refuse('notFound');
  const mayUnbind = viewer.role === 'superAdmin' || user.id === viewer.userId || !ADMINS.includes(user.role);
  return mayUnbind ? removeSecret(platform, viewer, user) : refuse('forbidden');
}

/** Removes the viewer's own authenticator. */
export async function unbindForProfile(
  platform: Platform,
  viewer: Viewer,
  userAccount: string,
): Promise<Record<string, never> | Refusal> {
  if (!isOwnAccount(viewer, userAccount)) return refuse('notFound');
  const user = await ownUser(platform, viewer);
  return isRefusal(user) ? user : removeSecret(platform, viewer, user);
}

async function removeSecret(
  platform: Platform,
  viewer: Viewer,
  user: UserRow,
): Promise<Record<string, never>> {
  return platform.db.tx(async (tx) => {
    await clearGoogleSecret(tx, user.id);
    await endSessionsOf(tx, user.id, viewer.sessionId, platform.clock.now());
    await noteControlChange(platform, tx, { userId: user.id, by: viewer.userId, change: 'unbound' });
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
