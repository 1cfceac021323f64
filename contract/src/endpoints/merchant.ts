import { z } from 'zod';
import { APPROVAL_RULES } from '../approvals.ts';
import { endpoint } from '../endpoint.ts';
import {
  account,
  addresses,
  filter,
  id,
  idFilter,
  listOf,
  paging,
  text,
  textFilter,
  time,
} from '../fields.ts';
import { MOST_OPEN_CLAIMS } from '../payouts.ts';
import { ADMINS } from '../roles.ts';
import { SIGN_TYPES } from '../sign-types.ts';

/** Making, changing and holding merchants and suppliers. */

const name = text(128);
const signType = z.enum(SIGN_TYPES);
/** Null: the platform's CallbackType. */
const callbackTransport = z.enum(['json', 'form', 'query']).nullable();

/**
 * Either a user without a merchant or supplier (getUnusedUserOptions), or the account of a new user. A second person is asked
 * for its link.
 */
const standsOn = {
  userId: idFilter,
  account: filter(account),
};

/** The other half of the pair, made by AutoCreateRelate…. */
const related = z.object({ id, userId: id, account: z.string() });

export const createMerchant = endpoint({
  method: 'POST',
  path: '/v1.0/merchant/create',
  summary:
    'A new merchant with its user, who issues its secret (rotateSecret); with AutoCreateRelateSupplier also its supplier',
  access: ADMINS,
  sensitive: true,
  input: z.object({
    ...standsOn,
    name,
    signType: signType.default('hmac-sha256-v2'),
    callbackTransport: callbackTransport.default(null),
  }),
  output: z.object({ id, userId: id, supplier: related.nullable() }),
});

export const updateMerchant = endpoint({
  method: 'POST',
  path: '/v1.0/merchant/update',
  summary:
    'Change a merchant; what is left out stays. With a second person (1205) to a weaker sign type, from md5 where no payout addresses are named, and to let md5 cancel',
  access: ADMINS,
  sensitive: true,
  input: z.object({
    id,
    name: filter(name),
    enabled: z.boolean().optional(),
    signType: signType.optional(),
    /** Whether an MD5 signature, which can be replayed, may also cancel orders. */
    cancelByMd5: z.boolean().optional(),
    callbackTransport: callbackTransport.optional(),
  }),
  output: z.object({}),
});

export const rotateSecret = endpoint({
  method: 'POST',
  path: '/v1.0/merchant/rotateSecret',
  summary:
    'A new secret; the old one still signs calls for the overlap. Notifications are signed with the new one at once. Shown to the merchant itself only; staff void the old one with a second person (1205)',
  access: [...ADMINS, 'merchant'],
  duty: 'keys',
  sensitive: true,
  stepUp: 'input',
  input: z.object({ id, overlapMinutes: z.int().min(0).max(43_200).default(1440) }),
  /** 32 upper-case hex digits, shown only once. */
  output: z.object({ secret: z.string(), previousValidUntil: time.nullable() }),
});

const limits = z.object({
  /** Calls of the merchant API per second, over all nodes; null: no limit of its own. */
  callsPerSecond: z.int().min(1).max(100_000).nullable(),
  /** Addresses that may create pay-ins; empty: any. Calls about neither direction may come from both lists. */
  payInIps: addresses,
  payoutIps: addresses,
  /** Addresses from which its users may sign in and work; empty: any. */
  consoleIps: addresses,
});

export const getLimits = endpoint({
  method: 'GET',
  path: '/v1.0/merchant/getLimits',
  summary: 'How often and from where a merchant may call',
  access: [...ADMINS, 'customerService', 'technicalMaintenance', 'merchant'],
  input: z.object({ id }),
  output: limits,
});

/** The steps from a new merchant to its first paid order, in order. */
export const FIRST_ORDER_STEPS = ['kyc', 'products', 'signIn', 'secret', 'order', 'paid'] as const;

