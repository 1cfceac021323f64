import { createHmac } from 'node:crypto';
import { setTimeout as passTime } from 'node:timers/promises';
import { demoUser, recall, remember } from './demo.ts';

const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of RFC 6238 with SHA-1, as authenticator apps compute it. */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

const stepNow = () => Math.floor(Date.now() / STEP_MS);

/** The secret in the user's authenticator: the demo's, or one bound since. */
const secretOf = (account: string) =>
  recall<string>('authenticators')[account] ?? demoUser(account).googleSecret;

/**
 * A code that the user has not used. The server accepts one step ahead of its clock, so the second sign-in within a step need not
 * wait; the third must.
 */
export async function unusedCode(account: string, secret = secretOf(account)): Promise<string> {
  const step = Math.max(stepNow(), (recall<number>('code-steps')[account] ?? 0) + 1);
  remember('code-steps', account, step);
  const early = (step - 1) * STEP_MS - Date.now();
  if (early > 0) await passTime(early);
  return codeOf(secret, step);
}

/** Six digits that the user's authenticator shows neither now nor soon. */
export function wrongCode(account: string): string {
  const near = [-2, -1, 0, 1, 2].map((offset) => codeOf(secretOf(account), stepNow() + offset));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
}

/** From now on the user's codes come from `secret`. */
export function keepAuthenticator(account: string, secret: string): void {
  remember('authenticators', account, secret);
}
