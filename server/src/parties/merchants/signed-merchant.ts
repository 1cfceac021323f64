import { SIGN_TYPES } from '@sangam/contract/sign-types.ts';
import { type SignType, maskedSigningString, sign, signatureMatches } from '@sangam/contract/signature.ts';
import { MINUTE } from '../../platform/clock.ts';
import { gather } from '../../platform/db/gather.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { SignedMerchant } from '../../http/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Vault } from '../../platform/vault.ts';
import { deleteExpiredNonces, findCredentials, rememberNonce } from './credentials.ts';

const TIMESTAMP_TOLERANCE = 5 * MINUTE;
/** As long as one timestamp can be valid: from 5 minutes before it until 5 minutes after it. */
const NONCE_LIFE = 2 * TIMESTAMP_TOLERANCE;
const LONGEST_NONCE = 64;

type Fields = Readonly<Record<string, string>>;

/** The first look-up of every call of the merchant API. Concurrent calls share one query. */
const credentialsOf = perPlatform((platform) =>
  gather(
    async (merchantIds: readonly bigint[]) => {
      const found = await findCredentials(platform.db.calls, merchantIds, platform.clock.now());
      return merchantIds.map((id) => found.get(id));
    },
    { batch: 256, inFlight: 1 },
  ),
);

/** The merchant that a call says it is from; 0 where it names none. */
export const statedMerchant = ({ mchId = '' }: Fields): bigint =>
  /^[1-9]\d{0,17}$/.test(mchId) ? BigInt(mchId) : 0n;

/**
 * The merchant whose signature is under `fields` for the call `line` (signature.ts), or 1102 with the string that was signed
 * here. An unknown or disabled merchant gets the same answer as a wrong signature. Time and nonce are checked only after the
 * signature, so that strangers can neither probe nor use up nonces.
 */
export async function signedMerchant(
  platform: Platform,
  fields: Fields,
  line: string,
): Promise<SignedMerchant | Refusal> {
  const { vault } = platform;
  const mchId = statedMerchant(fields);
  const found = await credentialsOf(platform)(mchId);
  const merchant = found?.enabled ? found : undefined;
  const type = found?.signType ?? disguise(vault, mchId);
  const signedWith = (secret: string) =>
    signatureMatches(fields['sign'] ?? '', sign(fields, type, secret, line), type);
  const { secret, previousSecret } = merchant ?? {};
  const matches =
    signedWith(secret ? vault.open(secret, ['merchants.secret', mchId]) : '') ||
    (previousSecret ? signedWith(vault.open(previousSecret, ['merchants.previous_secret', mchId])) : false);
  if (!merchant || !matches) return wrongSignature(fields, type, line);
  if (type !== 'md5') {
    const refused = (reason: string) => wrongSignature(fields, type, line, reason);
    const replayed = await replayProblem(platform, merchant.id, fields, refused);
    if (isRefusal(replayed)) return replayed;
  }
  return { id: merchant.id, fields, signType: type, mayCancel: type !== 'md5' || merchant.cancelByMd5 };
}

/** The sign type shown for an unknown merchant: always the same one for an id, so that the answer looks like that of a real merchant. */
function disguise(vault: Vault, mchId: bigint): SignType {
  return SIGN_TYPES[vault.payToken(mchId).charCodeAt(20) % SIGN_TYPES.length]!;
}

function wrongSignature(fields: Fields, type: SignType, line: string, reason?: string): Refusal {
  const signed = maskedSigningString(fields, type, line);
  return refuse('wrongSignature', {}, reason === undefined ? { signed } : { signed, reason });
}

async function replayProblem(
  platform: Platform,
  merchantId: bigint,
  fields: Fields,
  refused: (reason: string) => Refusal,
): Promise<Refusal | undefined> {
  const now = platform.clock.now();
  const timestamp = /^\d{1,15}$/.test(fields['timestamp'] ?? '') ? Number(fields['timestamp']) : undefined;
  if (timestamp === undefined) return refused('timestamp is missing or not in milliseconds');
  if (Math.abs(now.getTime() - timestamp) > TIMESTAMP_TOLERANCE) {
    return refused(`timestamp is more than 5 minutes off; the server has ${now.getTime()}`);
  }
  const nonce = fields['nonce'] ?? '';
  if (nonce === '' || nonce.length > LONGEST_NONCE)
    return refused('nonce is missing or longer than 64 characters');
  const expiresAt = new Date(now.getTime() + NONCE_LIFE);
  const fresh = await platform.db.tx((tx) => rememberNonce(tx, { merchantId, nonce, now, expiresAt }));
  return fresh ? undefined : refused('nonce was used within 10 minutes');
}

/** Deletes the nonces whose timestamps are no longer valid. */
export async function sweepNonces(platform: Platform): Promise<void> {
  await platform.db.tx((tx) => deleteExpiredNonces(tx, platform.clock.now()));
}
