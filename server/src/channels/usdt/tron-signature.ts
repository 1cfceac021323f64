import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { tronAddressOf } from '../../platform/tron-address.ts';

/** Signatures of TRON: 65 bytes r, s, v over a transaction's id (java-tron, ECKey). */

/** The address whose key signed a hash of 32 bytes; undefined when the signature is invalid. */
export function signerOf(hash: Buffer, signature: Buffer): string | undefined {
  if (signature.length !== 65 || hash.length !== 32) return undefined;
  const recovery = signature[64]! >= 27 ? signature[64]! - 27 : signature[64]!;
  if (recovery > 1) return undefined;
  try {
    const key = secp256k1.Signature.fromBytes(signature.subarray(0, 64))
      .addRecoveryBit(recovery)
      .recoverPublicKey(hash);
    return addressOfPublicKey(key.toBytes(false));
  } catch {
    return undefined;
  }
}

/** The address of an uncompressed public key, 65 bytes. */
export function addressOfPublicKey(key: Uint8Array): string {
  const hash = keccak_256(key.subarray(1));
  return tronAddressOf(Buffer.from(hash.subarray(12)).toString('hex'));
}
