import type { getCallbackDetailList, getCallbackList } from '@sangam/contract/endpoints/callback.ts';
import { CALLBACK_STATES } from '@sangam/contract/endpoints/story.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, type Sql, sql } from '../platform/db/database.ts';
import { idFilter, readPage, timeFilter } from '../platform/db/page.ts';
import { maskText } from '../platform/masking.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { scopeOf, type Viewer } from '../platform/viewer.ts';
import type { CallbackKind } from './callback.ts';
import { type Notice, requestOf } from './request.ts';
import { ATTEMPTS, STATE, WAITING } from './state.ts';
import { ID_SLACK } from '../platform/db/ids.ts';

const DEFAULT_DAYS = 31;

type ListInput = z.output<typeof getCallbackList.input>;
type ListOutput = z.input<typeof getCallbackList.output>;

interface CallbackRow {
  readonly id: bigint;
  readonly orderId: bigint;
  readonly merchantOrderNo: string;
  readonly merchantId: bigint;
  readonly merchantName: string;
  readonly paused: boolean;
  readonly waits: number[] | null;
  readonly kind: CallbackKind;
  readonly state: 0 | 1 | 2 | 3;
  readonly url: string;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly nextAt: Date | null;
  readonly createdAt: Date;
}

/** Notifications to merchants, newest first. */
export async function listCallbacks(
  platform: Platform,
  viewer: Viewer,
  input: ListInput,
): Promise<ListOutput | Refusal> {
  // An order has few callbacks; an index finds them, whatever their age.
  const named = input.orderCode ?? input.merchantOrderNo;
  const last = (column: Sql) => sql`(
    select ${column} from callback_attempts a where a.callback_id = c.id and a.id > c.id - ${ID_SLACK} order by a.id desc limit 1)`;
  const page = await readPage<CallbackRow>(platform, input, {
    columns: sql`c.id, c.order_id as "orderId", c.fields ->> 'mchOrderNo' as "merchantOrderNo", c.merchant_id as "merchantId",
      m.name as "merchantName", m.callbacks_paused as paused, m.callback_waits as waits, c.kind, ${STATE} as state, c.url, ${ATTEMPTS} as attempts,
      ${last(sql`a.status`)} as "lastStatus", ${last(sql`a.error`)} as "lastError", q.next_at as "nextAt",
      c.created_at as "createdAt"`,
    from: sql`
      from callbacks c join merchants m on m.id = c.merchant_id ${WAITING}
      where true ${scopeOf(viewer, { merchant: sql`c.merchant_id` })}
      ${timeFilter(sql`c.id`, input, platform.clock.now(), named === undefined ? DEFAULT_DAYS : null)}
      ${orderFilter(sql`c.order_id`, input.orderCode, input.merchantOrderNo)}
      ${input.merchantId === undefined ? empty : idFilter(sql`c.merchant_id`, input.merchantId)}
      ${input.kind === undefined ? empty : sql`and c.kind = ${input.kind}`}
      ${input.state === undefined ? empty : sql`and ${STATE_IS[input.state]}`}`,
    key: sql`c.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map((row) => ({
      id: String(row.id),
      orderCode: String(row.orderId),
      merchantOrderNo: row.merchantOrderNo,
      merchantId: String(row.merchantId),
      merchantName: row.merchantName,
      paused: row.paused,
      waitSeconds: row.waits,
      kind: row.kind,
      state: CALLBACK_STATES[row.state],
      url: row.url,
      attempts: row.attempts,
      lastStatus: row.lastStatus,
      lastError: row.lastError,
      nextTime: row.nextAt && formatTime(row.nextAt),
      createTime: formatTime(row.createdAt),
      actions: actionsOf(viewer, row.state),
    })),
  };
}

/** What an operator may do with a callback in each state. */
const ACTIONS = { 0: ['resend', 'delete'], 1: [], 2: ['resend', 'delete'], 3: ['resend'] } as const;

function actionsOf(viewer: Viewer, state: CallbackRow['state']): ListOutput['list'][number]['actions'] {
  if (viewer.role === 'superAdmin') return [...ACTIONS[state]];
  return viewer.role === 'merchant' && (state === 0 || state === 2) ? ['resend'] : [];
}

/** Each state by its fastest source: the queue, or the index of callbacks that were given up. */
const STATE_IS: Record<(typeof CALLBACK_STATES)[number], Sql> = {
  pending: sql`q.callback_id is not null`,
  succeeded: sql`q.callback_id is null and c.given_up is null`,
  exhausted: sql`c.given_up = 2`,
  withdrawn: sql`c.given_up = 3`,
};

/** A merchant's order number is looked up in the table where it is unique, because callbacks are partitioned by month. */
function orderFilter(orderId: Sql, orderCode: string | undefined, mchOrderNo: string | undefined): Sql {
  return sql`
    ${orderCode === undefined ? empty : idFilter(orderId, orderCode)}
    ${mchOrderNo === undefined ? empty : sql`and ${orderId} in (select order_id from merchant_orders where mch_order_no = ${mchOrderNo})`}`;
}

type DetailInput = z.output<typeof getCallbackDetailList.input>;
type DetailOutput = z.input<typeof getCallbackDetailList.output>;

interface AttemptRow {
  readonly id: bigint;
  readonly callbackId: bigint;
  readonly orderId: bigint;
  readonly merchantOrderCode: string | null;
  readonly merchantName: string | null;
  readonly systemFlag: string | null;
  readonly httpMethod: string;
  readonly url: string;
  readonly request: string | null;
  readonly signed: string | null;
  readonly transport: Notice['transport'];
  readonly fields: Notice['fields'];
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly createdAt: Date;
}

/** Every attempt, newest first. Request and answer may hold a payer's data: only superAdmin reads them unmasked. */
export async function listCallbackDetails(
  platform: Platform,
  viewer: Viewer,
  input: DetailInput,
): Promise<DetailOutput | Refusal> {
  const named = input.orderCode ?? input.merchantOrderCode ?? input.callbackId;
  const page = await readPage<AttemptRow>(platform, input, {
    columns: sql`a.id, a.callback_id as "callbackId", a.order_id as "orderId", c.fields ->> 'mchOrderNo' as "merchantOrderCode",
      m.name as "merchantName", a.system_flag as "systemFlag", a.http_method as "httpMethod", a.url, a.request, a.signed,
      c.transport, c.fields, a.status, a.answer, a.error, a.duration_ms as "durationMs", a.created_at as "createdAt"`,
    from: sql`
      from callback_attempts a left join callbacks c on c.id = a.callback_id left join merchants m on m.id = c.merchant_id
      where true ${scopeOf(viewer, { merchant: sql`c.merchant_id` })}
      ${timeFilter(sql`a.id`, input, platform.clock.now(), named === undefined ? DEFAULT_DAYS : null)}
      ${input.callbackId === undefined ? empty : idFilter(sql`a.callback_id`, input.callbackId)}
      ${callbackOfOrder(input)}
      ${input.systemFlag === undefined ? empty : sql`and a.system_flag = ${input.systemFlag}`}
      ${input.httpMethod === undefined ? empty : sql`and a.http_method = ${input.httpMethod}`}`,
    key: sql`a.id`,
  });
  if (isRefusal(page)) return page;
  const shown = (text: string) => (seesWhole(viewer, 'text') ? text : maskText(text, null));
  return {
    ...page,
    list: page.list.map(
      ({ id, callbackId, orderId, createdAt, request, signed, transport, fields, ...row }) => ({
        ...row,
        id: String(id),
        callbackId: String(callbackId),
        orderCode: String(orderId),
        url: shown(row.url),
        request: shown(requestOf({ request, signed }, { url: row.url, transport, fields })),
        answer: row.answer && shown(row.answer),
        time: formatTime(createdAt),
      }),
    ),
  };
}

/** Attempts are indexed by their callback, callbacks by their order. */
function callbackOfOrder({ orderCode, merchantOrderCode }: DetailInput): Sql {
  if (orderCode === undefined && merchantOrderCode === undefined) return empty;
  return sql`and a.callback_id in (
    select k.id from callbacks k where true ${orderFilter(sql`k.order_id`, orderCode, merchantOrderCode)})`;
}
