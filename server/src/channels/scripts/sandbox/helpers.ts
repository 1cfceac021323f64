import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSign,
  createVerify,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const HASHES = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);
const ENCODINGS = new Set(['hex', 'base64', 'base64url']);
const CIPHERS = new Set([
  'aes-128-cbc',
  'aes-192-cbc',
  'aes-256-cbc',
  'aes-128-ecb',
  'aes-192-ecb',
  'aes-256-ecb',
]);

function hashOf(name: string): string {
  if (!HASHES.has(name)) throw new Error(`no hash is called ${name.slice(0, 20)}`);
  return name;
}

function encodingOf(name: string): 'hex' | 'base64' | 'base64url' {
  if (!ENCODINGS.has(name)) throw new Error(`no encoding is called ${name.slice(0, 20)}`);
  return name as 'hex';
}

function cipherOf(name: string): string {
  if (!CIPHERS.has(name)) throw new Error(`no cipher is called ${name.slice(0, 20)}`);
  return name;
}

/** An empty iv means no iv, as in ECB. */
function ivOf(iv: string): Buffer | null {
  return iv === '' ? null : Buffer.from(iv, 'utf8');
}

/**
 * The functions by which a script signs and checks: pure functions of text, in UTF-8. They take and give only strings, so a
 * script reaches no object of the host. Each throws on input that it cannot use.
 */
export const HELPERS: Readonly<Record<string, (...args: string[]) => string>> = {
  hash: (name = '', text = '', encoding = 'hex') =>
    createHash(hashOf(name)).update(text, 'utf8').digest(encodingOf(encoding)),
  hmac: (name = '', key = '', text = '', encoding = 'hex') =>
    createHmac(hashOf(name), key).update(text, 'utf8').digest(encodingOf(encoding)),
  encode: (encoding = '', text = '') => Buffer.from(text, 'utf8').toString(encodingOf(encoding)),
  decode: (encoding = '', text = '') => Buffer.from(text, encodingOf(encoding)).toString('utf8'),
  rsaSign: (name = '', privateKey = '', text = '') =>
    createSign(hashOf(name)).update(text, 'utf8').sign(privateKey, 'base64'),
  rsaVerify: (name = '', publicKey = '', text = '', signature = '') =>
    createVerify(hashOf(name)).update(text, 'utf8').verify(publicKey, signature, 'base64') ? '1' : '',
  encrypt: (name = '', key = '', iv = '', text = '') => {
    const cipher = createCipheriv(cipherOf(name), Buffer.from(key, 'utf8'), ivOf(iv));
    return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
  },
  decrypt: (name = '', key = '', iv = '', text = '') => {
    const decipher = createDecipheriv(cipherOf(name), Buffer.from(key, 'utf8'), ivOf(iv));
    return Buffer.concat([decipher.update(text, 'base64'), decipher.final()]).toString('utf8');
  },
  same: (a = '', b = '') => {
    const [left, right] = [Buffer.from(a), Buffer.from(b)];
    return left.length === right.length && timingSafeEqual(left, right) ? '1' : '';
  },
  random: (bytes = '') => {
    const count = Number(bytes);
    if (!Number.isInteger(count) || count < 1 || count > 64) throw new Error('1 to 64 bytes');
    return randomBytes(count).toString('hex');
  },
};
