import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  currency,
  filter,
  id,
  intFilter,
  listOf,
  minor,
  rowVersion,
  text,
  textFilter,
  time,
  utr,
} from '../fields.ts';
import { COLLECTION_ACTIONS, COLLECTION_STATUS, MOST_NEW_ORDERS, ORDER_MARK } from '../orders.ts';
import { REVEALED_FIELDS, REVEALERS, SEES_WHOLE } from '../personal-data.ts';
import { STAFF } from '../roles.ts';
import { FILINGS } from '../statistics.ts';
import { payoutOrderFilters, payoutOrderRow } from './payout.ts';
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

export const collectionOrderRow = z.object({
  ...sharedRow,
  orderStatusId: valuesOf(COLLECTION_STATUS),
  supplementStatus: z.literal([0, 1]),
  /** The amount that the merchant asked for. */
  amount: minor,
  /** The exact amount that the payer is asked for (null before allocation). */
  payableAmount: minor.nullable(),
  /** The amount that arrived (null until paid). */
  currentReceivedMoney: minor.nullable(),
  identifyCode: z.string(),
  allocateTime: time.nullable(),
  expireTime: time.nullable(),
  payTime: time.nullable(),
  fee: minor.nullable().optional(),
  income: minor.nullable().optional(),
  resourceId: id.nullable().optional(),
  accountName: z.string().nullable().optional(),
  description: z.string().nullable().optional(),
  /** Supplemented, and the bank's message has not come yet; shown to staff only. */
  unproven: z.boolean().optional(),
  /** What this viewer may do with the order now, by the action table. */
  actions: z.array(z.enum(COLLECTION_ACTIONS)),
});
export type CollectionOrderRow = z.infer<typeof collectionOrderRow>;

export const collectionOrderFilters = z.object({
  ...sharedFilters,
  supplementStatus: intFilter,
  /** For supplements: 0 on the order's account, 1 offset. */
  supplementType: filter(z.coerce.number().pipe(z.literal([0, 1]))),
  currentReceivedMoney: filter(z.coerce.number()),
  description: textFilter,
  identifyCode: textFilter,
  /** The receiving account, by its id. */
  resourceId: filter(id),
  /** Staff only: the orders that one number of the sources counts (contract, order-source.ts). Its days then replace the times. */
  source: textFilter,
});
export type CollectionOrderFilters = z.infer<typeof collectionOrderFilters>;

export const getList = endpoint({
  method: 'GET',
  path: '/v1.0/order/getList',
  summary:
    'Orders the viewer may see, newest first; without a start time the last 31 days. orderType 0 (default) collection, 1 payout',
  access: READERS,
  input: collectionOrderFilters.extend({
    orderType: filter(z.coerce.number().pipe(z.literal([0, 1]))),
    /** For payouts, as in payoutOrder/getList. */
    batchId: payoutOrderFilters.shape.batchId,
    processState: payoutOrderFilters.shape.processState,
    /** For payouts: another name of orderStatusId. */
    payoutStatus: filter(z.coerce.number().int().min(0).max(9)),
  }),
  // The type is that of the answer without orderType, because screens of payouts call payoutOrder/getList.
  output: listOf(z.union([collectionOrderRow, payoutOrderRow]) as unknown as typeof collectionOrderRow),
});

/** Counts and sums per status under the same filters (without the status filter): the status cards. */
export const getStatusSummary = endpoint({
  method: 'GET',
  path: '/v1.0/order/getStatusSummary',
  summary: 'Count and amount per status under the same filters',
  access: READERS,
  input: collectionOrderFilters,
  output: z.object({
    list: z.array(
      z.object({ orderStatusId: valuesOf(COLLECTION_STATUS), currency, count: z.int(), amount: minor }),
    ),
  }),
});

export const getDetail = endpoint({
  method: 'GET',
  path: '/v1.0/order/getDetail',
  summary: 'One collection order with timeline, matched messages, callbacks and ledger entries',
  access: READERS,
  input: z.object({ orderCode: id }),
  output: z.object({
    order: collectionOrderRow.extend({
      subject: z.string().nullable(),
      body: z.string().nullable(),
      notifyUrl: z.string().nullable(),
      returnUrl: z.string().nullable(),
      param1: z.string().nullable(),
      param2: z.string().nullable(),
      payerUtr: z.string().nullable(),
      /** The number of screenshots, for roles that may see them; see getPictures. */
      pictures: z.int(),
      payUrl: z.string().nullable(),
    }),
    events: z.array(eventRow),
    messages: z.array(messageRow),
    callbacks: z.array(callbackRow),
    entries: z.array(entryRow),
  }),
});

