import { audit } from '../platform/audit/record.ts';
import { MINUTE } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { clearFailures, secondLevel, withLockOut } from './lock-out.ts';
import { passwordMatches } from './password.ts';
import { hashToken, newToken } from './secret-token.ts';
import { setSecondToken } from './session-store.ts';
import { getUser } from './store.ts';

const LIFE = 15 * MINUTE;

/** Second-level password: answers a token for 15 minutes of sensitive actions, valid in this session only. */
export async function login2(
  platform: Platform,
  viewer: Viewer,
  input: { readonly password: string; readonly logInReason?: string | undefined },
): Promise<{ readonly token: string } | Refusal> {
  const account = secondLevel(viewer.account);
  return withLockOut(platform, account, viewer.ip, async (found) => {
    found(viewer.userId);
    const user = await getUser(platform.db, viewer.userId);
    if (!(await passwordMatches(input.password, user?.payPasswordHash))) return refuse('secondPasswordWrong');
    const token = newToken();
    await platform.db.tx(async (tx) => {
      await clearFailures(tx, account, viewer.ip);
      const expiresAt = new Date(platform.clock.now().getTime() + LIFE);
      await setSecondToken(tx, viewer.sessionId, hashToken(token), expiresAt);
      await audit(platform, tx, {
        userId: viewer.userId,
        action: 'user.login2',
        subject: `user:${viewer.account}`,
        reason: input.logInReason ?? null,
        ip: viewer.ip,
      });
    });
    return { token };
  });
}
