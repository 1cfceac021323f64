import { z } from 'zod';
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
import { COLLECTION_STATUS } from '../orders.ts';
import { ADMINS } from '../roles.ts';
import { DESK, valuesOf, verdict } from './story.ts';

/** Lost orders: money without an order beside orders without money, and the pairs that seem to belong together. */

const readers = [...ADMINS, 'customerService', 'technicalMaintenance'] as const;

const filters = {
  resourceId: idFilter,
  /** Decimal in units of the currency, plus 0.0001, as existing clients send amounts. */
  amount: filter(z.coerce.number()),
  /** Decimal: the largest difference from `amount`. */
  within: filter(z.coerce.number().min(0).max(1_000_000)),
  startTime: timeFilter,
  endTime: timeFilter,
};

const lostMoney = z.object({
  id,
  kind: z.string(),
  resourceId: id.nullable(),
  accountName: z.string().nullable(),
  supplierName: z.string().nullable(),
  sender: z.string(),
  text: z.string(),
  currency,
  amount: minor,
  utr: z.string().nullable(),
  /** The collection order that has this UTR. */
  bookedOrderCode: z.string().nullable(),
  payer: z.string().nullable(),
  state: z.string(),
  ...verdict,
  /** The time that the bank states, else the time when the device got the message. */
  movedTime: time,
});

const lostOrder = z.object({
  orderCode: z.string(),
  merchantName: z.string(),
  resourceId: id.nullable(),
  accountName: z.string().nullable(),
  supplierName: z.string().nullable(),
  orderStatusId: valuesOf(COLLECTION_STATUS),
  currency,
  amount: minor,
  payableAmount: minor.nullable(),
  /** The UTR that the payer stated. */
  payerUtr: z.string().nullable(),
  userName: z.string().nullable(),
  /** Marked as a lost order (fill-in). */
  marked: z.boolean(),
  createTime: time,
});

export const getLostMoney = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getLostMoney',
  summary: 'Credits that completed no order and still may, newest first',
  access: readers,
  input: z.object({ ...paging, ...filters }),
  output: listOf(lostMoney),
});

export const getLostOrders = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getLostOrders',
  summary: 'Unpaid orders whose payer says to have paid or that are marked as lost, newest first',
  access: readers,
  input: z.object({
    ...paging,
    ...filters,
    /** claimed (default): the payer says to have paid. timedOut: all orders that timed out, whatever the payer says. */
    of: filter(z.enum(['claimed', 'timedOut'])),
  }),
  output: listOf(lostOrder),
});

export const getLostPairs = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getLostPairs',
  summary: 'Money and orders that seem to belong together, surest first, with the reason',
  access: readers,
  input: z.object(filters),
  output: z.object({ list: z.array(z.object({ money: lostMoney, order: lostOrder, ...verdict })) }),
});

export const getOrderMoney = endpoint({
  method: 'GET',
  path: '/v1.0/orderAnalysis/getOrderMoney',
  summary:
    'What speaks for an unpaid order: the UTR its payer names, and open credits of its account that fit, surest first',
  access: readers,
  input: z.object({ orderCode: id }),
  output: z.object({
    payerUtr: z.string().nullable(),
    list: z.array(
      lostMoney.pick({ id: true, amount: true, currency: true, utr: true, movedTime: true }).extend(verdict),
    ),
  }),
});

export const joinLost = endpoint({
  method: 'POST',
  path: '/v1.0/orderAnalysis/joinLost',
  summary:
    "Complete an order with a stored credit of its account: a supplement that names the bank's message",
  access: DESK,
  sensitive: true,
  stepUp: 'input',
  input: z.object({
    orderCode: id,
    messageId: id,
    /** Required where the message states no UTR; where it states one, it must be the same. */
    utr: utr.optional(),
  }),
  output: z.object({ orderCode: z.string(), orderStatusId: valuesOf(COLLECTION_STATUS) }),
});

export const settleOutside = endpoint({
  method: 'POST',
  path: '/v1.0/orderAnalysis/settleOutside',
  summary:
    'Asks to mark a credit as settled outside the platform (refunded by hand, or not ours); another person agrees (1205)',
  access: DESK,
  sensitive: true,
  stepUp: 'input',
  input: z.object({ messageId: id, reason: text(256) }),
  output: z.object({}),
});

export const correctOffset = endpoint({
  method: 'POST',
  path: '/v1.0/orderAnalysis/correctOffset',
  summary:
    "Asks to charge the supplier of an order that was booked beside its account, whose money the bank's message shows on it; another person agrees (1205)",
  access: DESK,
  sensitive: true,
  stepUp: 'input',
  input: z.object({ messageId: id, reason: text(256) }),
  output: z.object({}),
});
