import { switchOffMerchantOf } from '../merchants/switch-off.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { switchOffSupplierOf } from '../suppliers/switch-off.ts';
import type { Viewer } from '../viewer.ts';
import { lockOtherSuperAdmins, markDeleted } from './admin-store.ts';
import { manage } from './manage-user.ts';
import { endSessionsOf } from './session-store.ts';

/** No session has this id: all of the user's end. */
const NO_SESSION = 0n;

/**
 * Deletes a user, softly: its sessions end, its merchant or supplier takes part in nothing new. Nobody deletes
 * themselves, and one superAdmin always remains.
 */
export function deleteUser(
  platform: Platform,
  viewer: Viewer,
  userId: bigint,
): Promise<Record<string, never> | Refusal> {
  return manage(platform, viewer, userId, async (tx, user) => {
    if (user.role === 'superAdmin' && !(await lockOtherSuperAdmins(tx, user.id)))
      return refuse('conflict', {}, { reason: 'lastSuperAdmin' });
    if (user.id === viewer.userId) return refuse('conflict', {}, { reason: 'ownUser' });
    const now = platform.clock.now();
    await markDeleted(tx, user.id, now);
    await endSessionsOf(tx, user.id, NO_SESSION, now);
    await switchOffMerchantOf(tx, user.id);
    await switchOffSupplierOf(tx, user.id);
    return {
      action: 'user.delete',
      before: { nickname: user.nickname, role: user.role },
      after: { deleted: true },
      result: {},
    };
  });
}
