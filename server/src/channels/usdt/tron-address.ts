import { createHash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** First byte of an address of the main network. */
const MAINNET = 0x41;
const BYTES = 25;
const CHECKSUM = 4;

/** Whether the text is a TRON address: base58check of 0x41 and 20 bytes, 34 characters from T on. */
export function isTronAddress(text: string): boolean {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return false;
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  const hex = value.toString(16).padStart(BYTES * 2, '0');
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== BYTES || bytes[0] !== MAINNET) return false;
  const payload = bytes.subarray(0, BYTES - CHECKSUM);
  return sha256(sha256(payload))
    .subarray(0, CHECKSUM)
    .equals(bytes.subarray(BYTES - CHECKSUM));
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
