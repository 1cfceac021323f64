import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, time } from '../fields.ts';

/** Kinds of work that may wait. Each is a list of the console under a filter. */
export const WAITING_KINDS = [
  'approvals',
  'payoutsWaiting',
  'payoutsClaimed',
  'payoutsToConfirm',
  'payoutErrors',
  'payoutsUnproven',
  'callbacksFailed',
  'messagesUnmatched',
  'messagesAmbiguous',
  'messagesUnparsed',
] as const;

export const getHome = endpoint({
  method: 'GET',
  path: '/v1.0/home/getHome',
  summary:
    'What waits for the viewer, and how the receiving accounts it may see fare; counts of the last 31 days, 1,001 at most',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({
    /** Only what the role deals with; 0 = nothing waits. */
    waiting: z.array(z.object({ kind: z.enum(WAITING_KINDS), count: z.int() })),
    /** Null: the viewer sees no accounts. */
    accounts: z
      .object({
        total: z.int(),
        open: z.int(),
        online: z.int(),
        /** Open, and yet no order can come to them; those silent longest first, ten at most. */
        stuck: z.array(
          z.object({
            id,
            name: z.string(),
            supplierName: z.string(),
            why: z.enum(['offline', 'frozen']),
            lastSeenTime: time.nullable(),
          }),
        ),
      })
      .nullable(),
  }),
});
