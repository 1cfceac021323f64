import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** The fixed bytes before the 32 bytes of an Ed25519 key: PKCS #8 for the private key, SPKI for the public key. */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

const verifyApart = promisify(verify);

/** Signs the blocks of the audit. The database never holds the private key. */
export interface AuditSeal {
  /** Short name of the key: the first 16 hex digits of the SHA-256 of the public key. */
  readonly keyId: string;
  /** 32 bytes in hex. A person who checks the audit needs no other key. */
  readonly publicKey: string;
  sign(hash: Buffer): Buffer;
  /**
   * True when a key that we trust signed the hash: our own key or an older one of ours. Runs off the main thread, because 1,000 signatures
   * take 0.2 s.
   */
  verify(keyId: string, hash: Buffer, signature: Buffer): Promise<boolean>;
}

export function keyIdOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex').slice(0, 16);
}

/** `seed`: the 32 bytes of the key. `older`: public keys in hex that signed earlier blocks. */
export function createAuditSeal(seed: Buffer, older: readonly string[] = []): AuditSeal {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = der.subarray(PUBLIC_HEAD.length).toString('hex');
  const trusted = new Map<string, KeyObject>(
    [publicKey, ...older].map((key) => [
      keyIdOf(key),
      createPublicKey({
        key: Buffer.concat([PUBLIC_HEAD, Buffer.from(key, 'hex')]),
        format: 'der',
        type: 'spki',
      }),
    ]),
  );
  return {
    keyId: keyIdOf(publicKey),
    publicKey,
    sign: (hash) => sign(null, hash, privateKey),
    verify: async (keyId, hash, signature) => {
      const key = trusted.get(keyId);
      return key !== undefined && (await verifyApart(null, hash, key, signature));
    },
  };
}
