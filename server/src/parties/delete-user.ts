import { closeUser } from '../access/close-user.ts';
import { closeMembers } from '../access/party-users/close-members.ts';
import { manageIn } from '../access/manage-user.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { switchOffMerchantOf } from './merchants/switch-off.ts';
import { switchOffSupplierOf } from './suppliers/switch-off.ts';

/**
 * Deletes a user (the row stays): its sessions end. Its merchant or supplier takes part in nothing new, and the further users
 * of that party end too. Nobody deletes themselves, and one superAdmin always remains.
 */
export function deleteUser(
  platform: Platform,
  viewer: Viewer,
  userId: bigint,
): Promise<Record<string, never> | Refusal> {
  return platform.db.tx((tx) => deleteUserIn(platform, tx, viewer, userId));
}

/** The same as part of a larger transaction. */
export function deleteUserIn(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  userId: bigint,
): Promise<Record<string, never> | Refusal> {
  return manageIn(platform, tx, viewer, userId, async (_tx, user) => {
    const refusal = await closeUser(tx, viewer, user, platform.clock.now());
    if (refusal) return refusal;
    await closeMembers(tx, viewer, user.id, platform.clock.now());
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