export const getFirstOrderSteps = endpoint({
  method: 'GET',
  path: '/v1.0/merchant/getFirstOrderSteps',
  summary: 'What a new merchant has done and still needs until an order of it is paid',
  access: [...ADMINS, 'customerService', 'technicalMaintenance', 'merchant'],
  input: z.object({ id }),
  output: z.object({
    /** Null: one of its orders was paid, or it is no longer new. */
    steps: z.array(z.object({ step: z.enum(FIRST_ORDER_STEPS), done: z.boolean() })).nullable(),
  }),
});

export const updateLimits = endpoint({
  method: 'POST',
  path: '/v1.0/merchant/updateLimits',
  summary:
    'Change how often and from where a merchant may call (429, 1107); what is left out stays. A list that lets in more needs a second person (1205). In force within a second',
  access: ADMINS,
  sensitive: true,
  input: limits.partial().extend({ id }),
  output: limits,
});

export const askForAddresses = endpoint({
  method: 'POST',
  path: '/v1.0/merchant/askForAddresses',
  summary:
    'Of a merchant itself: ask for other addresses that its calls and users may come from (1205); what is left out stays. An admin decides',
  access: APPROVAL_RULES.ownAddresses.start,
  duty: 'keys',
  sensitive: true,
  input: limits
    .omit({ callsPerSecond: true })
    .partial()
    .extend({ reason: text(256) }),
  output: z.object({}),
});

export const createSupplier = endpoint({
  method: 'POST',
  path: '/v1.0/supplier/create',
  summary:
    'A new supplier with its user; with AutoCreateRelateMerchant also its merchant. It has no agent before a second person agrees: `agentTodoId` asks for it',
  access: ADMINS,
  sensitive: true,
  input: z.object({ ...standsOn, name, agentId: idFilter }),
  output: z.object({ id, userId: id, merchant: related.nullable(), agentTodoId: id.nullable() }),
});

export const updateSupplier = endpoint({
  method: 'POST',
  path: '/v1.0/supplier/update',
  summary: 'Change a supplier; what is left out stays. An agent is another supplier, at most five levels up',
  access: ADMINS,
  sensitive: true,
  input: z.object({
    id,
    name: filter(name),
    enabled: z.boolean().optional(),
    agentId: id.nullable().optional(),
    openClaimsMax: z.int().min(1).max(MOST_OPEN_CLAIMS).optional(),
  }),
  output: z.object({}),
});

export const getSupplierProxyList = endpoint({
  method: 'GET',
  path: '/v1.0/admin/getSupplierProxyList',
  summary: 'The team of an agent, all levels: the own one of a supplier, any for staff',
  access: [...ADMINS, 'customerService', 'technicalMaintenance', 'technicalSupport', 'supplier'],
  input: z.object({ ...paging, agentId: idFilter, name: textFilter }),
  output: listOf(
    z.object({
      id,
      name: z.string(),
      account: z.string(),
      enabled: z.boolean(),
      agentId: id,
      agentName: z.string(),
      /** 1: brought by the agent itself. */
      level: z.int(),
      createTime: time,
      accountCount: z.int(),
      enabledAccountCount: z.int(),
      todayOrders: z.int(),
      todayPaid: z.int(),
    }),
  ),
});

const held = z.object({
  subjectKind: z.enum(['merchant', 'supplier', 'account', 'order']),
  /** For an order of either direction: its order code. */
  subjectId: id,
  reason: text(500),
});

export const setFrozen = endpoint({
  method: 'POST',
  path: '/v1.0/hold/setFrozen',
  summary:
    'Freeze or unfreeze a merchant, supplier, account (frozen, it takes part in nothing new) or order (frozen, it is neither completed nor paid out). A payout that a gateway or a bank says was paid is unfrozen with a second person (1205)',
  access: ADMINS,
  sensitive: true,
  input: held.extend({ frozen: z.boolean() }),
  output: z.object({}),
});

export const setLegalHold = endpoint({
  method: 'POST',
  path: '/v1.0/hold/setLegalHold',
  summary: 'A freeze by order of the law: only superAdmin sets or lifts it; lifted, its subject stays frozen',
  access: ['superAdmin'],
  sensitive: true,
  input: held.extend({ legalHold: z.boolean() }),
  output: z.object({}),
});
