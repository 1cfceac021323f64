import { secp256k1 } from '@noble/curves/secp256k1.js';
import { addressOfPublicKey } from '../channels/usdt/tron-signature.ts';

/** A wallet's private key, ready to sign. */
export interface WalletKey {
  readonly address: string;
  /** 65 bytes r, s, v: the signature of a transaction, over its id. */
  sign(id: Buffer): Buffer;
}

/** 32 random bytes that are a key of the curve, in hex. */
export function newPrivateKey(): string {
  return Buffer.from(secp256k1.utils.randomSecretKey()).toString('hex');
}

/** The key of 64 hex digits; throws on what is none, without repeating it. */
export function walletKey(hex: string): WalletKey {
  const secret = Buffer.from(hex, 'hex');
  if (!/^[0-9a-f]{64}$/i.test(hex) || !secp256k1.utils.isValidSecretKey(secret))
    throw new Error('a private key is 64 hex digits');
  return {
    address: addressOfPublicKey(secp256k1.getPublicKey(secret, false)),
    sign(id) {
      // The library puts v first and counts it from 0; of the two values of s that are good, it takes the lower, as every wallet does.
      const made = secp256k1.sign(id, secret, { prehash: false, format: 'recovered' });
      return Buffer.concat([made.subarray(1), Buffer.of(made[0]! + 27)]);
    },
  };
}
