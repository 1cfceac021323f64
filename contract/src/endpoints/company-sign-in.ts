import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { text, time } from '../fields.ts';
import { passkeyAnswer } from '../passkeys.ts';

/** 256 random bits in base64url. */
const token = z.string().min(1).max(64);
/** The address of the identity service. The page keeps the state and compares it with the state that comes back. */
const way = z.object({ url: z.string(), state: token });
/** The query of the address to which the identity service sent the browser back. */
const query = z.string().min(1).max(8_000);

export const getCompanySignIn = endpoint({
  method: 'GET',
  path: '/v1.0/companySignIn/get',
  summary: "What the company's identity service is called here; null where users sign in with passwords only",
  access: 'public',
  input: z.object({}),
  output: z.object({ name: z.string().nullable() }),
});

export const beginCompanySignIn = endpoint({
  method: 'POST',
  path: '/v1.0/companySignIn/begin',
  summary: "Begin a sign-in by the company's identity service",
  access: 'public',
  input: z.object({}),
  output: way,
});

export const companySignIn = endpoint({
  method: 'POST',
  path: '/v1.0/companySignIn/signIn',
  summary:
    'Sign in with what the identity service sent back, in place of the password; 1009 answers a ticket where the user has a second factor',
  access: 'public',
  input: z.object({ state: token, query }),
  output: z.object({ token: z.string() }),
});

export const confirmCompanySignIn = endpoint({
  method: 'POST',
  path: '/v1.0/companySignIn/confirm',
  summary: 'The second factor of a sign-in by the identity service: Google code or passkey',
  access: 'public',
  input: z.object({
    ticket: token,
    googleCode: text(8).optional(),
    passkey: passkeyAnswer.optional(),
  }),
  output: z.object({ token: z.string() }),
});

export const getOwnIdentity = endpoint({
  method: 'GET',
  path: '/v1.0/companySignIn/getOwn',
  summary:
    "Since when the caller is linked to an identity of the company's; name null: there is no identity service",
  access: 'anyUser',
  input: z.object({}),
  output: z.object({ name: z.string().nullable(), linkedTime: time.nullable() }),
});

export const beginLink = endpoint({
  method: 'POST',
  path: '/v1.0/companySignIn/beginLink',
  summary: "Begin to link the caller with its identity at the company's identity service",
  access: 'anyUser',
  sensitive: true,
  stepUp: 'input',
  input: z.object({}),
  output: way,
});

export const linkIdentity = endpoint({
  method: 'POST',
  path: '/v1.0/companySignIn/link',
  summary: 'Link the caller with the identity that the identity service sent back',
  access: 'anyUser',
  input: z.object({ state: token, query }),
  output: z.object({}),
});

export const unlinkIdentity = endpoint({
  method: 'POST',
  path: '/v1.0/companySignIn/unlink',
  summary: 'The caller signs in with its password only from now on',
  access: 'anyUser',
  sensitive: true,
  input: z.object({}),
  output: z.object({}),
});
