import type { Tx } from '../platform/db/database.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { deleteIdentity } from './company/store.ts';
import { type LockedUser, lockOtherSuperAdmins, markDeleted } from './admin-store.ts';
import { removePasskeysOf } from './passkeys/store.ts';
import { endLinks } from './password-links.ts';
import { endSessionsOf } from './session-store.ts';

/** No session has this id: with it as the exception, all sessions of the user end. */
const NO_SESSION = 0n;

/**
 * Marks a user as deleted and ends its sessions, links, passkeys and company identity, in the caller's transaction. 409 for the
 * last superAdmin and for the viewer's own user.
 */
export async function closeUser(
  tx: Tx,
  viewer: Viewer,
  user: LockedUser,
  now: Date,
): Promise<Refusal | undefined> {
  if (user.role === 'superAdmin' && !(await lockOtherSuperAdmins(tx, user.id)))
    return refuse('conflict', {}, { reason: 'lastSuperAdmin' });
  if (user.id === viewer.userId) return refuse('conflict', {}, { reason: 'ownUser' });
  await markDeleted(tx, user.id, now);
  await endLinks(tx, user.id, now);
  await removePasskeysOf(tx, user.id, now);
  await deleteIdentity(tx, user.id);
  await endSessionsOf(tx, user.id, NO_SESSION, now);
  return undefined;
}
