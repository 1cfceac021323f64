import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PAY_MARK_BYTES = 12;
const HOOK_MARK_DIGITS = 32;

/** The columns that hold sealed values (reseal.ts). A request seals its value only until it is decided. */
export const SEALED_COLUMNS = [
  'users.google_secret',
  'users.pending_google_secret',
  'merchants.secret',
  'merchants.previous_secret',
  'monitors.secret',
  'accounts.credentials',
  'settings.value',
  'master_key_proof.sealed',
  'master_key_proof.marks',
  'approvals.sealed',
  'push_keys.sealed',
] as const;

/** Where a sealed value is stored: its column and the row's id. It cannot be opened for another place. */
export type Place = readonly [column: (typeof SEALED_COLUMNS)[number], row: bigint | string];

/** Encrypts stored secrets with the master key, and makes payment page tokens and hook marks. */
export interface Vault {
  seal(plain: string, place: Place): Buffer;
  /** Throws for a value of another place, or of a key that is neither the master key nor the other key. */
  open(sealed: Buffer, place: Place): string;
  /** Whether the master key sealed a value (and not the other key). */
  isCurrent(sealed: Buffer): boolean;
  /** The root of tokens and marks, in hex. It outlives the master key, so that existing paths, signatures and hashes stay valid. */
  readonly marksRoot: string;
  /** The unguessable token of an order's payment page: the order id and its MAC. So no token is stored. */
  payToken(orderId: bigint): string;
  orderOfPayToken(token: string): bigint | undefined;
  /** A mark in a path that we gave to somebody. It proves that a call comes from that party, for one purpose. Hex, so it spells no word. */
  hookMark(purpose: string): string;
  isHookMark(purpose: string, mark: string): boolean;
}

/**
 * `other`: a second key that only opens and never seals, while the master key is being replaced. `marksRoot`: the root that the
 * installation already has.
 */
export function createVault(
  masterKey: Buffer,
  { other, marksRoot }: { readonly other?: Buffer | undefined; readonly marksRoot?: string | undefined } = {},
): Vault {
  // Key objects, not bytes: with bytes, each cipher or MAC prepares the key again (measured: 20 µs against 4, 15 against 2).
  const bytesOf = (from: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', from, '', purpose, 32));
  const keyOf = (from: Buffer, purpose: string) => createSecretKey(bytesOf(from, purpose));
  const sealing = [masterKey, ...(other ? [other] : [])].map((key) => ({
    id: bytesOf(key, 'key id').subarray(0, KEY_ID_BYTES),
    key: keyOf(key, 'seal'),
  }));
  const [current] = sealing;
  const root = marksRoot === undefined ? bytesOf(masterKey, 'marks') : Buffer.from(marksRoot, 'hex');
  const payKey = keyOf(root, 'pay token');
  const hookKey = keyOf(root, 'hook mark');
  const keyIdOf = (sealed: Buffer) => sealed.subarray(1, 1 + KEY_ID_BYTES);
  const head = Buffer.concat([Buffer.from([VERSION]), current!.id]);
  const boundTo = ([column, row]: Place) => Buffer.from(`${column}:${row}`);
  const payMark = (id: Buffer) =>
    createHmac('sha256', payKey).update(id).digest().subarray(0, PAY_MARK_BYTES);

  const hookMark = (purpose: string) =>
    createHmac('sha256', hookKey).update(purpose).digest('hex').slice(0, HOOK_MARK_DIGITS);

  return {
    hookMark,
    isHookMark(purpose, mark) {
      const [given, expected] = [Buffer.from(mark), Buffer.from(hookMark(purpose))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    marksRoot: root.toString('hex'),
    seal(plain, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current!.key, nonce).setAAD(boundTo(place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, place) {
      const found = sealing.find(({ id }) => id.equals(keyIdOf(sealed)));
      if (!found || sealed[0] !== VERSION) throw new Error(`sealed by an unknown key: ${place[0]}`);
      const rest = sealed.subarray(head.length);
      const decipher = createDecipheriv('aes-256-gcm', found.key, rest.subarray(0, NONCE_BYTES));
      decipher.setAAD(boundTo(place)).setAuthTag(rest.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return (
        decipher.update(rest.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    isCurrent: (sealed) => current!.id.equals(keyIdOf(sealed)),
    payToken(orderId) {
      const id = Buffer.alloc(8);
      id.writeBigUInt64BE(orderId);
      return Buffer.concat([id, payMark(id)]).toString('base64url');
    },
    orderOfPayToken(token) {
      const bytes = Buffer.from(token, 'base64url');
      // Accepts one spelling only, because base64 ignores the spare bits of its last letter.
      if (bytes.length !== 8 + PAY_MARK_BYTES || bytes.toString('base64url') !== token) return undefined;
      const id = bytes.subarray(0, 8);
      return timingSafeEqual(bytes.subarray(8), payMark(id)) ? id.readBigUInt64BE() : undefined;
    },
  };
}