export const getPictures = endpoint({
  method: 'GET',
  path: '/v1.0/order/getPictures',
  summary: 'Screenshots of the payment that the payer or the merchant added to an order',
  access: SEES_WHOLE.paymentPicture,
  input: z.object({ orderCode: id }),
  output: z.object({
    list: z.array(
      z.object({
        id,
        source: z.enum(['payer', 'merchant']),
        /** data: address. */
        picture: z.string(),
        time,
      }),
    ),
  }),
});

export const getOrderAllocateInfo = endpoint({
  method: 'GET',
  path: '/v1.0/order/getOrderAllocateInfo',
  summary: "Every candidate account of the order's last allocation and the first rule that refused it",
  access: [...DESK, 'technicalMaintenance'],
  input: z.object({ orderCode: id }),
  output: z.object({
    time: time.nullable(),
    candidates: z.array(
      z.object({
        resourceId: id,
        accountName: z.string(),
        supplierName: z.string(),
        weight: z.int(),
        /** 'chosen', 'eligible' (another was preferred), or the rule that refused the account. */
        verdict: z.string(),
      }),
    ),
  }),
});

export const orderUploadFlag = endpoint({
  method: 'GET',
  path: '/v1.0/order/orderUploadFlag',
  summary: 'Whether the caller may upload payouts as a file, and what the file looks like',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({
    enable: z.boolean(),
    fileTypes: z.array(z.string()),
    maxOrders: z.int(),
    columns: z.array(z.string()),
    neededColumns: z.array(z.string()),
  }),
});

const named = z.object({ id: z.int(), name: z.string() });

export const getOrderStatusList = endpoint({
  method: 'GET',
  path: '/v1.0/order/getOrderStatusList',
  summary: "Order statuses with names in the caller's language; orderType 0 (default) collection, 1 payout",
  access: 'anyUser',
  input: z.object({ orderType: filter(z.coerce.number().pipe(z.literal([0, 1]))) }),
  output: z.object({ list: z.array(named) }),
});

export const getOrderMarkList = endpoint({
  method: 'GET',
  path: '/v1.0/order/getOrderMarkList',
  summary: 'Order marks that the caller is told of, with names in its language',
  access: 'anyUser',
  input: z.object({}),
  output: z.object({ list: z.array(named) }),
});

export const getLastOrder = endpoint({
  method: 'GET',
  path: '/v1.0/order/getLastOrder',
  summary:
    'The newest order the viewer may see (the notifier polls it); orderType 0 (default) collection, 1 payout',
  access: [...STAFF, 'supplier'],
  polled: true,
  input: z.object({ orderType: filter(z.coerce.number().pipe(z.literal([0, 1]))) }),
  output: z.object({
    orderCode: z.string().nullable(),
    createTime: time.nullable(),
    /** Whether the caller's role gets notices of new orders (setting NewOrderNotice). */
    notice: z.boolean(),
  }),
});

export const getNewOrders = endpoint({
  method: 'GET',
  path: '/v1.0/order/getNewOrders',
  summary: `Collection orders of the last day made after the order named, newest first, at most 20; how many, up to ${MOST_NEW_ORDERS + 1}`,
  access: [...STAFF, 'supplier'],
  polled: true,
  input: z.object({ after: id }),
  output: z.object({
    count: z.int(),
    list: z.array(
      z.object({
        orderCode: z.string(),
        createTime: time,
        /** Only for roles that may open orders; the merchant only for staff. */
        amount: minor.optional(),
        currency: currency.optional(),
        merchantName: z.string().optional(),
      }),
    ),
  }),
});

const periodFigures = z.object({
  hours: z.array(z.object({ hour: z.int(), created: z.int(), paid: z.int(), paidAmount: minor })),
  created: z.int(),
  paid: z.int(),
  amount: minor,
  paidAmount: minor,
  fee: minor.optional(),
});

const soFarFigures = periodFigures.pick({ created: true, paid: true, paidAmount: true, fee: true });

const dateText = z.string().regex(/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/);

