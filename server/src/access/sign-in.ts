import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import { stepOfCode } from './google-code.ts';
import { ipRules } from './ip-rules/ip-rules.ts';
import { merchantLimits } from './limits/limits.ts';
import { clearFailures, withStrangersLimit } from './lock-out.ts';
import { tellOfNewDevice } from './new-device.ts';
import { type SessionTokens, openNewSession } from './new-session.ts';
import {
  type PasskeyAnswer,
  type PasskeyOptions,
  askForPasskey,
  provePasskey,
} from './passkeys/assertion.ts';
import { type Passkey, passkeysOf } from './passkeys/store.ts';
import { newToken } from './secret-token.ts';
import type { Stage } from './session-store.ts';
import { merchantOf } from './party-users/store.ts';
import { type UserRow, noteSignIn, useTotpStep } from './store.ts';

export interface SignedIn extends SessionTokens {
  readonly account: string;
  /** A binding session may only bind an authenticator. */
  readonly stage: Stage;
}

/** Where somebody signs in from. */
export interface Device {
  readonly ip: string;
  readonly userAgent: string;
  readonly isBrowser: boolean;
}

/** What a person presents in addition to the password. */
export interface Factors {
  readonly googleCode?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
}

/** The second factors a user may use: one of them is needed, none where the user has none. */
export interface SecondFactors {
  readonly code: boolean;
  readonly passkeys: readonly Passkey[];
  /** A code is required, but no authenticator is bound yet. */
  readonly mustBind: boolean;
}

export async function secondFactorsOf(platform: Platform, user: UserRow): Promise<SecondFactors> {
  const passkeys = await passkeysOf(platform.db, user.id);
  const { enableGoogleVerify, googleSecret } = user;
  return {
    code: enableGoogleVerify && googleSecret !== null,
    passkeys,
    mustBind: enableGoogleVerify && googleSecret === null && passkeys.length === 0,
  };
}

/** What the browser needs to ask for the user's passkey at a sign-in. */
export function askAtSignIn(
  platform: Platform,
  user: UserRow,
  passkeys: readonly Passkey[],
): Promise<PasskeyOptions | Refusal> {
  const challenge = Buffer.from(newToken(), 'base64url');
  return askForPasskey(platform, passkeys, { challenge, userId: user.id, sessionId: null, nonce: null });
}

/** Marks a proof as used, in the transaction that signs in; refuses one that was used before. */
type Proof = (tx: Tx) => Promise<Refusal | undefined>;

/** Signs in a user whose password (or what replaces it: `first`) is proven, with one of the user's second factors. */
export function signInWith(
  platform: Platform,
  user: UserRow,
  { code, mustBind, passkeys }: SecondFactors,
  { googleCode, passkey }: Factors,
  caller: Device,
  first?: Proof,
): Promise<SignedIn | Refusal> {
  if (mustBind) return openFor(platform, user, 'binding', caller, [first]);
  const attempt = { account: user.account, ip: caller.ip, userId: user.id };
  return withStrangersLimit(platform, attempt, 'wrongGoogleCode', async () => {
    const second = passkey
      ? await byPasskey(platform, user, passkeys, passkey)
      : code || passkeys.length === 0
        ? await byCode(platform, user, googleCode ?? '')
        : refuse('passkeyWrong');
    return isRefusal(second) ? second : openFor(platform, user, 'full', caller, [first, second]);
  });
}

async function byCode(platform: Platform, user: UserRow, code: string): Promise<Proof | undefined | Refusal> {
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
): Promise<Proof | Refusal> {
  const use = await provePasskey(platform, passkeys, { userId: user.id, sessionId: null }, answer);
  if (isRefusal(use)) return use;
  return async (tx) => ((await use.note(tx)) ? undefined : refuse('passkeyWrong'));
}

async function openFor(
  platform: Platform,
  user: UserRow,
  stage: Stage,
  caller: Device,
  proofs: readonly (Proof | undefined)[],
): Promise<SignedIn | Refusal> {
  const { ip, userAgent, isBrowser } = caller;
  // Only a caller who knows the secrets gets this answer.
  const comer = { role: user.role, userId: user.id };
  if (
    !(await merchantLimits(platform).consoleAllows(await merchantOf(platform.db, user.id), ip)) ||
    !(await ipRules(platform).lets('console', ip, comer))
  )
    return refuse('ipNotAllowed');
  return platform.db.tx(async (tx) => {
    for (const note of proofs) {
      const usedBefore = await note?.(tx);
      if (usedBefore) return usedBefore;
    }
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
    return { ...tokens, account: user.account, stage };
  });
}
