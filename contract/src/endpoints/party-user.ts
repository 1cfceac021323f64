import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { account, id, text, time } from '../fields.ts';
import { PARTY_ROLES } from '../party-roles.ts';
import type { Role } from '../roles.ts';

/** Further users of a merchant or supplier. Owners invite them; whatever opens an account to somebody waits for an admin (1205). */

const PARTIES: readonly Role[] = ['merchant', 'supplier'];
const partyRole = z.enum(PARTY_ROLES);

export const getPartyUsers = endpoint({
  method: 'GET',
  path: '/v1.0/partyUser/getList',
  summary: 'Users of the own merchant or supplier, the one it was made with first',
  access: PARTIES,
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        id,
        account: z.string(),
        nickname: z.string(),
        partyRole,
        /** The user that the party was made with; it stays an owner. */
        isFirst: z.boolean(),
        /** The user has set its passwords. */
        hasPassword: z.boolean(),
        /** A request about the user waits for an admin. */
        waits: z.boolean(),
        createTime: time,
        lastSignInTime: time.nullable(),
      }),
    ),
  }),
});
export type PartyUser = z.infer<typeof getPartyUsers.output>['list'][number];

export const invitePartyUser = endpoint({
  method: 'POST',
  path: '/v1.0/partyUser/invite',
  summary:
    'A further user. An admin decides, and hands over the link by which it sets its passwords (1205). For a day after that it only reads',
  access: PARTIES,
  duty: 'party',
  sensitive: true,
  input: z.object({ account, nickname: text(128), partyRole }),
  output: z.object({}),
});

export const setPartyRole = endpoint({
  method: 'POST',
  path: '/v1.0/partyUser/setRole',
  summary: 'Another role for a further user: read-only at once, every other waits for an admin (1205)',
  access: PARTIES,
  duty: 'party',
  sensitive: true,
  input: z.object({ userId: id, partyRole }),
  output: z.object({}),
});

export const resetPartyUser = endpoint({
  method: 'POST',
  path: '/v1.0/partyUser/reset',
  summary:
    'A new link for the passwords of a further user, or its authenticator and passkeys taken away; an admin decides (1205)',
  access: PARTIES,
  duty: 'party',
  sensitive: true,
  input: z.object({ userId: id, what: z.enum(['passwords', 'unbound']) }),
  output: z.object({}),
});

export const removePartyUser = endpoint({
  method: 'POST',
  path: '/v1.0/partyUser/remove',
  summary: 'End a further user: it is signed out and signs in no more',
  access: PARTIES,
  duty: 'party',
  sensitive: true,
  input: z.object({ userId: id }),
  output: z.object({}),
});
