import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  account,
  booleanFilter,
  filter,
  id,
  listOf,
  newPassword,
  paging,
  text,
  textFilter,
  time,
} from '../fields.ts';
import { PARTY_ROLES } from '../party-roles.ts';
import { ADMINS, ROLES, STAFF } from '../roles.ts';

/** Users: how admins manage them (only superAdmin changes admins and superAdmins), and what each user may change of itself. */

const role = z.enum(ROLES);
const nickname = text(128);

export const addUser = endpoint({
  method: 'POST',
  path: '/v1.0/admin/addUser',
  summary:
    'A new user without passwords. `todoId` asks a second person for the link by which the user sets its own; an authenticator is bound at its first sign-in. A field `password` is not read',
  access: ADMINS,
  sensitive: true,
  input: z.object({ nickname, account, access: role }),
  output: z.object({ id, todoId: id }),
});

export const getUserList = endpoint({
  method: 'GET',
  path: '/v1.0/admin/getUserList',
  summary: 'Users, newest first',
  access: [...ADMINS, 'technicalMaintenance'],
  input: z.object({ ...paging, account: textFilter, role: filter(role), includeDeleted: booleanFilter }),
  output: listOf(
    z.object({
      id,
      account: z.string(),
      nickname: z.string(),
      role,
      enableGoogleVerify: z.boolean(),
      confirmBind: z.boolean(),
      hasPayPassword: z.boolean(),
      allowModify: z.boolean(),
      merchantId: id.nullable(),
      supplierId: id.nullable(),
      /** Set for a further user of a merchant or supplier. */
      partyRole: z.enum(PARTY_ROLES).nullable(),
      createTime: time,
      deletedTime: time.nullable(),
      /** Whether the viewer may change this user. */
      mayChange: z.boolean(),
    }),
  ),
});

export const updateUser = endpoint({
  method: 'POST',
  path: '/v1.0/admin/updateUser',
  summary:
    'Change a user; a new role waits for a second person (1205) and ends its sessions. A field `password` is not read',
  access: ADMINS,
  sensitive: true,
  input: z.object({ id, nickname, account, role }),
  output: z.object({}),
});

export const deleteUser = endpoint({
  method: 'GET',
  path: '/v1.0/admin/deleteUser',
  summary: 'Delete a user (softly): its sessions end, its merchant or supplier is switched off',
  access: ADMINS,
  sensitive: true,
  writes: true,
  input: z.object({ id }),
  output: z.object({}),
});

export const repairUser = endpoint({
  method: 'POST',
  path: '/v1.0/admin/repairUser',
  summary:
    'Give a user another account name, lift its lock-outs and end its sessions. A deleted user comes back without passwords: its link is asked for by resetPayPassword',
  access: ADMINS,
  sensitive: true,
  input: z.object({ userId: id, newAccountName: account }),
  output: z.object({}),
});

export const resetPayPassword = endpoint({
  method: 'GET',
  path: '/v1.0/admin/resetPayPassword',
  summary: 'Ask a second person for a link by which the user sets both its passwords anew (1205)',
  access: ADMINS,
  sensitive: true,
  writes: true,
  input: z.object({ id }),
  output: z.object({}),
});

export const makePasswordLink = endpoint({
  method: 'POST',
  path: '/v1.0/admin/makePasswordLink',
  summary:
    'The link a user sets its passwords by, for who approved the request, shown this once; it ends the one before and is good for 24 hours, once',
  access: ADMINS,
  sensitive: true,
  input: z.object({ todoId: id }),
  output: z.object({ account: z.string(), token: z.string(), expireTime: time }),
});

export const enableGoogleVerify = endpoint({
  method: 'POST',
  path: '/v1.0/user/enableGoogleVerify',
  summary:
    "Whether a user's sign-in asks for the Google code; unbound ones bind at their next sign-in. No longer asking for it waits for a second person (1205)",
  access: ADMINS,
  sensitive: true,
  input: z.object({ userId: id, enableGoogleVerify: z.boolean() }),
  output: z.object({}),
});

export const setAllowModify = endpoint({
  method: 'POST',
  path: '/v1.0/user/setAllowModify',
  summary: 'Whether a user may change its own passwords and authenticator',
  access: ADMINS,
  sensitive: true,
  input: z.object({ userId: id, allowModify: z.boolean() }),
  output: z.object({}),
});

const userOption = z.object({ id, account: z.string(), name: z.string(), role, deleted: z.boolean() });

export const getUserOptions = endpoint({
  method: 'GET',
  path: '/v1.0/user/getUserOptions',
  summary: 'Users to choose from',
  access: STAFF,
  input: z.object({ role: filter(role), includeDeleted: booleanFilter }),
  output: z.object({ list: z.array(userOption) }),
});

export const getSupplierUserOptions = endpoint({
  method: 'GET',
  path: '/v1.0/user/getSupplierUserOptions',
  summary:
    'Suppliers to choose from: all for staff; for a supplier itself and its team, with all levels if asked',
  access: [...STAFF, 'supplier'],
  input: z.object({ isGetAllAgentSupplier: booleanFilter }),
  output: z.object({
    list: z.array(
      z.object({
        id,
        userId: id,
        account: z.string(),
        name: z.string(),
        agentId: id.nullable(),
        isAgent: z.boolean(),
      }),
    ),
  }),
});

export const getUnusedUserOptions = endpoint({
  method: 'GET',
  path: '/v1.0/user/getUnusedUserOptions',
  summary: 'Users of the role merchant or supplier that are no merchant or supplier yet',
  access: ADMINS,
  input: z.object({ role: filter(z.enum(['merchant', 'supplier'])) }),
  output: z.object({ list: z.array(userOption) }),
});

/** Every role except technicalMaintenance, which changes nothing. */
const PROFILE_ROLES = ROLES.filter((each) => each !== 'technicalMaintenance');
const passwords = z.object({ oldPassword: z.string().min(1).max(128), newPassword });

export const changeOwnPassword = endpoint({
  method: 'POST',
  path: '/v1.0/user/changeOwnPassword',
  summary: 'From the profile: a new password; the other sessions end',
  access: PROFILE_ROLES,
  duty: 'own',
  sensitive: true,
  input: passwords,
  output: z.object({}),
});

export const changeOwnPayPassword = endpoint({
  method: 'POST',
  path: '/v1.0/user/changeOwnPayPassword',
  summary: 'From the profile: a new second-level password for the old one',
  access: PROFILE_ROLES,
  duty: 'own',
  sensitive: true,
  input: passwords,
  output: z.object({}),
});
