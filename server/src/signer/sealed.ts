import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';

/** What only who knows the passphrase can read or change: keys, who may release, and the limits. */
const secrets = z.object({
  /** Private keys in hex. */
  keys: z.array(z.string()),
  /** People who release what the limits hold back: their name, and their authenticator's secret (base32). */
  releasers: z.array(z.object({ name: z.string(), secret: z.string() })),
  /** Millionths: the largest transfer that needs nobody, and the most of one day together. */
  limits: z.object({ one: z.string().regex(/^\d{1,18}$/), day: z.string().regex(/^\d{1,18}$/) }),
});

export type Secrets = z.infer<typeof secrets>;

/** A new signer signs nothing by itself. */
export const NO_SECRETS: Secrets = { keys: [], releasers: [], limits: { one: '0', day: '0' } };

const [SALT, NONCE, TAG] = [16, 12, 16];

/** 32 MB and a tenth of a second for each guess. */
function keyOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
}

export function seal(passphrase: string, content: Secrets): Buffer {
  const [salt, nonce] = [randomBytes(SALT), randomBytes(NONCE)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce);
  const body = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]);
}

/** Throws when the passphrase is another, or the bytes were touched. */
export function unseal(passphrase: string, sealed: Buffer): Secrets {
  const [salt, rest] = [sealed.subarray(0, SALT), sealed.subarray(SALT)];
  const decipher = createDecipheriv('aes-256-gcm', keyOf(passphrase, salt), rest.subarray(0, NONCE));
  decipher.setAuthTag(rest.subarray(NONCE, NONCE + TAG));
  const text = decipher.update(rest.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
  return secrets.parse(JSON.parse(text));
}
