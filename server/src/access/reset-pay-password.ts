import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { setPayPassword } from './admin-store.ts';
import { manage } from './manage-user.ts';
import { hashPassword, randomPassword } from './password.ts';

/** Issues a random second-level password, answered this once; tokens of the old one end. */
export async function resetPayPassword(
  platform: Platform,
  viewer: Viewer,
  userId: bigint,
): Promise<{ readonly payPassword: string } | Refusal> {
  const payPassword = randomPassword();
  const hash = await hashPassword(payPassword);
  return manage(platform, viewer, userId, async (tx, user) => {
    await setPayPassword(tx, user.id, hash);
    return { action: 'user.resetPayPassword', control: 'payPassword', result: { payPassword } };
  });
}
