import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  currency,
  filter,
  id,
  idFilter,
  intFilter,
  listOf,
  minor,
  paging,
  text,
  time,
  timeFilter,
} from '../fields.ts';
import { MOST_COMMISSION_PPM } from '../money.ts';
import { ADMINS } from '../roles.ts';

/** User products: the terms of merchants, suppliers and agents for each product. */

const ownerKind = z.enum(['merchant', 'supplier', 'agent']);
const state = z.enum(['inForce', 'scheduled', 'past']);
const terms = {
  enabled: z.boolean(),
  /** Parts per million of the amount. */
  ratePpm: z.int().min(0).max(1_000_000),
  fixedFee: minor.min(0),
  minAmount: minor.min(1),
  maxAmount: minor.min(1),
};
/** For each business day, counting waiting and paid orders; null = no limit. An agent's commission has no limits. */
const dailyCountLimit = z.int().min(0).max(10_000_000).nullable();
const dailyAmountLimit = minor.min(0).nullable();
/** The weight of a supplier among suppliers: accounts of the higher one are chosen first. */
const weight = z.int().min(0).max(10_000);

export const setUserProduct = endpoint({
  method: 'POST',
  path: '/v1.0/userProduct/set',
  summary:
    'Set terms from a time on (now when left out); orders that exist keep the terms they were made under. An owner’s first terms for a product, a changed rate, and whatever an admin sets wait for approval (1205 with todoId)',
  access: ADMINS,
  sensitive: true,
  stepUp: 'input',
  input: z
    .object({
      ownerKind,
      ownerId: id,
      productId: z.int(),
      ...terms,
      dailyCountLimit: dailyCountLimit.default(null),
      dailyAmountLimit: dailyAmountLimit.default(null),
      weight: weight.default(100),
      effectiveTime: timeFilter,
      reason: text(256).optional(),
    })
    .refine((input) => input.minAmount <= input.maxAmount, { path: ['maxAmount'], error: '≥ minAmount' })
    .refine((input) => input.ownerKind === 'merchant' || input.ratePpm <= MOST_COMMISSION_PPM, {
      path: ['ratePpm'],
      error: `≤ ${MOST_COMMISSION_PPM}`,
    }),
  output: z.object({ id, effectiveTime: time }),
});

export const copyUserProducts = endpoint({
  method: 'POST',
  path: '/v1.0/userProduct/copy',
  summary:
    'Asks to give a merchant the terms that another one has in force, of each product it has none of; another person agrees to all of it in one request (1205 with todoId)',
  access: ADMINS,
  sensitive: true,
  stepUp: 'input',
  input: z.object({ ownerId: id, fromId: id }),
  output: z.object({}),
});

/** The content of such a request: the terms at the time of the request. */
export const copiedTerms = z.object({
  ownerKind: z.literal('merchant'),
  ownerId: id,
  copiedFrom: z.string(),
  terms: z
    .array(z.object({ productId: z.int(), currency, ...terms, dailyCountLimit, dailyAmountLimit, weight }))
    .min(1),
});
export type CopiedTerms = z.infer<typeof copiedTerms>;

export const cancelUserProduct = endpoint({
  method: 'POST',
  path: '/v1.0/userProduct/cancel',
  summary:
    'Take scheduled terms back before their time. Unless the rates in force and all scheduled ones are the same, it waits for approval (1205 with todoId)',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({ id }),
  output: z.object({}),
});

/** The content of such a request: the terms that are taken back, with those in force, and all scheduled ones. */
export const withdrawnTerms = z.object({
  ownerKind,
  ownerId: id,
  productId: z.int(),
  termsId: id,
  withdrawn: z.looseObject({}),
  scheduled: z.unknown(),
});
export type WithdrawnTerms = z.infer<typeof withdrawnTerms>;

export const getUserProductList = endpoint({
  method: 'GET',
  path: '/v1.0/userProduct/getList',
  summary: 'Terms that were set: in force, scheduled and past, newest first',
  access: [...ADMINS, 'technicalMaintenance'],
  input: z.object({
    ...paging,
    ownerKind: filter(ownerKind),
    ownerId: idFilter,
    productId: intFilter,
    state: filter(state),
  }),
  output: listOf(
    z.object({
      id,
      ownerKind,
      ownerId: id,
      ownerName: z.string(),
      productId: z.int(),
      productName: z.string(),
      currency,
      ...terms,
      dailyCountLimit,
      dailyAmountLimit,
      weight,
      state,
      /** Null: in force since before terms were set here. */
      effectiveTime: time.nullable(),
      setBy: z.string().nullable(),
      createTime: time.nullable(),
    }),
  ),
});
