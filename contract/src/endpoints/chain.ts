import { z } from 'zod';
import {
  BALANCE_MODES,
  CHAIN_NODE_STATES,
  CHAIN_STATES,
  LISTED_CHAIN_STATES,
  GAP_STATES,
  PATCH_KINDS,
  PATCH_STATES,
} from '../chain.ts';
import { endpoint } from '../endpoint.ts';
import {
  currency,
  filter,
  id,
  idFilter,
  listOf,
  minor,
  paging,
  text,
  time,
  timeFilter,
  utr,
} from '../fields.ts';

const TOP = ['superAdmin'] as const;

const nodeRow = z.object({
  id,
  resourceId: id,
  accountName: z.string(),
  supplierName: z.string().nullable(),
  currency,
  kind: z.enum(['message', 'inferred', 'patch']),
  /** With its sign: a credit is positive. */
  amount: minor,
  balanceBefore: minor,
  balance: minor,
  state: z.enum(CHAIN_NODE_STATES),
  bankTime: time,
  previousId: id.nullable(),
  nextId: id.nullable(),
  orderCode: id.nullable(),
});

export const getSecurityNodeList = endpoint({
  method: 'GET',
  path: '/v1.0/securityNodes/getList',
  summary: 'Messages as nodes of their accounts’ chains',
  access: TOP,
  input: z.object({
    ...paging,
    resourceId: idFilter,
    supplierId: idFilter,
    state: filter(z.enum(LISTED_CHAIN_STATES)),
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(
    nodeRow.extend({
      state: z.enum(LISTED_CHAIN_STATES),
      /** Null: the message states none, as with all 'no-balance' messages. */
      balanceBefore: minor.nullable(),
      balance: minor.nullable(),
      /** The money that no message reported between the message before and this one; null: no open gap. */ gapBefore:
        minor.nullable(),
    }),
  ),
});

export const getChain = endpoint({
  method: 'GET',
  path: '/v1.0/securityNodes/getChain',
  summary: 'The end of one account’s chain, to draw: its last nodes, runs and gaps',
  access: TOP,
  input: z.object({ resourceId: id }),
  output: z.object({
    resourceId: id,
    accountName: z.string(),
    currency,
    balanceMode: z.enum(BALANCE_MODES),
    nodes: z.array(nodeRow.extend({ run: z.int() })),
    runs: z.array(z.object({ run: z.int(), state: z.enum(CHAIN_STATES), nodes: z.int() })),
    gaps: z.array(z.object({ id, tailId: id, headId: id, delta: minor, state: z.enum(GAP_STATES) })),
  }),
});

export const getSecurityPatchList = endpoint({
  method: 'GET',
  path: '/v1.0/securityNodes/getPatchList',
  summary: 'Gaps between chains, and what closes them',
  access: TOP,
  input: z.object({
    ...paging,
    resourceId: idFilter,
    state: filter(z.enum(GAP_STATES)),
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(
    z.object({
      id,
      resourceId: id,
      accountName: z.string(),
      currency,
      /** The nodes before and after the gap. */
      tailId: id,
      headId: id,
      /** The money that no message reported, with its sign. */
      delta: minor,
      fromTime: time,
      toTime: time,
      state: z.enum(GAP_STATES),
      openedTime: time,
      /** The newest patch of the gap. */
      patch: z
        .object({
          id,
          kind: z.enum(PATCH_KINDS),
          state: z.enum(PATCH_STATES),
          orderCodes: z.array(id),
          reason: z.string().nullable(),
          /** Null: the leak checker. */
          author: z.string().nullable(),
          createTime: time,
        })
        .nullable(),
      actions: z.array(z.enum(['patch', 'withdraw', 'drop'])),
    }),
  ),
});

export const getGapOrders = endpoint({
  method: 'GET',
  path: '/v1.0/securityNodes/getGapOrders',
  summary:
    'What may account for an open gap: orders or payouts of its account and time whose money no message told, 61 at most',
  access: TOP,
  input: z.object({ gapId: id }),
  output: z.object({
    list: z.array(
      z.object({
        orderCode: id,
        /** With its sign, like the gap's sum. */
        amount: minor,
        /** The order's money is booked already: naming it moves none, and it needs no UTR. */
        booked: z.boolean(),
        createTime: time,
      }),
    ),
  }),
});

export const patchChain = endpoint({
  method: 'POST',
  path: '/v1.0/securityNodes/patch',
  summary:
    'Close a gap: orders it names that are unpaid are completed by their UTR. More orders than FixSecurityChainSupplementLimit wait for approval (1205)',
  access: TOP,
  sensitive: true,
  stepUp: 'input',
  input: z.object({
    gapId: id,
    kind: z.enum(PATCH_KINDS),
    reason: text(256),
    /** The evidence: a message, a statement line, a file. */
    evidence: text(512).optional(),
    /** Together they make up the gap's sum; with the UTRs of orders that are not paid yet. */
    orders: z
      .array(z.object({ orderCode: id, utr: utr.optional() }))
      .max(100)
      .optional(),
  }),
  output: z.object({ id, state: z.enum(PATCH_STATES) }),
});

export const endPatch = endpoint({
  method: 'POST',
  path: '/v1.0/securityNodes/endPatch',
  summary: 'Withdraw a patch (its gap opens again; orders it completed stay), or drop a proposal',
  access: TOP,
  sensitive: true,
  input: z.object({ id, reason: text(256) }),
  output: z.object({ id, state: z.enum(PATCH_STATES) }),
});
