import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { isOwnAccount } from './bind-user.ts';
import { stepOfCode } from './google-code.ts';
import { clearFailures, withLockOut } from './lock-out.ts';
import { tellOfNewDevice } from './new-device.ts';
import { LIFE, type SessionTokens, newSessionTokens } from './new-session.ts';
import { hashToken } from './secret-token.ts';
import { makeSessionFull } from './session-store.ts';
import { bindPendingSecret, getUser } from './store.ts';

export interface ConfirmInput {
  readonly userAccount: string;
  readonly googleCode: string;
}

/** During sign-in: a valid code binds the new secret, and the session becomes a full one with new tokens. */
export async function confirmBind(
  platform: Platform,
  viewer: Viewer,
  input: ConfirmInput,
  userAgent: string,
): Promise<SessionTokens | Refusal> {
  return prove(platform, viewer, input, async (tx) => {
    const tokens = newSessionTokens();
    const now = platform.clock.now();
    // Here the sign-in ends. Told before this session is a full one, or it would count as known.
    await tellOfNewDevice(platform, tx, viewer.userId, { ip: viewer.ip, userAgent });
    const full = await makeSessionFull(tx, {
      id: viewer.sessionId,
      tokenHash: hashToken(tokens.token),
      cookieHash: hashToken(tokens.cookie),
      now,
      expiresAt: new Date(now.getTime() + LIFE.full),
    });
    return full ? tokens : refuse('conflict');
  });
}

/** From the profile: a valid code replaces the old secret by the new one. */
export async function confirmBindForProfile(
  platform: Platform,
  viewer: Viewer,
  input: ConfirmInput,
): Promise<Record<string, never> | Refusal> {
  return prove(platform, viewer, input, () => Promise.resolve({}));
}

async function prove<Result>(
  platform: Platform,
  viewer: Viewer,
  input: ConfirmInput,
  then: (tx: Tx) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  if (!isOwnAccount(viewer, input.userAccount)) return refuse('notFound');
  const user = await getUser(platform.db, viewer.userId);
  const sealed = user?.pendingGoogleSecret;
  if (!sealed) return refuse('conflict');
  const secret = platform.vault.open(sealed, ['users.pending_google_secret', viewer.userId]);
  const step = await withLockOut(platform, viewer.account, viewer.ip, async (found) => {
    found(viewer.userId);
    return (await stepOfCode(secret, input.googleCode, platform.clock.now())) ?? refuse('wrongGoogleCode');
  });
  if (isRefusal(step)) return step;
  return platform.db.tx(async (tx) => {
    const now = platform.clock.now();
    const bound = platform.vault.seal(secret, ['users.google_secret', viewer.userId]);
    if (!(await bindPendingSecret(tx, { userId: viewer.userId, sealed, bound, step, now })))
      return refuse('conflict');
    await clearFailures(tx, viewer.account, viewer.ip);
    const subject = `user:${viewer.account}`;
    await audit(platform, tx, { userId: viewer.userId, action: 'user.bind', subject, ip: viewer.ip });
    return then(tx);
  });
}
