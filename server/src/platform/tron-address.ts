import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';

const base58check = createBase58check(sha256);
/** The first byte of an address on the main network. */
const MAINNET = 0x41;
const BYTES = 21;

/** Whether the text is a TRON address: base58check of 0x41 and 20 bytes. That is 34 characters beginning with T. */
export function isTronAddress(text: string): boolean {
  return bytesOf(text) !== undefined;
}

/** The 20 bytes of an address in hex, as event logs name it. Throws when the text is no address. */
export function hexOfTronAddress(text: string): string {
  const bytes = bytesOf(text);
  if (!bytes) throw new Error(`${text} is no TRON address`);
  return Buffer.from(bytes.subarray(1)).toString('hex');
}

/** The address of twenty bytes in hex. */
export function tronAddressOf(hex: string): string {
  return base58check.encode(Buffer.concat([Buffer.of(MAINNET), Buffer.from(hex, 'hex')]));
}

function bytesOf(text: string): Uint8Array | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return undefined;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === BYTES && bytes[0] === MAINNET ? bytes : undefined;
  } catch {
    return undefined;
  }
}
