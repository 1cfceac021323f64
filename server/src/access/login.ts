import { audit } from '../platform/audit/record.ts';
import { ipRules } from './ip-rules/ip-rules.ts';
import { merchantLimits } from './limits/limits.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import {
  type PasskeyAnswer,
  type PasskeyOptions,
  askForPasskey,
  provePasskey,
} from './passkeys/assertion.ts';
import { type Passkey, passkeysOf } from './passkeys/store.ts';
import { stepOfCode } from './google-code.ts';
import { clearFailures, withLockOut, withStrangersLimit } from './lock-out.ts';
import { tellOfNewDevice } from './new-device.ts';
import { type SessionTokens, openNewSession } from './new-session.ts';
import { passwordMatches } from './password.ts';
import { newToken } from './secret-token.ts';
import type { Stage } from './session-store.ts';
import { type UserRow, findUserByAccount, noteSignIn, useTotpStep } from './store.ts';

export interface LoginInput {
  readonly userName: string;
  readonly password: string;
  readonly googleCode?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
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

/** Notes the proof that stands beside the password as used, in the transaction that signs in; refused where it was used before. */
type SecondFactor = (tx: Tx) => Promise<Refusal | undefined>;

/**
 * Signs in with password and, where enabled, Google code or passkey. An unknown account, a deleted one and a wrong password
 * are one answer that takes the same time; whether the code was wrong is said only to who knows the password. Who has a passkey and
 * names no code is asked for it: 1007 with what the browser needs, which is no failure.
 */
export async function login(
  platform: Platform,
  input: LoginInput,
  caller: Device,
): Promise<SignedIn | Refusal> {
  const outcome = await withLockOut<SignedIn | PasskeyOptions>(
    platform,
    input.userName,
    caller.ip,
    async (found) => {
      const user = await findUserByAccount(platform.db, input.userName);
      if (user) found(user.id);
      const attempt = { account: input.userName, ip: caller.ip, userId: user?.id ?? null };
      return withStrangersLimit(platform, attempt, 'wrongPassword', async () => {
        if (!(await passwordMatches(input.password, user?.passwordHash)) || !user)
          return refuse('wrongPassword');
        const passkeys = await passkeysOf(platform.db, user.id);
        const { enableGoogleVerify, googleSecret } = user;
        if (enableGoogleVerify && googleSecret === null && passkeys.length === 0)
          return signIn(platform, user, 'binding', caller);
        const codeCounts = enableGoogleVerify && googleSecret !== null && Boolean(input.googleCode);
        if (passkeys.length > 0 && !input.passkey && !codeCounts) {
          const challenge = Buffer.from(newToken(), 'base64url');
          return askForPasskey(platform, passkeys, {
            challenge,
            userId: user.id,
            sessionId: null,
            nonce: null,
          });
        }
        return withStrangersLimit(platform, attempt, 'wrongGoogleCode', async () => {
          const second = input.passkey
            ? await byPasskey(platform, user, passkeys, input.passkey)
            : await byCode(platform, user, input.googleCode ?? '');
          return isRefusal(second) ? second : signIn(platform, user, 'full', caller, second);
        });
      });
    },
  );
  return isRefusal(outcome) || 'token' in outcome ? outcome : refuse('passkeyNeeded', {}, outcome);
}

async function byCode(
  platform: Platform,
  user: UserRow,
  code: string,
): Promise<SecondFactor | undefined | Refusal> {
  if (!user.enableGoogleVerify || user.googleSecret === null) return undefined;
  const step = await stepOfCode(
    platform.vault.open(user.googleSecret, ['users.google_secret', user.id]),
    code,
    platform.clock.now(),
  );
  if (step === undefined) return refuse('wrongGoogleCode');
  return async (tx) => ((await useTotpStep(tx, user.id, step)) ? undefined : refuse('wrongGoogleCode'));
}

async function byPasskey(
  platform: Platform,
  user: UserRow,
  passkeys: readonly Passkey[],
  answer: PasskeyAnswer,
): Promise<SecondFactor | Refusal> {
  const use = await provePasskey(platform, passkeys, { userId: user.id, sessionId: null }, answer);
  if (isRefusal(use)) return use;
  return async (tx) => ((await use.note(tx)) ? undefined : refuse('passkeyWrong'));
}

async function signIn(
  platform: Platform,
  user: UserRow,
  stage: Stage,
  caller: Device,
  second?: SecondFactor,
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
    const usedBefore = await second?.(tx);
    if (usedBefore) return usedBefore;
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
