import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, idFilter, listOf, paging, textFilter, time, timeFilter } from '../fields.ts';
import type { Role } from '../roles.ts';
import { CALLBACK_STATES } from './story.ts';

/** Callbacks to merchants: the queue, every attempt, and what an operator may do with them. */

const OPERATOR: readonly Role[] = ['superAdmin'];
const READERS: readonly Role[] = ['superAdmin', 'technicalMaintenance'];
/** A merchant sees its own callbacks and may resend them. */
const OWNERS: readonly Role[] = ['merchant'];

const CALLBACK_KINDS = ['paid', 'manual', 'timeout', 'reversed', 'payout'] as const;

const kind = z.enum(CALLBACK_KINDS);
const state = z.enum(CALLBACK_STATES);

export const getCallbackList = endpoint({
  method: 'GET',
  path: '/v1.0/orderCallBack/getList',
  summary: 'Notifications to merchants, newest first; state exhausted is the list of dead letters',
  access: [...READERS, ...OWNERS],
  input: z.object({
    ...paging,
    orderCode: textFilter,
    merchantOrderNo: textFilter,
    merchantId: idFilter,
    kind: filter(kind),
    state: filter(state),
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(
    z.object({
      id,
      orderCode: z.string(),
      merchantOrderNo: z.string(),
      merchantId: id,
      merchantName: z.string(),
      /** The callbacks of this merchant wait until they are resumed. */
      paused: z.boolean(),
      /** The merchant's own schedule: seconds before each attempt. */
      waitSeconds: z.array(z.int()).nullable(),
      kind,
      state,
      url: z.string(),
      attempts: z.int(),
      /** HTTP status of the last attempt. */
      lastStatus: z.int().nullable(),
      lastError: z.string().nullable(),
      nextTime: time.nullable(),
      createTime: time,
      actions: z.array(z.enum(['resend', 'delete'])),
    }),
  ),
});

/** How the last attempt failed: the HTTP status, or the error before there was one. */
const failure = { status: z.int().min(0).max(999).nullable(), error: z.string().max(2048).nullable() };

export const getCallbackHealth = endpoint({
  method: 'GET',
  path: '/v1.0/orderCallBack/getHealth',
  summary:
    'Notifications whose last attempt failed and that wait or were given up within 31 days, by how it failed; of the newest 1,000 of each',
  access: [...READERS, ...OWNERS],
  input: z.object({}),
  output: z.object({
    groups: z.array(
      z.object({
        ...failure,
        /** Callbacks that will be tried again. */
        waiting: z.int(),
        exhausted: z.int(),
        newestTime: time,
        /** One of the orders. */
        orderCode: z.string(),
      }),
    ),
  }),
});

export const getCallbackDetailList = endpoint({
  method: 'GET',
  path: '/v1.0/orderCallBack/getDetailList',
  summary: 'Every attempt to notify a merchant, with request and answer, newest first',
  access: READERS,
  input: z.object({
    ...paging,
    callbackId: idFilter,
    orderCode: textFilter,
    merchantOrderCode: textFilter,
    systemFlag: textFilter,
    httpMethod: filter(z.enum(['GET', 'POST'])),
    startTime: timeFilter,
    endTime: timeFilter,
  }),
  output: listOf(
    z.object({
      id,
      callbackId: id,
      orderCode: z.string(),
      merchantOrderCode: z.string().nullable(),
      merchantName: z.string().nullable(),
      systemFlag: z.string().nullable(),
      httpMethod: z.string(),
      url: z.string(),
      request: z.string(),
      status: z.int().nullable(),
      /** The first 2 KiB. */
      answer: z.string().nullable(),
      error: z.string().nullable(),
      durationMs: z.int(),
      time,
    }),
  ),
});

const many = z.object({ ids: z.array(id).min(1).max(500) });
/** One result for each callback, in the order of the input; code 200 = done. */
const results = z.object({ list: z.array(z.object({ id, code: z.int(), msg: z.string() })) });

export const resendCallbacks = endpoint({
  method: 'POST',
  path: '/v1.0/orderCallBack/resend',
  summary:
    'Send notifications now; one that was given up begins its schedule anew. A merchant sends its own, but for those an operator took off the queue',
  access: [...OPERATOR, ...OWNERS],
  duty: 'orders',
  input: many,
  output: results,
});

export const resendFailed = endpoint({
  method: 'POST',
  path: '/v1.0/orderCallBack/resendFailed',
  summary: 'Send all of one group of getHealth now, the oldest 500 of them',
  access: [...OPERATOR, ...OWNERS],
  duty: 'orders',
  input: z.object(failure),
  output: z.object({ sent: z.int(), refused: z.int() }),
});

export const deleteCallbacks = endpoint({
  method: 'POST',
  path: '/v1.0/orderCallBack/delete',
  summary:
    'Take notifications off the queue: they are not sent again unless resent by hand; their attempts stay',
  access: OPERATOR,
  sensitive: true,
  input: many,
  output: results,
});

export const setMerchantCallbacks = endpoint({
  method: 'POST',
  path: '/v1.0/orderCallBack/setMerchant',
  summary:
    "Pause or resume a merchant's notifications, or give them a schedule of their own; what is left out stays",
  access: OPERATOR,
  sensitive: true,
  input: z.object({
    merchantId: id,
    paused: z.boolean().optional(),
    /** Seconds before each attempt; null: the usual schedule. */
    waitSeconds: z.array(z.int().min(0).max(86_400)).min(1).max(20).nullable().optional(),
  }),
  output: z.object({ paused: z.boolean(), waitSeconds: z.array(z.int()).nullable() }),
});
