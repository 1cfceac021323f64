import { z } from 'zod';

/** Bytes as base64url, as in WebAuthn's JSON. The longest are the certificates of a new passkey. */
const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/);

/** A credential's id has at most 1,023 bytes (WebAuthn, section 4). */
const credentialId = bytes(1_364);

/** A browser's answer after using a passkey: AuthenticationResponseJSON of WebAuthn level 3. */
export const passkeyAnswer = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(2_000),
    userHandle: bytes(128).optional(),
  }),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
});

/** A browser's answer after making a passkey: RegistrationResponseJSON of WebAuthn level 3. */
export const newPasskey = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(40_000),
    transports: z.array(z.string().max(32)).max(8).default([]),
  }),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
});

/** The data a browser needs: the options of WebAuthn in its JSON, passed on unchanged. */
export const passkeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });
