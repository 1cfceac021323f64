import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, text } from '../fields.ts';

export const FOUND_KINDS = [
  'collectionOrder',
  'payoutOrder',
  'archivedOrder',
  'receivingAccount',
  'merchant',
  'supplier',
] as const;

export const search = endpoint({
  method: 'GET',
  path: '/v1.0/search',
  summary:
    'What a pasted text names: order codes, UTRs, merchant order numbers, accounts, merchants, suppliers',
  access: 'anyUser',
  input: z.object({ text: text(128) }),
  output: z.object({
    list: z.array(
      z.object({
        kind: z.enum(FOUND_KINDS),
        id,
        /** Its name, masked as in the list of its kind. */
        name: z.string(),
        detail: z.string(),
      }),
    ),
  }),
});
