import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { account, filter, id, listOf, newPassword, paging, text, textFilter, time } from '../fields.ts';
import { CURRENCIES } from '../money.ts';
import { passkeyAnswer } from '../passkeys.ts';
import { PARTY_ROLES } from '../party-roles.ts';
import { ROLES } from '../roles.ts';

const tokenAnswer = z.object({ token: z.string() });

export const login = endpoint({
  method: 'POST',
  path: '/v1.0/user/login',
  summary:
    'Sign in with account, password and, where enabled, the Google code or a passkey (1007 answers what the browser has to ask it with)',
  access: 'public',
  input: z.object({
    userName: z.string().trim().min(1).max(64),
    password: z.string().min(1).max(128),
    googleCode: z.string().trim().max(8).optional(),
    passkey: passkeyAnswer.optional(),
  }),
  /** With code 1006 the token is valid only for binding an authenticator. */
  output: tokenAnswer,
});

export const login2 = endpoint({
  method: 'POST',
  path: '/v1.0/user/login2',
  summary: 'Second-level password: answers a token (header token2) for 15 minutes of sensitive actions',
  access: 'anyUser',
  input: z.object({ password: z.string().min(1).max(128), logInReason: z.string().max(128).optional() }),
  output: tokenAnswer,
});

export const userInfo = z.object({
  user_id: id,
  account: z.string(),
  name: z.string(),
  access: z.enum(ROLES),
  showLogo: z.boolean(),
  systemFlag: z.string(),
  enableGoogleVerify: z.boolean(),
  confirmBind: z.boolean(),
  merchantId: id.optional(),
  supplierId: id.optional(),
  /** Set for a further user of a merchant or supplier. */
  partyRole: z.enum(PARTY_ROLES).optional(),
  isAgent: z.boolean(),
  /** The installation is a demo: the console shows what to try first. */
  isDemo: z.boolean(),
  unreadCount: z.int(),
  /** The account of the user who sees the console as this user or role, and can change nothing. */
  seenBy: z.string().optional(),
});
export type UserInfo = z.infer<typeof userInfo>;

export const getInfo = endpoint({
  method: 'POST',
  path: '/v1.0/user/getInfo',
  summary: 'The signed-in user',
  access: 'anyUser',
  input: z.object({}),
  output: userInfo,
});

export const logout = endpoint({
  method: 'POST',
  path: '/v1.0/user/logout',
  summary: 'End this session',
  access: 'binding',
  input: z.object({}),
  output: z.object({}),
});

export const sessionRow = z.object({
  /** The id by which forceLogout names the session; it is not the secret token. */
  token: id,
  account: z.string(),
  role: z.enum(ROLES),
  ip: z.string(),
  userAgent: z.string(),
  createTime: time,
  lastSeenTime: time,
  current: z.boolean(),
});

export const getSessions = endpoint({
  method: 'POST',
  path: '/v1.0/user/getSessions',
  summary: 'Open sessions: all for superAdmin, technicalMaintenance; else the own ones',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({ list: z.array(sessionRow) }),
});

export const forceLogout = endpoint({
  method: 'POST',
  path: '/v1.0/user/forceLogout',
  summary: 'End a session: anyone their own, superAdmin any',
  access: ['superAdmin', 'admin', 'customerService', 'technicalSupport', 'supplier', 'merchant'],
  duty: 'own',
  /** The console asks a superAdmin for the reason. The promised body has none (promised-calls.ts). */
  input: z.object({ token: id, reason: filter(text(256)) }),
  output: z.object({}),
});

export const loggedUserRow = sessionRow.extend({
  userId: id,
  nickname: z.string(),
  /** Set where the session shows the console as another: the account, or the role's name. */
  seesAs: z.string().nullable(),
  /** Screens that its windows have open; for each window the front one first. */
  screens: z.array(z.string()),
});

export const getLoggedUsers = endpoint({
  method: 'GET',
  path: '/v1.0/user/getLoggedUsers',
  summary: 'Open sessions of all users, newest first',
  access: ['superAdmin', 'technicalMaintenance'],
  input: z.object({ ...paging, account: textFilter, role: filter(z.enum(ROLES)), ip: textFilter }),
  output: listOf(loggedUserRow),
});

export const endSessions = endpoint({
  method: 'POST',
  path: '/v1.0/user/endSessions',
  summary: "End all sessions of a user, or everybody's; never the caller's own",
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({ userId: id.optional(), reason: text(256) }),
  output: z.object({ ended: z.int() }),
});

export const endOwnSessions = endpoint({
  method: 'POST',
  path: '/v1.0/user/endOwnSessions',
  summary: "End all of the caller's sessions but the one that calls",
  access: ['superAdmin', 'admin', 'customerService', 'technicalSupport', 'supplier', 'merchant'],
  duty: 'own',
  input: z.object({}),
  output: z.object({ ended: z.int() }),
});

