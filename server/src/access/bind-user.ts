import { audit } from '../platform/audit/record.ts';
import { qrDataUrl } from '../platform/files/qr-code.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ownUser } from './change-own.ts';
import { type NewAuthenticator, newAuthenticator } from './google-code.ts';
import { type Stage, endSessionsOf, stageOf } from './session-store.ts';
import { setPendingSecret } from './store.ts';

export interface BindInput {
  readonly userAccount: string;
  readonly needToLogout?: boolean | undefined;
}

/**
 * Makes a new authenticator secret for the viewer, shown once and in force only after a code proves it (confirmBind).
 * `needToLogout` ends the user's other sessions. A full session must use the profile's call, which needs the second-level
 * password.
 */
export async function bindUser(
  platform: Platform,
  viewer: Viewer,
  input: BindInput,
  stage: Stage,
): Promise<(NewAuthenticator & { readonly qrCode: string }) | Refusal> {
  if (!isOwnAccount(viewer, input.userAccount)) return refuse('notFound');
  // A binding session needs no check: sign-in itself asks for the first binding. In a full session the profile may be locked.
  const user = stage === 'full' ? await ownUser(platform, viewer) : undefined;
  if (isRefusal(user)) return user;
  const authenticator = newAuthenticator(viewer.account);
  const qrCode = await qrDataUrl(authenticator.otpauthUrl);
  return platform.db.tx(async (tx) => {
    if ((await stageOf(tx, viewer.sessionId)) !== stage) return refuse('conflict');
    await setPendingSecret(
      tx,
      viewer.userId,
      platform.vault.seal(authenticator.secret, ['users.pending_google_secret', viewer.userId]),
    );
    if (input.needToLogout) await endSessionsOf(tx, viewer.userId, viewer.sessionId, platform.clock.now());
    const subject = `user:${viewer.account}`;
    await audit(platform, tx, { userId: viewer.userId, action: 'user.beginBind', subject, ip: viewer.ip });
    return { ...authenticator, qrCode };
  });
}

export function isOwnAccount(viewer: Viewer, account: string): boolean {
  return account.toLowerCase() === viewer.account.toLowerCase();
}
