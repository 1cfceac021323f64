import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { setGoogleVerify, writeAllowModify } from './admin-store.ts';
import { manage } from './manage-user.ts';
import { askUserAccess } from './user-access.ts';

/**
 * Sets whether sign-in asks for the Google code; a user without an authenticator binds one at the next sign-in. Switching it
 * off: 1205.
 */
export function enableGoogleVerify(
  platform: Platform,
  viewer: Viewer,
  input: { readonly userId: bigint; readonly enableGoogleVerify: boolean },
): Promise<Record<string, never> | Refusal> {
  if (!input.enableGoogleVerify)
    return askUserAccess(platform, viewer, input.userId, { userChange: 'googleOff' });
  return manage(platform, viewer, input.userId, async (tx, user) => {
    await setGoogleVerify(tx, user.id, true);
    return {
      action: 'user.enableGoogleVerify',
      before: { enableGoogleVerify: user.enableGoogleVerify },
      after: { enableGoogleVerify: true },
      result: {},
    };
  });
}

/** Sets whether the user may change its own passwords and authenticator. */
export function setAllowModify(
  platform: Platform,
  viewer: Viewer,
  input: { readonly userId: bigint; readonly allowModify: boolean },
): Promise<Record<string, never> | Refusal> {
  return manage(platform, viewer, input.userId, async (tx, user) => {
    await writeAllowModify(tx, user.id, input.allowModify);
    return {
      action: 'user.setAllowModify',
      before: { allowModify: user.allowModify },
      after: { allowModify: input.allowModify },
      result: {},
    };
  });
}
