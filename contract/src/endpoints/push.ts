import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { LOCALES } from '../locale.ts';

const address = z.url().max(1024);
const base64url = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+={0,2}$/)
    .max(most);

export const getPushKey = endpoint({
  method: 'GET',
  path: '/v1.0/push/getKey',
  summary: 'The public key a browser subscribes to notices with (VAPID)',
  access: ['supplier'],
  input: z.object({}),
  output: z.object({ publicKey: z.string() }),
});

export const savePushSubscription = endpoint({
  method: 'POST',
  path: '/v1.0/push/subscribe',
  summary: 'This device is told of new payouts to claim; the same device again replaces what it said before',
  access: ['supplier'],
  duty: 'own',
  input: z.object({
    endpoint: address,
    p256dh: base64url(128),
    auth: base64url(64),
    language: z.enum(LOCALES),
  }),
  output: z.object({}),
});

export const removePushSubscription = endpoint({
  method: 'POST',
  path: '/v1.0/push/unsubscribe',
  summary: 'This device is told no more',
  access: ['supplier'],
  duty: 'own',
  input: z.object({ endpoint: address }),
  output: z.object({}),
});
