import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, text, time } from '../fields.ts';
import { newPasskey, passkeyOptions } from '../passkeys.ts';

export const getPasskeys = endpoint({
  method: 'GET',
  path: '/v1.0/passkey/getList',
  summary: "The caller's own passkeys",
  access: 'anyUser',
  input: z.object({}),
  output: z.object({
    /** The host that passkeys belong to; null where this installation has none, so no passkey can be made. */
    host: z.string().nullable(),
    list: z.array(
      z.object({
        id,
        name: z.string(),
        /** Stored in an account at the device's maker, for all devices of that account. */
        isSynced: z.boolean(),
        createTime: time,
        lastUsedTime: time.nullable(),
      }),
    ),
  }),
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/v1.0/passkey/begin',
  summary:
    'What a browser needs to make a passkey of the caller’s own; good for five minutes and this session',
  access: 'anyUser',
  sensitive: true,
  stepUp: 'input',
  input: z.object({}),
  output: passkeyOptions,
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/v1.0/passkey/add',
  summary: 'Keep the passkey that the browser made; from then on sign-in and money actions ask for it',
  access: 'anyUser',
  input: z.object({ name: text(64), passkey: newPasskey }),
  output: z.object({ id }),
});

export const removePasskey = endpoint({
  method: 'POST',
  path: '/v1.0/passkey/remove',
  summary: 'Remove a passkey of the caller’s own',
  access: 'anyUser',
  sensitive: true,
  stepUp: 'input',
  input: z.object({ id }),
  output: z.object({}),
});

export const beginStepUp = endpoint({
  method: 'POST',
  path: '/v1.0/passkey/beginStepUp',
  summary:
    'What a passkey has to sign so that one call with this very input is let through (1026); good for five minutes, once. The answer of the browser goes into the header passkey of the call, as base64url of its JSON',
  access: 'anyUser',
  input: z.object({ call: z.string().max(128), input: z.record(z.string(), z.unknown()) }),
  output: passkeyOptions,
});
