import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';

/** What only a person with the passphrase can read or change: keys, releasers and limits. */
const secrets = z.object({
  /** Private keys in hex. */
  keys: z.array(z.string()),
  /** People who release transfers above the limits: their name and the secret of their authenticator (base32). */
  releasers: z.array(z.object({ name: z.string(), secret: z.string() })),
  /** Millionths: the largest transfer that needs no release, and the most that a wallet transfers in a day without one. */
  limits: z.object({ one: z.string().regex(/^\d{1,18}$/), day: z.string().regex(/^\d{1,18}$/) }),
});

export type Secrets = z.infer<typeof secrets>;

/** Secrets of a new signer: with limits of 0 it signs nothing without a release. */
export const NO_SECRETS: Secrets = { keys: [], releasers: [], limits: { one: '0', day: '0' } };

const [SALT, NONCE, TAG] = [16, 12, 16];

/** Slow on purpose: each guess of a passphrase costs 32 MB and a tenth of a second. */
function keyOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
}

export function seal(passphrase: string, content: Secrets): Buffer {
  const [salt, nonce] = [randomBytes(SALT), randomBytes(NONCE)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce);
  const body = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]);
}

/** Throws when the passphrase is wrong or the bytes were changed. */
export function unseal(passphrase: string, sealed: Buffer): Secrets {
  const [salt, rest] = [sealed.subarray(0, SALT), sealed.subarray(SALT)];
  const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase, salt), rest.subarray(0, NONCE));
  decipher.setAuthTag(rest.subarray(NONCE, NONCE + TAG));
  const text = decipher.update(rest.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
  return secrets.parse(JSON.parse(text));
}
