import {
  NobleCryptoPlugin,
  ScureBase32Plugin,
  TOTP,
  generateSecret,
  generateSync,
  generateURI,
} from 'otplib';
import { SECOND } from '../platform/clock.ts';

export const STEP = 30 * SECOND;
const ISSUER = 'Sangam';

const totp = new TOTP({ crypto: new NobleCryptoPlugin(), base32: new ScureBase32Plugin() });

export interface NewAuthenticator {
  /** Base32. */
  readonly secret: string;
  readonly otpauthUrl: string;
}

export function newAuthenticator(account: string): NewAuthenticator {
  const secret = generateSecret();
  return { secret, otpauthUrl: generateURI({ issuer: ISSUER, label: account, secret }) };
}

/** The 30-second step the code belongs to; one step early or late is allowed. Undefined when the code is wrong. */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<bigint | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(now.getTime() / SECOND);
  const result = await totp.verify(code, { secret, epoch, epochTolerance: STEP / SECOND });
  return result.valid ? BigInt(result.timeStep) : undefined;
}

/** The code an authenticator shows at `moment`. */
export function codeAt(secret: string, moment: Date): string {
  return generateSync({ secret, epoch: Math.floor(moment.getTime() / SECOND) });
}
