import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  booleanFilter,
  currency,
  filter,
  id,
  idFilter,
  listOf,
  minor,
  pictureFile,
  rowVersion,
  signerCode,
  text,
  time,
  utr,
} from '../fields.ts';
import { PAYOUT_ACTIONS, PAYOUT_STATUS } from '../payouts.ts';
import { SEES_WHOLE } from '../personal-data.ts';
import {
  callbackRow,
  DESK,
  entryRow,
  eventRow,
  messageRow,
  READERS,
  sharedFilters,
  sharedRow,
  valuesOf,
} from './story.ts';

const ADMIN_SIDE = ['superAdmin', 'admin'] as const;
const status = valuesOf(PAYOUT_STATUS);

export const payoutOrderRow = z.object({
  ...sharedRow,
  orderStatusId: status,
  /** Somebody says that it is paid, but no debit message of the bank confirms that yet; not shown to merchants. */
  unproven: z.boolean().optional(),
  /** An automatic process holds the order. */
  locked: z.boolean(),
  /** Whether the order is claimed, as this viewer sees it. */
  claim: z.enum(['none', 'mine', 'other']),
  amount: minor,
  /** For staff and the merchant. */
  rejectReason: z.string().nullable(),
  /** The payee (with userName): whole for the desk and for the supplier that has to pay it, masked for everybody else. */
  cardNumber: z.string().nullable(),
  ifscCode: z.string().nullable(),
  bankName: z.string().nullable(),
  vpa: z.string().nullable(),
  usdtAddress: z.string().nullable(),
  phone: z.string().nullable(),
  claimTime: time.nullable(),
  /** A claim that is not confirmed by then runs out, and the payout goes to 'to be confirmed'. */
  claimExpireTime: time.nullable(),
  finishTime: time.nullable(),
  fee: minor.optional(),
  gatewayReference: z.string().nullable().optional(),
  /** For suppliers, until it is posted: what this supplier earns by paying it, by the terms at the order's creation. */
  expectedCommission: minor.optional(),
  /** For suppliers: one of its users asked to hand it back, and no second person has decided yet. */
  handBackWaits: z.literal(true).optional(),
  /** What this viewer may do with the order now, by the action table. */
  actions: z.array(z.enum(PAYOUT_ACTIONS)),
});
export type PayoutOrderRow = z.infer<typeof payoutOrderRow>;

export const payoutOrderFilters = z.object({
  ...sharedFilters,
  unproven: booleanFilter,
  /** 0 free, 1 held by an automatic process. */
  processState: filter(z.coerce.number().pipe(z.literal([0, 1]))),
  /** The id of a batch of ours, or the batchId that a merchant's createBatch answered. */
  batchId: idFilter,
});
export type PayoutOrderFilters = z.infer<typeof payoutOrderFilters>;

export const getPayoutList = endpoint({
  method: 'GET',
  path: '/v1.0/payoutOrder/getList',
  summary: 'Payout orders the viewer may see, newest first; without a start time the last 31 days',
  access: READERS,
  input: payoutOrderFilters,
  output: listOf(payoutOrderRow),
});

/** Counts and sums per status under the same filters (without the status filter): the status cards. */
export const getPayoutStatusSummary = endpoint({
  method: 'GET',
  path: '/v1.0/payoutOrder/getStatusSummary',
  summary: 'Count and amount per status under the same filters',
  access: READERS,
  input: payoutOrderFilters,
  output: z.object({
    list: z.array(z.object({ orderStatusId: status, currency, count: z.int(), amount: minor })),
  }),
});

/** Bank and last four digits. */
const payingAccount = z.object({ accountId: id, name: z.string() });

export const getPayoutDetail = endpoint({
  method: 'GET',
  path: '/v1.0/payoutOrder/getDetail',
  summary: 'One payout order with timeline, debit messages, callbacks and ledger entries',
  access: READERS,
  input: z.object({ orderCode: id }),
  output: z.object({
    order: payoutOrderRow.extend({
      notifyUrl: z.string().nullable(),
      param1: z.string().nullable(),
      param2: z.string().nullable(),
      /** The account it is paid from, where that is known; for staff and for its owner. */
      payingAccount: payingAccount.nullable(),
      /** The number of slips, for roles that may see them; see getSlips. */
      slips: z.int(),
    }),
    events: z.array(eventRow),
    messages: z.array(messageRow),
    callbacks: z.array(callbackRow),
    entries: z.array(entryRow),
  }),
});

export const payoutDone = z.object({ orderCode: z.string(), orderStatusId: status });

export const claimOrder = endpoint({
  method: 'POST',
  path: '/v1.0/payoutOrderClaim/claimOrder',
  summary: 'Claim a waiting payout of an enabled product; of several at once one wins',
  access: ['supplier'],
  duty: 'money',
  // Sensitive, because the answer shows the payee.
  sensitive: true,
  inQuery: true,
  input: z.object({ orderId: id, version: rowVersion }),
  output: payoutDone,
});

