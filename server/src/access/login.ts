import { audit } from '../platform/audit/record.ts';
import { ipRules } from './ip-rules/ip-rules.ts';
import { merchantLimits } from './limits/limits.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import { stepOfCode } from './google-code.ts';
import { clearFailures, withLockOut, withStrangersLimit } from './lock-out.ts';
import { tellOfNewDevice } from './new-device.ts';
import { type SessionTokens, openNewSession } from './new-session.ts';
import { passwordMatches } from './password.ts';
import type { Stage } from './session-store.ts';
import { type UserRow, findUserByAccount, noteSignIn, useTotpStep } from './store.ts';

export interface LoginInput {
  readonly userName: string;
  readonly password: string;
  readonly googleCode?: string | undefined;
}

export interface SignedIn extends SessionTokens {
  /** A binding session may only bind an authenticator. */
  readonly stage: Stage;
}

/** Where somebody signs in from. */
export interface Device {
  readonly ip: string;
  readonly userAgent: string;
  readonly isBrowser: boolean;
}

/**
 * Signs in with password and, where enabled, Google code. An unknown account, a deleted one and a wrong password
 * are one answer that takes the same time; whether the code was wrong is said only to who knows the password.
 */
export async function login(
  platform: Platform,
  input: LoginInput,
  caller: Device,
): Promise<SignedIn | Refusal> {
  return withLockOut(platform, input.userName, caller.ip, async (found) => {
    const user = await findUserByAccount(platform.db, input.userName);
    if (user) found(user.id);
    const attempt = { account: input.userName, ip: caller.ip, userId: user?.id ?? null };
    return withStrangersLimit(platform, attempt, 'wrongPassword', async () => {
      if (!(await passwordMatches(input.password, user?.passwordHash)) || !user)
        return refuse('wrongPassword');
      if (user.enableGoogleVerify && user.googleSecret === null)
        return signIn(platform, user, 'binding', caller);
      return withStrangersLimit(platform, attempt, 'wrongGoogleCode', async () => {
        const step = await codeStep(platform, user, input.googleCode ?? '');
        return isRefusal(step) ? step : signIn(platform, user, 'full', caller, step);
      });
    });
  });
}

async function codeStep(
  platform: Platform,
  user: UserRow,
  code: string,
): Promise<bigint | undefined | Refusal> {
  if (!user.enableGoogleVerify || user.googleSecret === null) return undefined;
  const step = await stepOfCode(
    platform.vault.open(user.googleSecret, ['users.google_secret', user.id]),
    code,
    platform.clock.now(),
  );
  return step ?? refuse('wrongGoogleCode');
}

async function signIn(
  platform: Platform,
  user: UserRow,
  stage: Stage,
  caller: Device,
  step?: bigint,
): Promise<SignedIn | Refusal> {
  const { ip, userAgent, isBrowser } = caller;
  // Only who knows the secrets learns this.
  const comer = { role: user.role, userId: user.id };
  if (
    !(await merchantLimits(platform).consoleAllows(user.id, ip)) ||
    !(await ipRules(platform).lets('console', ip, comer))
  )
    return refuse('ipNotAllowed');
  return platform.db.tx(async (tx) => {
    if (step !== undefined && !(await useTotpStep(tx, user.id, step))) return refuse('wrongGoogleCode');
    await clearFailures(tx, user.account, ip);
    await noteSignIn(tx, user.id, platform.clock.now());
    if (stage === 'full') await tellOfNewDevice(platform, tx, user.id, caller);
    const tokens = await openNewSession(platform, tx, {
      userId: user.id,
      stage,
      ip,
      userAgent,
      needsCookie: isBrowser,
    });
    const action = stage === 'full' ? 'user.login' : 'user.loginToBind';
    await audit(platform, tx, { userId: user.id, action, subject: `user:${user.account}`, ip });
    return { ...tokens, stage };
  });
}
