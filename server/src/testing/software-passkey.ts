import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { newPasskey, passkeyAnswer } from '@sangam/contract/passkeys.ts';
import type { z } from 'zod';

const text = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** CBOR of the values that an authenticator writes: whole numbers, bytes, texts and maps (RFC 8949). */
function cbor(value: number | string | Buffer | ReadonlyMap<number | string, unknown>): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each as Parameters<typeof cbor>[0])]),
  ]);
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** What a browser and its authenticator do with a passkey, by WebAuthn level 3, with ES256. */
export function softwarePasskey(origin = 'https://console.example.com') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let count = 0;
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (flags: number) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), counter]);
  };
  const common = { id: text(id), rawId: text(id), type: 'public-key' as const, clientExtensionResults: {} };
  return {
    make(options: unknown): z.input<typeof newPasskey> {
      const { challenge } = options as { readonly challenge: string };
      const key = new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]);
      const length = Buffer.from([0, id.length]);
      const data = [
        authenticatorData(PRESENT | VERIFIED | WITH_KEY),
        Buffer.alloc(16),
        length,
        id,
        cbor(key),
      ];
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Buffer.concat(data)],
      ]);
      return {
        ...common,
        response: {
          clientDataJSON: text(clientData('webauthn.create', challenge)),
          attestationObject: text(cbor(attestation)),
          transports: ['internal'],
        },
      };
    },
    /** Signs. With `isVerified` false it signs without a finger, face or PIN. */
    sign(options: unknown, isVerified = true): z.input<typeof passkeyAnswer> {
      const { challenge } = options as { readonly challenge: string };
      count += 1;
      const client = clientData('webauthn.get', challenge);
      const data = authenticatorData(isVerified ? PRESENT | VERIFIED : PRESENT);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(signature),
      };
      return { ...common, response };
    },
    publicKey,
  };
}

/** The header of a call that is confirmed by a passkey. */
export function passkeyHeader(answer: z.input<typeof passkeyAnswer>): { readonly passkey: string } {
  return { passkey: Buffer.from(JSON.stringify(answer)).toString('base64url') };
}