export const cancelClaim = endpoint({
  method: 'POST',
  path: '/v1.0/payoutOrderClaim/cancelClaim',
  summary: 'Give a claimed payout back unpaid: the own claim, or any for the admin side',
  access: [...ADMIN_SIDE, 'supplier'],
  duty: 'money',
  // Sensitive, because the next supplier that claims it will pay it again.
  sensitive: true,
  inQuery: true,
  input: z.object({ orderId: id, version: rowVersion }),
  output: payoutDone,
});

export const getPaying = endpoint({
  method: 'GET',
  path: '/v1.0/payoutOrderClaim/getPaying',
  summary: 'How a claimed payout is paid: from which of its accounts its supplier may, and its slips so far',
  access: ['supplier'],
  input: z.object({ orderCode: id }),
  output: z.object({
    accounts: z.array(payingAccount),
    /** The account that is paying it already, else the account that this supplier paid from last. */
    accountId: id.nullable(),
    /** The number of slips that this supplier has added. */
    slips: z.int(),
  }),
});

export const confirmPaid = endpoint({
  method: 'POST',
  path: '/v1.0/payoutOrder/confirmPaid',
  summary: 'The payee was paid, by this UTR',
  access: [...DESK, 'supplier'],
  duty: 'money',
  sensitive: true,
  stepUp: 'order',
  input: z.object({
    orderCode: id,
    version: rowVersion,
    utr,
    /** For suppliers: which of its open payout accounts it paid from (getPaying). Then only a debit of that account proves the payout. */
    accountId: idFilter,
  }),
  output: payoutDone,
});

/** How many slips a supplier may add to a payout. */
export const MOST_SLIPS = 3;

export const addSlip = endpoint({
  method: 'POST',
  path: '/v1.0/payoutOrderClaim/addSlip',
  summary:
    "Add a picture of the bank's receipt to a payout the supplier claimed: the desk sees it, it proves nothing. The same picture again changes nothing",
  access: ['supplier'],
  duty: 'money',
  input: z.object({
    orderCode: id,
    /** PNG or JPEG. */
    picture: pictureFile,
  }),
  output: z.object({ slips: z.int() }),
});

export const getSlips = endpoint({
  method: 'GET',
  path: '/v1.0/payoutOrder/getSlips',
  summary: "Pictures of the bank's receipts that suppliers added to a payout",
  access: SEES_WHOLE.payoutSlip,
  input: z.object({ orderCode: id }),
  output: z.object({
    list: z.array(
      z.object({
        id,
        supplierName: z.string(),
        /** data: address. */
        picture: z.string(),
        time,
      }),
    ),
  }),
});

export const releasePayout = endpoint({
  method: 'POST',
  path: '/v1.0/payoutOrder/release',
  summary:
    'Ask that a USDT payout may pass the signer’s limits; another releaser decides, with a code of their own',
  access: ADMIN_SIDE,
  sensitive: true,
  stepUp: 'order',
  input: z.object({ orderCode: id, version: rowVersion, code: signerCode }),
  output: payoutDone,
});

export const acceptProof = endpoint({
  method: 'POST',
  path: '/v1.0/payoutOrder/acceptProof',
  summary: 'An operator has seen other proof of a payout that no debit message bears out',
  access: DESK,
  sensitive: true,
  stepUp: 'order',
  input: z.object({ orderCode: id, version: rowVersion, reason: text(256) }),
  output: payoutDone,
});

export const cancelPayout = endpoint({
  method: 'POST',
  path: '/v1.0/payoutOrder/cancel',
  summary: 'Take back a waiting payout; amount and fee are available again',
  access: [...ADMIN_SIDE, 'merchant'],
  duty: 'money',
  sensitive: true,
  stepUp: 'order',
  input: z.object({ orderCode: id, version: rowVersion }),
  output: payoutDone,
});

export const reject = endpoint({
  method: 'POST',
  path: '/v1.0/order/reject',
  summary: 'Refuse a payout: refunded; by the supplier who claimed it: back to waiting',
  access: [...DESK, 'supplier'],
  duty: 'money',
  sensitive: true,
  stepUp: 'order',
  input: z.object({ orderCode: id, version: rowVersion, rejectReason: text(256) }),
  output: payoutDone,
});

export const unlockOrder = endpoint({
  method: 'POST',
  path: '/v1.0/order/unlockOrder',
  summary: 'Take orders away from the automatic process that holds them; this may break its work',
  access: DESK,
  input: z.object({ orderCodes: z.array(id).min(1).max(500) }),
  output: z.object({
    /** One result for each order, in the order of the input; code 200 = unlocked. */
    list: z.array(z.object({ orderCode: z.string(), code: z.int(), msg: z.string() })),
  }),
});
