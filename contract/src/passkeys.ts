import { z } from 'zod';

/** Bytes as base64url, which is how WebAuthn's JSON writes them. The longest are certificates of a new passkey. */
const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/);

/** A credential's id has at most 1,023 bytes (WebAuthn, section 4). */
const credentialId = bytes(1_364);

/** What a browser answers when it has used a passkey: AuthenticationResponseJSON of WebAuthn level 3. */
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

/** What a browser answers when it has made a passkey: RegistrationResponseJSON of WebAuthn level 3. */
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

/** What a browser is asked with: the options of WebAuthn in its JSON, handed on as they are. */
export const passkeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });
