import { randomBytes } from 'node:crypto';
import type * as contract from '@sangam/contract/endpoints/passkey.ts';
import { formatTime } from '@sangam/contract/time.ts';
import {
  type AuthenticatorTransport,
  generateRegistrationOptions,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { z } from 'zod';
import { notify } from '../../inbox/notify.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ownUser } from '../change-own.ts';
import { CHALLENGE_LIFE, type PasskeyOptions, challengeOf } from './assertion.ts';
import { type RelyingParty, relyingParty } from './relying-party.ts';
import { insertChallenge, insertPasskey, markPasskeyRemoved, passkeysOf, takeChallenge } from './store.ts';

type AddInput = z.output<typeof contract.addPasskey.input>;

/** Enough for a few devices and keys. */
const MOST = 10;
/**
 * COSE numbers of EdDSA, ECDSA with P-256 and RSA, which today's authenticators know. Signatures of newer ones are too long for
 * a header.
 */
const ALGORITHMS = [-8, -7, -257];

export async function listPasskeys(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof contract.getPasskeys.output>> {
  const passkeys = await passkeysOf(platform.db, viewer.userId);
  return {
    host: relyingParty(platform)?.id ?? null,
    list: passkeys.map(({ id, name, isSynced, createdAt, lastUsedAt }) => ({
      id: String(id),
      name,
      isSynced,
      createTime: formatTime(createdAt),
      lastUsedTime: lastUsedAt && formatTime(lastUsedAt),
    })),
  };
}

/** What the browser needs to make a passkey. 409 where the user has enough, or the installation has no address for them. */
export async function beginPasskey(platform: Platform, viewer: Viewer): Promise<PasskeyOptions | Refusal> {
  const party = relyingParty(platform);
  const user = await ownUser(platform, viewer);
  if (isRefusal(user)) return user;
  const passkeys = await passkeysOf(platform.db, viewer.userId);
  if (!party || passkeys.length >= MOST) return refuse('conflict');
  const now = platform.clock.now();
  const challenge = randomBytes(32);
  const { userId, sessionId } = viewer;
  const expiresAt = new Date(now.getTime() + CHALLENGE_LIFE);
  await insertChallenge(platform.db, { challenge, userId, sessionId, nonce: null }, now, expiresAt);
  const options = await generateRegistrationOptions({
    rpName: 'Sangam',
    rpID: party.id,
    challenge: Uint8Array.from(challenge),
    userID: Uint8Array.from(Buffer.from(String(userId))),
    userName: user.account,
    userDisplayName: user.nickname,
    attestationType: 'none',
    timeout: CHALLENGE_LIFE,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports: transports as AuthenticatorTransport[],
    })),
  });
  return { options: { ...options } };
}

/** Stores the passkey that the browser made. 1008 where it answers no challenge of this session. */
export async function addPasskey(
  platform: Platform,
  viewer: Viewer,
  { name, passkey }: AddInput,
): Promise<{ readonly id: string } | Refusal> {
  const { db, clock, ids } = platform;
  const user = await ownUser(platform, viewer);
  if (isRefusal(user)) return user;
  const party = relyingParty(platform);
  const challenge = challengeOf(passkey.response.clientDataJSON);
  const { userId, sessionId } = viewer;
  const now = clock.now();
  const taken = challenge && (await takeChallenge(db, { challenge, userId, sessionId }, now));
  const made = party && taken?.nonce === null ? await madeBy(party, passkey, challenge!) : undefined;
  if (!made) return refuse('passkeyWrong');
  return db.tx(async (tx) => {
    const id = ids.next();
    const isNew = await insertPasskey(tx, userId, {
      id,
      credentialId: Buffer.from(made.credential.id, 'base64url'),
      publicKey: Buffer.from(made.credential.publicKey),
      signCount: BigInt(made.credential.counter),
      transports: passkey.response.transports,
      isSynced: made.credentialBackedUp,
      name,
      createdAt: now,
    });
    if (!isNew) return refuse('conflict');
    await tell(platform, tx, viewer, 'passkeyAdded', { id, name });
    return { id: String(id) };
  });
}

async function madeBy(party: RelyingParty, passkey: AddInput['passkey'], challenge: Buffer) {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: passkey as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return registrationInfo;
  } catch {
    return undefined;
  }
}

export async function removePasskey(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
): Promise<Record<string, never> | Refusal> {
  const user = await ownUser(platform, viewer);
  if (isRefusal(user)) return user;
  return platform.db.tx(async (tx) => {
    const name = await markPasskeyRemoved(tx, viewer.userId, id, platform.clock.now());
    if (name === undefined) return refuse('notFound');
    await tell(platform, tx, viewer, 'passkeyRemoved', { id, name });
    return {};
  });
}

/** Audits the change and notifies the user, who notices when somebody else made it. */
async function tell(
  platform: Platform,
  tx: Parameters<typeof notify>[1],
  { userId, account, ip }: Viewer,
  what: 'passkeyAdded' | 'passkeyRemoved',
  { id, name }: { readonly id: bigint; readonly name: string },
): Promise<void> {
  await notify(platform, tx, { userIds: [userId] }, what, { name, ip });
  await audit(platform, tx, {
    userId,
    action: what === 'passkeyAdded' ? 'passkey.add' : 'passkey.remove',
    subject: `user:${account}`,
    after: { passkey: String(id), name },
    ip,
  });
}
