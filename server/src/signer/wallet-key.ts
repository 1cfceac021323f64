import { createECDH, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  addressOfPublicKey,
  CURVE_ORDER,
  numberOf,
  signerOf,
  wordOf,
} from '../channels/usdt/tron-signature.ts';

/** A wallet's private key, ready to sign. */
export interface WalletKey {
  readonly address: string;
  /** 65 bytes over sha256(bytes): the signature of a transaction over its id. */
  sign(bytes: Buffer, id: Buffer): Buffer;
}

/** 32 random bytes that are a key of the curve, in hex. */
export function newPrivateKey(): string {
  for (;;) {
    const key = randomBytes(32);
    if (isKey(key)) return key.toString('hex');
  }
}

function isKey(key: Buffer): boolean {
  const value = numberOf(key);
  return value > 0n && value < CURVE_ORDER;
}

/** The key of 64 hex digits; throws on what is none, without repeating it. */
export function walletKey(hex: string): WalletKey {
  const secret = Buffer.from(hex, 'hex');
  if (!/^[0-9a-f]{64}$/i.test(hex) || !isKey(secret)) throw new Error('a private key is 64 hex digits');
  const ecdh = createECDH('secp256k1');
  ecdh.setPrivateKey(secret);
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const address = addressOfPublicKey(x, y);
  const key: KeyObject = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'secp256k1',
      x: x.toString('base64url'),
      y: y.toString('base64url'),
      d: secret.toString('base64url'),
    },
  });
  return {
    address,
    sign(bytes, id) {
      const made = sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
      const s = numberOf(made.subarray(32));
      // The lower of the two that are good, as every wallet writes it.
      const low = s * 2n > CURVE_ORDER ? CURVE_ORDER - s : s;
      const rs = Buffer.concat([made.subarray(0, 32), wordOf(low)]);
      const signature = [27, 28]
        .map((v) => Buffer.concat([rs, Buffer.of(v)]))
        .find((each) => signerOf(id, each) === address);
      if (!signature) throw new Error('the signature is not of this key');
      return signature;
    },
  };
}
