import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import { withLockOut, withStrangersLimit } from './lock-out.ts';
import type { PasskeyOptions } from './passkeys/assertion.ts';
import { passwordMatches } from './password.ts';
import {
  type Device,
  type Factors,
  type SignedIn,
  askAtSignIn,
  secondFactorsOf,
  signInWith,
} from './sign-in.ts';
import { findUserByAccount } from './store.ts';

export interface LoginInput extends Factors {
  readonly userName: string;
  readonly password: string;
}

/**
 * Signs in with password and, where enabled, Google code or passkey. An unknown account, a deleted one and a wrong password get
 * the same answer after the same time. Only a caller with the right password learns that the code was wrong. A user with a
 * passkey who sends no code is asked for the passkey: 1007 with the data the browser needs, which is not a failure.
 */
export async function login(
  platform: Platform,
  input: LoginInput,
  caller: Device,
): Promise<SignedIn | Refusal> {
  const { userName, password, googleCode, passkey } = input;
  const outcome = await withLockOut<SignedIn | PasskeyOptions>(
    platform,
    userName,
    caller.ip,
    async (found) => {
      const user = await findUserByAccount(platform.db, userName);
      if (user) found(user.id);
      const attempt = { account: userName, ip: caller.ip, userId: user?.id ?? null };
      return withStrangersLimit(platform, attempt, 'wrongPassword', async () => {
        if (!(await passwordMatches(password, user?.passwordHash)) || !user) return refuse('wrongPassword');
        const second = await secondFactorsOf(platform, user);
        const isShown = passkey !== undefined || (second.code && Boolean(googleCode));
        return second.passkeys.length > 0 && !isShown
          ? askAtSignIn(platform, user, second.passkeys)
          : signInWith(platform, user, second, input, caller);
      });
    },
  );
  return isRefusal(outcome) || 'token' in outcome ? outcome : refuse('passkeyNeeded', {}, outcome);
}
