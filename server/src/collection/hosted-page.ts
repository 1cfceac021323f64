import type { PayParams } from '@sangam/contract/endpoints/outside.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { DAY, SECOND } from '../platform/clock.ts';
import { cancelRefused } from './cancel.ts';
import type { CollectionOrder } from './order.ts';
import { payUrlOf } from './pay-params.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { callScript } from '../channels/scripts/call-script.ts';
import { CREATED } from '../channels/scripts/shapes.ts';
import { noticeAddress } from '../channels/script/notice-address.ts';

/** A call to the gateway ends within this time. A call without a result by then was lost with its node. */
const LEASE = 30 * SECOND;
/** How often a page is asked for when the gateway does not answer. */
const MOST_TRIES = 3;
const AGAIN_AFTER = 5 * SECOND;
/** The gateway's own notice usually comes within moments of the payment. A query finds a payment whose notice was lost. */
const FIRST_QUERY_AFTER = 20 * SECOND;

type Page = { readonly url: string | undefined };

/**
 * Asks the gateway of an order's account for its payment page and keeps the address. The request is recorded before the call,
 * so that only one of any number of nodes asks. 'refused': the gateway does not take the order, and the order ceases to wait
 * there. A page without an address is being asked for, or will be asked for again.
 */
export async function openHostedPage(platform: Platform, order: CollectionOrder): Promise<Page | 'refused'> {
  const { id: orderId, accountId } = order;
  if (accountId === null || !(await claim(platform, orderId, accountId)))
    return { url: await hostedUrlOf(platform.db, order) };
  const called = await callScript(platform, {
    accountId,
    function: 'createOrder',
    orderId,
    input: {
      orderCode: String(orderId),
      amount: formatMinor(order.payable!, order.currency),
      currency: order.currency,
      notifyUrl: await noticeAddress(platform, accountId),
      returnUrl: order.returnUrl ?? (await payUrlOf(platform, order)),
      subject: order.subject,
      payerName: order.userName,
      clientIp: order.clientIp,
      expiresAt: order.expiresAt!.getTime(),
    },
    output: CREATED,
  });
  const now = platform.clock.now();
  const end = (fields: ReturnType<typeof sql>) =>
    platform.db.query(sql`
      update hosted_pages set ${fields} where order_id = ${orderId} and account_id = ${accountId} and state = 'asking' returning 1`);
  if ('error' in called) {
    // The gateway may have made a page all the same, and a payer may have found it. So the order is queried.
    const queryAt = new Date(now.getTime() + FIRST_QUERY_AFTER);
    await end(sql`state = 'failed', reason = ${called.error}, query_at = ${queryAt}`);
    platform.log.warn({ orderId: String(orderId), reason: called.error }, 'no page of the gateway');
    return { url: undefined };
  }
  const { output } = called;
  if ('refused' in output) {
    const ended = await end(sql`state = 'refused', reason = ${output.refused}`);
    // This call took too long, and another node has the page by now. The gateway refuses an order that it knows already.
    if (ended.length === 0) return { url: await hostedUrlOf(platform.db, order) };
    await cancelRefused(platform, orderId, accountId, output.refused);
    return 'refused';
  }
  await end(sql`
    state = 'open', reason = null, pay_url = ${output.payUrl}, reference = ${output.reference ?? null},
    query_at = ${new Date(now.getTime() + FIRST_QUERY_AFTER)}`);
  return { url: output.payUrl };
}

/**
 * Whether this node should ask for the page: nobody has asked, or whoever asked got no answer. An open page is used again for
 * an order that has come back to its account; only its queries start again.
 */
async function claim(platform: Platform, orderId: bigint, accountId: bigint): Promise<boolean> {
  const now = platform.clock.now();
  const claimed = await platform.db.query(sql`
    insert into hosted_pages as h (order_id, account_id, state, asked_at)
    values (${orderId}, ${accountId}, 'asking', ${now})
    on conflict (order_id, account_id) do update set state = 'asking', tries = h.tries + 1, asked_at = ${now}
    where ${isToBeAsked(now)}
    returning 1`);
  if (claimed.length > 0) return true;
  await platform.db.query(sql`
    update hosted_pages h set query_at = ${now} where order_id = ${orderId} and account_id = ${accountId} and ${isForgotten(now)}`);
  return false;
}

/** An open page, `h`, that is not queried any more, or seldom, because its order no longer waited. */
function isForgotten(now: Date) {
  return sql`h.state = 'open' and (h.query_at is null or h.query_at > ${new Date(now.getTime() + 2 * QUERY_EVERY)})`;
}

