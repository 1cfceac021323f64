import { createHash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** First byte of an address of the main network. */
const MAINNET = 0x41;
const BYTES = 25;
const CHECKSUM = 4;

/** Whether the text is a TRON address: base58check of 0x41 and 20 bytes, 34 characters from T on. */
export function isTronAddress(text: string): boolean {
  return bytesOf(text) !== undefined;
}

/** The twenty bytes of an address in hex, as event logs name it. Throws on what is none. */
export function hexOfTronAddress(text: string): string {
  const bytes = bytesOf(text);
  if (!bytes) throw new Error(`${text} is no TRON address`);
  return bytes.subarray(1, BYTES - CHECKSUM).toString('hex');
}

/** The address of twenty bytes in hex. */
export function tronAddressOf(hex: string): string {
  const payload = Buffer.concat([Buffer.of(MAINNET), Buffer.from(hex, 'hex')]);
  let value = BigInt(`0x${Buffer.concat([payload, checksumOf(payload)]).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)]! + text;
  return text;
}

function bytesOf(text: string): Buffer | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return undefined;
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  const hex = value.toString(16).padStart(BYTES * 2, '0');
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== BYTES || bytes[0] !== MAINNET) return undefined;
  const payload = bytes.subarray(0, BYTES - CHECKSUM);
  return checksumOf(payload).equals(bytes.subarray(BYTES - CHECKSUM)) ? bytes : undefined;
}

function checksumOf(payload: Buffer): Buffer {
  return sha256(sha256(payload)).subarray(0, CHECKSUM);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
