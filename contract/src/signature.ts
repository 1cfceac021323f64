import { createHmac, hash, timingSafeEqual } from 'node:crypto';

export type SignType = 'md5' | 'hmac-sha256';

/**
 * The string both sides sign: every field but `sign`, null and empty dropped (`0` and `false` are values),
 * names in ASCII order, `name=value` joined with `&`. Values are the raw text as received.
 */
export function signingString(fields: Readonly<Record<string, string | null | undefined>>): string {
  let text = '';
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name];
    if (name === 'sign' || value === null || value === undefined || value === '') continue;
    text += text === '' ? `${name}=${value}` : `&${name}=${value}`;
  }
  return text;
}

/** Signature of `fields`: upper-case hex MD5 with the secret as tail, or lower-case hex HMAC-SHA256. */
export function sign(
  fields: Readonly<Record<string, string | null | undefined>>,
  type: SignType,
  secret: string,
): string {
  const text = signingString(fields);
  if (type === 'md5') {
    return hash('md5', `${text}&secretKey=${secret}`, 'hex').toUpperCase();
  }
  return createHmac('sha256', secret).update(text, 'utf8').digest('hex');
}

/** Compares in constant time; md5 signatures without regard to case (the family's clients differ). */
export function signatureMatches(given: string, expected: string, type: SignType): boolean {
  const fold = (text: string) => Buffer.from(type === 'md5' ? text.toUpperCase() : text, 'utf8');
  const a = fold(given);
  const b = fold(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What a 1102 answer shows an integrator: the string the server signed, with the secret masked. */
export function maskedSigningString(
  fields: Readonly<Record<string, string | null | undefined>>,
  type: SignType,
): string {
  const text = signingString(fields);
  return type === 'md5' ? `${text}&secretKey=***` : text;
}

/** Signature of a monitor's call: hex HMAC-SHA256 of `timestamp.sequence.body`, body being the raw bytes. */
export function signMonitorCall(
  secret: string,
  timestamp: string,
  sequence: string,
  body: string | Buffer,
): string {
  return createHmac('sha256', secret).update(`${timestamp}.${sequence}.`).update(body).digest('hex');
}