/** A page, `h`, that was asked for without success. */
function isToBeAsked(now: Date) {
  return sql`h.tries < ${MOST_TRIES} and (
    (h.state = 'failed' and h.asked_at <= ${new Date(now.getTime() - AGAIN_AFTER)})
    or (h.state = 'asking' and h.asked_at <= ${new Date(now.getTime() - LEASE)}))`;
}

const QUERY_EVERY = 30 * SECOND;
/** After its order waits no more, a page is queried at growing intervals until it is so old: a notice may be lost then too. */
const QUERIED_FOR = DAY;

/**
 * Orders that wait on a pay script's account and have no page, or one that is not queried. Their node died during creation, the
 * answer was lost, they were created in another way, or they came back to the account.
 */
export async function ordersWithoutPage(platform: Platform, limit: number): Promise<bigint[]> {
  const now = platform.clock.now();
  const rows = await platform.db.query<{ id: bigint }>(sql`
    select w.order_id as id from accounts a
      -- Never all waiting orders: 120 ms of each second at 170,000. 'offset' keeps the planner from turning it round.
      cross join lateral (select * from waiting_orders where account_id = a.id offset 0) w
      left join hosted_pages h on h.order_id = w.order_id and h.account_id = w.account_id
    where a.pay_script_id is not null and a.direction = 'in' and not w.timed_out
      and (case when h.order_id is null then w.allocated_at <= ${new Date(now.getTime() - AGAIN_AFTER)} else ${isToBeAsked(now)} or ${isForgotten(now)} end)
    order by w.order_id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** A gateway's page whose order should be queried now. */
export interface DuePage {
  readonly orderId: bigint;
  readonly accountId: bigint;
  readonly reference: string | null;
  /** The order still waits on this account, its grace included. */
  readonly isAwaited: boolean;
}

/**
 * Takes the pages to be queried now. A page whose order no longer waits is queried when it is twice as old each time, and a last time when
 * it is older than `QUERIED_FOR`.
 */
export function takeDuePages(platform: Platform, limit: number): Promise<DuePage[]> {
  const now = platform.clock.now();
  return platform.db.query<DuePage>(sql`
    update hosted_pages h
    set query_at = case when d.awaited then ${new Date(now.getTime() + QUERY_EVERY)}::timestamptz
      when h.asked_at > ${new Date(now.getTime() - QUERIED_FOR)} then ${now}::timestamptz + greatest(${now}::timestamptz - h.asked_at, ${QUERY_EVERY} * interval '1 millisecond') end
    from (
      select p.order_id, p.account_id, exists (
        select from waiting_orders w where w.order_id = p.order_id and w.account_id = p.account_id) as awaited
      from hosted_pages p where p.query_at <= ${now} order by p.query_at limit ${limit} for update skip locked
    ) d
    where h.order_id = d.order_id and h.account_id = d.account_id
    returning h.order_id as "orderId", h.account_id as "accountId", h.reference, d.awaited as "isAwaited"`);
}

/** The gateway has said how the order ended, or the order was paid: the page is not queried again. */
export async function endQueries(
  db: Queryable,
  { orderId, accountId }: Pick<DuePage, 'orderId' | 'accountId'>,
): Promise<void> {
  await db.query(sql`
    update hosted_pages set query_at = null where order_id = ${orderId} and account_id = ${accountId}`);
}

/** Whether the gateway refused the order's page, so that the order could not wait. */
export async function isHostedRefused(
  db: Queryable,
  { id, accountId }: Pick<CollectionOrder, 'id' | 'accountId'>,
): Promise<boolean> {
  const [refused] = await db.query(sql`
    select from hosted_pages where order_id = ${id} and account_id = ${accountId} and state = 'refused'`);
  return refused !== undefined;
}

/** The gateway's page for the account that the order waits on now. */
export async function hostedUrlOf(
  db: Queryable,
  { id, accountId }: Pick<CollectionOrder, 'id' | 'accountId'>,
): Promise<string | undefined> {
  const [row] = await db.query<{ url: string | null }>(sql`
    select pay_url as url from hosted_pages where order_id = ${id} and account_id = ${accountId}`);
  return row?.url ?? undefined;
}

export function withHostedPage(
  params: PayParams | undefined,
  hostedUrl: string | undefined,
): PayParams | undefined {
  return params && hostedUrl !== undefined ? { ...params, hostedUrl } : params;
}
