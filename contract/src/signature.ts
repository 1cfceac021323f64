import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { SignType } from './sign-types.ts';

export type { SignType };

type Fields = Readonly<Record<string, string | null | undefined>>;

/**
 * The string that both sides sign: every field except `sign`; null and empty values are dropped (`0` and `false` are values);
 * names in ASCII order; `name=value` joined with `&`. Values are the raw text as received.
 */
export function signingString(fields: Fields): string {
  let text = '';
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name];
    if (name === 'sign' || value === null || value === undefined || value === '') continue;
    text += text === '' ? `${name}=${value}` : `&${name}=${value}`;
  }
  return text;
}

/**
 * Signature of `fields`: upper-case hex MD5 with the secret at the end, or lower-case hex HMAC-SHA256. `line` names the call or
 * notification (`callLine`, `NOTIFICATION`); hmac-sha256-v2 puts it before the fields.
 */
export function sign(fields: Fields, type: 'md5' | 'hmac-sha256', secret: string): string;
export function sign(fields: Fields, type: SignType, secret: string, line: string): string;
export function sign(fields: Fields, type: SignType, secret: string, line = ''): string {
  const text = signingString(fields);
  if (type === 'md5') return hash('md5', `${text}&secretKey=${secret}`, 'hex').toUpperCase();
  const signed = type === 'hmac-sha256' ? text : `${line}\n${text}`;
  return createHmac('sha256', secret).update(signed, 'utf8').digest('hex');
}

/** Compares in constant time; md5 signatures without regard to letter case, because existing clients differ. */
export function signatureMatches(given: string, expected: string, type: SignType): boolean {
  const fold = (text: string) => Buffer.from(type === 'md5' ? text.toUpperCase() : text, 'utf8');
  const a = fold(given);
  const b = fold(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What a 1102 answer shows an integrator: the string that the server signed, with the secret masked. */
export function maskedSigningString(fields: Fields, type: SignType, line: string): string {
  const text = signingString(fields);
  if (type === 'md5') return `${text}&secretKey=***`;
  return type === 'hmac-sha256' ? text : `${line}\n${text}`;
}

/** Signature of a monitor's call: hex HMAC-SHA256 of `timestamp.sequence.body`, where body is the raw bytes. */
export function signMonitorCall(
  secret: string,
  timestamp: string,
  sequence: string,
  body: string | Buffer,
): string {
  return createHmac('sha256', secret).update(`${timestamp}.${sequence}.`).update(body).digest('hex');
}
