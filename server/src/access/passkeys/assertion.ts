import type { passkeyAnswer, passkeyOptions } from '@sangam/contract/passkeys.ts';
import {
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { MINUTE } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import { relyingParty } from './relying-party.ts';
import { type Challenge, type Passkey, insertChallenge, notePasskeyUse, takeChallenge } from './store.ts';

export type PasskeyAnswer = z.output<typeof passkeyAnswer>;
export type PasskeyOptions = z.output<typeof passkeyOptions>;

export const CHALLENGE_LIFE = 5 * MINUTE;

/** What the browser needs to ask for one of these passkeys. 1008 where the installation no longer has an address for passkeys. */
export async function askForPasskey(
  platform: Platform,
  passkeys: readonly Passkey[],
  challenge: Challenge,
): Promise<PasskeyOptions | Refusal> {
  const party = relyingParty(platform);
  if (!party) return refuse('passkeyWrong');
  const now = platform.clock.now();
  await insertChallenge(platform.db, challenge, now, new Date(now.getTime() + CHALLENGE_LIFE));
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: Uint8Array.from(challenge.challenge),
    userVerification: 'required',
    timeout: CHALLENGE_LIFE,
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports: transports as AuthenticatorTransport[],
    })),
  });
  return { options: { ...options } };
}

const clientData = z.object({ challenge: z.string() });

/** The challenge that a browser says it has answered. */
export function challengeOf(clientDataJSON: string): Buffer | undefined {
  try {
    const text = Buffer.from(clientDataJSON, 'base64url').toString('utf8');
    return Buffer.from(clientData.parse(JSON.parse(text)).challenge, 'base64url');
  } catch {
    return undefined;
  }
}

export interface ProvenUse {
  readonly passkey: Passkey;
  readonly nonce: string | null;
  /** Records the use, in the transaction that grants the request; false where the passkey was removed meanwhile. */
  readonly note: (tx: Tx) => Promise<boolean>;
}

/**
 * Whether one of these passkeys has signed an unused challenge of this user and session, confirmed by finger, face or PIN; 1008
 * where not. The challenge is used up in both cases.
 */
export async function provePasskey(
  platform: Platform,
  passkeys: readonly Passkey[],
  of: Pick<Challenge, 'userId' | 'sessionId'>,
  answer: PasskeyAnswer,
): Promise<ProvenUse | Refusal> {
  const party = relyingParty(platform);
  const challenge = challengeOf(answer.response.clientDataJSON);
  const passkey = passkeys.find(({ credentialId }) => credentialId.toString('base64url') === answer.id);
  const now = platform.clock.now();
  const taken = challenge && (await takeChallenge(platform.db, { ...of, challenge }, now));
  if (!party || !passkey || !taken) return refuse('passkeyWrong');
  const signCount = await signedCount(party, passkey, challenge, answer);
  if (signCount === undefined) return refuse('passkeyWrong');
  return { passkey, nonce: taken.nonce, note: (tx) => notePasskeyUse(tx, passkey.id, signCount, now) };
}

/** The authenticator's counter, if its signature is valid; the library throws if it is not. */
async function signedCount(
  party: { readonly id: string; readonly origin: string },
  { credentialId, publicKey, signCount, transports }: Passkey,
  challenge: Buffer,
  answer: PasskeyAnswer,
): Promise<bigint | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: credentialId.toString('base64url'),
        publicKey: Uint8Array.from(publicKey),
        counter: Number(signCount),
        transports: transports as AuthenticatorTransport[],
      },
    });
    return verified ? BigInt(authenticationInfo.newCounter) : undefined;
  } catch {
    return undefined;
  }
}