export const simpleStatistics = endpoint({
  method: 'GET',
  path: '/v1.0/order/simplestatisticsV2',
  summary: 'Today against yesterday, by hour, of the orders the viewer may see, per currency',
  access: 'anyUser',
  input: z.object({ todayDate: dateText, tomorrowDate: dateText, yesterdayDate: dateText }),
  output: z.object({
    list: z.array(
      z.object({
        currency,
        today: periodFigures,
        yesterday: periodFigures,
        /** Both days up to the last whole half hour of today; null before the first half hour, and for other days than today. */
        soFar: z
          .object({
            /** HH:mm */
            until: z.string(),
            today: soFarFigures,
            yesterday: soFarFigures,
          })
          .nullable(),
      }),
    ),
    /** With ShowUserStatisticInfo off, merchants and suppliers see no figures. */
    hidden: z.boolean(),
    /** How orders are filed; links to the orders behind a figure need it. */
    filing: z.enum(FILINGS),
  }),
});

export const orderCodeInput = z.object({ orderCode: id });
const done = z.object({ orderCode: z.string(), orderStatusId: valuesOf(COLLECTION_STATUS) });
/** For either direction: the status is that of the order's own table. */
const eitherDone = z.object({ orderCode: z.string(), orderStatusId: z.int() });

export const supplement = endpoint({
  method: 'POST',
  path: '/v1.0/order/replenishmentOrder',
  summary:
    'Complete an order on a UTR that did not match by itself; offset = the money came outside this account',
  access: [...DESK, 'supplier'],
  duty: 'money',
  sensitive: true,
  stepUp: 'order',
  input: z.object({
    orderCode: id,
    version: rowVersion,
    isOffsetReplenishmentOrder: z.boolean().default(false),
    utr,
  }),
  output: done,
});

export const reselect = endpoint({
  method: 'POST',
  path: '/v1.0/order/reselect',
  summary: 'Release the account, allocate another, new expiry; a failed payout waits anew',
  access: DESK,
  input: orderCodeInput.extend({ version: rowVersion }),
  output: eitherDone,
});

export const freeResource = endpoint({
  method: 'POST',
  path: '/v1.0/order/freeResource',
  summary:
    'Release account and amount now; an unpaid order is timed out by it. Of its supplier it is only timed out: the release follows at the end of its grace',
  access: [...DESK, 'supplier'],
  duty: 'orders',
  input: z.object({
    orderCode: id,
    version: rowVersion,
    isOffsetReplenishmentOrder: z.boolean().default(false),
  }),
  output: done,
});

export const callback = endpoint({
  method: 'POST',
  path: '/v1.0/order/callback',
  summary: 'Send the notification again now',
  access: [...DESK, 'merchant'],
  duty: 'orders',
  input: orderCodeInput,
  output: eitherDone,
});

export const reverse = endpoint({
  method: 'POST',
  path: '/v1.0/order/reverseOrder',
  summary:
    'Ask to take the money of a paid collection or a completed payout back; waits for a second person (1205 with todoId)',
  access: ['superAdmin', 'admin'],
  sensitive: true,
  stepUp: 'order',
  input: orderCodeInput.extend({ version: rowVersion, reason: text(256).optional() }),
  output: eitherDone,
});

export const addNote = endpoint({
  method: 'POST',
  path: '/v1.0/order/addNote',
  summary:
    'Note something about an order of either direction; staff read it in its history, nobody changes it',
  access: DESK,
  input: z.object({ orderCode: id, note: text(1_000) }),
  output: z.object({}),
});

export const revealPerson = endpoint({
  method: 'POST',
  path: '/v1.0/order/reveal',
  summary: 'One masked value of the payer or payee of an order, for a reason that is written to the audit',
  access: REVEALERS,
  duty: 'orders',
  sensitive: true,
  // A read that the audit records.
  writes: false,
  input: z.object({ orderCode: id, field: z.enum(REVEALED_FIELDS), reason: text(500) }),
  output: z.object({ value: z.string() }),
});

export const updateOrderMark = endpoint({
  method: 'POST',
  path: '/v1.0/order/updateOrderMark',
  summary: 'Mark an order of either direction ordinary, suspicious, test, fill-in or malicious',
  access: DESK,
  input: z.object({
    id,
    orderMark: z.coerce.number().pipe(valuesOf(ORDER_MARK)),
    reason: text(256).optional(),
  }),
  output: eitherDone,
});
