import { secp256k1 } from '@noble/curves/secp256k1.js';
import { addressOfPublicKey } from '../channels/usdt/tron-signature.ts';

/** A wallet's private key, ready to sign. */
export interface WalletKey {
  readonly address: string;
  /** The signature of a transaction's id: 65 bytes r, s, v. */
  sign(id: Buffer): Buffer;
}

/** 32 random bytes, in hex, that are a valid private key of the curve. */
export function newPrivateKey(): string {
  return Buffer.from(secp256k1.utils.randomSecretKey()).toString('hex');
}

/** Reads a private key of 64 hex digits. The error for an invalid one does not repeat it. */
export function walletKey(hex: string): WalletKey {
  const secret = Buffer.from(hex, 'hex');
  if (!/^[0-9a-f]{64}$/i.test(hex) || !secp256k1.utils.isValidSecretKey(secret))
    throw new Error('a private key is 64 hex digits');
  return {
    address: addressOfPublicKey(secp256k1.getPublicKey(secret, false)),
    sign(id) {
      // The library puts v first and counts it from 0. Of the two valid values of s it takes the lower one, as every wallet does.
      const made = secp256k1.sign(id, secret, { prehash: false, format: 'recovered' });
      return Buffer.concat([made.subarray(1), Buffer.of(made[0]! + 27)]);
    },
  };
}