/** The most characters of a screen's path. */
const LONGEST_PATH = 128;

export const tellScreens = endpoint({
  method: 'POST',
  path: '/v1.0/user/tellScreens',
  summary: 'What a window of the console has open: told on each change and every minute',
  access: 'anyUser',
  polled: true,
  input: z.object({ windowId: z.uuid(), screens: z.array(z.string().max(LONGEST_PATH)).max(40) }),
  output: z.object({}),
});

/** 256 random bits in base64url. */
const linkToken = z.string().min(1).max(64);

export const getPasswordLink = endpoint({
  method: 'POST',
  path: '/v1.0/user/getPasswordLink',
  summary: 'Whose passwords a link sets; 404 once it was used, was ended or is too old',
  access: 'public',
  input: z.object({ token: linkToken }),
  output: z.object({ account: z.string() }),
});

export const setPasswords = endpoint({
  method: 'POST',
  path: '/v1.0/user/setPasswords',
  summary: 'Set both passwords by a link, once; all sessions of the user end',
  access: 'public',
  input: z.object({ token: linkToken, password: newPassword, payPassword: newPassword }),
  output: z.object({ account: z.string() }),
});

export const seeAs = endpoint({
  method: 'POST',
  path: '/v1.0/user/seeAs',
  summary:
    'A session that sees the console as a role or a user does and changes nothing; merchants and suppliers by account only. technicalSupport does not see as superAdmin',
  access: ['superAdmin', 'technicalSupport'],
  sensitive: true,
  input: z.object({ role: z.enum(ROLES), account: filter(account), reason: text(256) }),
  output: tokenAnswer,
});

export const endSeeAs = endpoint({
  method: 'POST',
  path: '/v1.0/user/endSeeAs',
  summary: 'End the session that sees the console as another',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({}),
});

const bindInput = z.object({
  userAccount: z.string().trim().min(1).max(64),
  needToLogout: z.boolean().optional(),
});
const bindOutput = z.object({
  /** Base32, shown once. */
  secret: z.string(),
  otpauthUrl: z.string(),
  /** data:image/png;base64 */
  qrCode: z.string(),
});
const confirmInput = z.object({
  userAccount: z.string().trim().min(1).max(64),
  /** The specification names only userAccount; a binding without a code as proof would lock people out. */
  googleCode: z.string().trim().min(6).max(8),
});

export const bindUser = endpoint({
  method: 'POST',
  path: '/v1.0/user/bindUser',
  summary: 'During sign-in: a new authenticator secret, shown once',
  access: 'binding',
  input: bindInput,
  output: bindOutput,
});

export const confirmBind = endpoint({
  method: 'POST',
  path: '/v1.0/user/confirmBind',
  summary: 'During sign-in: confirm the authenticator with a code; the session becomes a full one',
  access: 'binding',
  input: confirmInput,
  output: tokenAnswer,
});

export const bindUserForProfile = endpoint({
  method: 'POST',
  path: '/v1.0/user/bindUserForProfile',
  summary: 'From the profile: a new authenticator secret, replacing the old one once confirmed',
  access: 'anyUser',
  sensitive: true,
  input: bindInput,
  output: bindOutput,
});

export const confirmBindForProfile = endpoint({
  method: 'POST',
  path: '/v1.0/user/confirmBindForProfile',
  summary: 'From the profile: confirm the new authenticator',
  access: 'anyUser',
  sensitive: true,
  input: confirmInput,
  output: z.object({}),
});

export const unbind = endpoint({
  method: 'POST',
  path: '/v1.0/user/unbind',
  summary:
    "Remove a user's authenticator: it must be bound anew at the next sign-in. Another user's waits for a second person (1205)",
  access: ['superAdmin', 'admin'],
  sensitive: true,
  input: bindInput.pick({ userAccount: true }),
  output: z.object({}),
});

export const unbindForProfile = endpoint({
  method: 'POST',
  path: '/v1.0/user/unbindForProfile',
  summary: 'Remove the own authenticator',
  access: ['superAdmin', 'admin', 'customerService', 'technicalSupport', 'supplier', 'merchant'],
  duty: 'own',
  sensitive: true,
  input: bindInput.pick({ userAccount: true }),
  output: z.object({}),
});

export const getTotalBalance = endpoint({
  method: 'GET',
  path: '/v1.0/user/getTotalBalance',
  summary: 'Balances: the own ones of a merchant or supplier; sums over owners for staff',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        ownerKind: z.enum(['merchant', 'supplier', 'platform']),
        currency: z.enum(
          Object.keys(CURRENCIES) as [keyof typeof CURRENCIES, ...(keyof typeof CURRENCIES)[]],
        ),
        bucket: z.string(),
        balance: z.int(),
      }),
    ),
  }),
});
