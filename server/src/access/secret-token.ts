import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A token of 256 random bits. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

export function tokenMatches(token: string, hash: Buffer): boolean {
  return timingSafeEqual(hashToken(token), hash);
}
