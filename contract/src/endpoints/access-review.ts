import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, listOf, paging, text, textFilter, time } from '../fields.ts';
import { ROLES } from '../roles.ts';

/** Access reviews: every 90 days somebody keeps or removes each user, and a second person signs. */

export const REVIEW_VERDICTS = ['keep', 'remove'] as const;
const verdict = z.enum(REVIEW_VERDICTS);
const READERS = ['superAdmin', 'technicalMaintenance'] as const;

export const getAccessReview = endpoint({
  method: 'GET',
  path: '/v1.0/accessReview/getList',
  summary: 'Users of the review that is open, or of the last one, newest first',
  access: READERS,
  input: z.object({
    ...paging,
    account: textFilter,
    role: filter(z.enum(ROLES)),
    verdict: filter(z.enum([...REVIEW_VERDICTS, 'none'])),
    /** Not used within this many days, or never used. */
    unusedDays: filter(z.coerce.number().int().min(1).max(3650)),
  }),
  output: listOf(
    z.object({
      id,
      account: z.string(),
      nickname: z.string(),
      role: z.enum(ROLES),
      createTime: time,
      /** When the user last signed in or was seen, at the start of the review; null: never. */
      lastUseTime: time.nullable(),
      verdict: verdict.nullable(),
      decidedBy: z.string().nullable(),
      decideTime: time.nullable(),
    }),
  ),
});

export const getReviewState = endpoint({
  method: 'GET',
  path: '/v1.0/accessReview/getState',
  summary: 'The review that is open, how far it is, and when the next one begins by itself',
  access: READERS,
  input: z.object({}),
  output: z.object({
    open: z
      .object({
        id,
        openTime: time,
        users: z.int(),
        decided: z.int(),
        /** The waiting request for the second person's signature. */
        todoId: id.nullable(),
      })
      .nullable(),
    lastCloseTime: time.nullable(),
    lastClosedBy: z.string().nullable(),
    nextTime: time,
  }),
});

export const beginAccessReview = endpoint({
  method: 'POST',
  path: '/v1.0/accessReview/begin',
  summary: 'Begin a review now; one is open at a time',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({}),
  output: z.object({ id }),
});

export const decideAccess = endpoint({
  method: 'POST',
  path: '/v1.0/accessReview/decide',
  summary: 'Say of a user of the open review whether it is kept or removed; nobody says it of themselves',
  access: ['superAdmin'],
  input: z.object({ userId: id, verdict }),
  output: z.object({}),
});

export const signAccessReview = endpoint({
  method: 'POST',
  path: '/v1.0/accessReview/sign',
  summary:
    'Ask for the signature of a second person, once every user is decided: what is approved is done, and the review is closed',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({ reason: text(256) }),
  output: z.object({}),
});
