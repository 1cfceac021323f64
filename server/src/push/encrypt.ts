import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  sign,
} from 'node:crypto';

/*
 * What a browser's push service requires: RFC 8291 (only the device can read the text) and RFC 8292 (who sends it). Node's own cryptography
 * does all of it.
 */
const CURVE = 'prime256v1';
const RECORD_BYTES = 4_096;
/** The mark after the text of the last record. */
const END = Buffer.from([2]);
const HOUR_SECONDS = 3_600;

/** The device's public key and secret, as its browser gave them. */
export interface DeviceKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** The encrypted body of a notice. The key pair and the salt are new for each notice; `fixed` is for the RFC's own example. */
export function encrypt(
  text: string,
  { p256dh, auth }: DeviceKeys,
  fixed?: { readonly privateKey: Buffer; readonly salt: Buffer },
): Buffer {
  const pair = createECDH(CURVE);
  if (fixed) pair.setPrivateKey(fixed.privateKey);
  else pair.generateKeys();
  const [device, own] = [Buffer.from(p256dh, 'base64url'), pair.getPublicKey()];
  const salt = fixed?.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), device, own]);
  const secret = derive(pair.computeSecret(device), Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = [cipher.update(text, 'utf8'), cipher.update(END), cipher.final(), cipher.getAuthTag()];
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES, 0);
  head.writeUInt8(own.length, 4);
  return Buffer.concat([salt, head, own, ...sealed]);
}

function derive(key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, length));
}

/** The header that proves the sender to one push service. The signature is valid for half a day. */
export function authorization(
  keys: { readonly publicKey: string; readonly privateKey: JsonWebKey },
  endpoint: string,
  subject: string,
  now: Date,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(now.getTime() / 1_000) + 12 * HOUR_SECONDS;
  const said = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: new URL(endpoint).origin, exp, sub: subject })}`;
  const key = createPrivateKey({ key: keys.privateKey, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${said}.${signature.toString('base64url')}, k=${keys.publicKey}`;
}
