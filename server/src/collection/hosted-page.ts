import type { PayParams } from '@sangam/contract/endpoints/outside.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { SECOND } from '../platform/clock.ts';
import { cancelRefused } from './cancel.ts';
import type { CollectionOrder } from './order.ts';
import { payUrlOf } from './pay-params.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { callScript } from '../channels/scripts/call-script.ts';
import { CREATED } from '../channels/scripts/shapes.ts';
import { noticeAddress } from '../channels/script/notice-address.ts';

/** Asking lasts no longer; what is not answered by then was lost with its node. */
const LEASE = 30 * SECOND;
/** A gateway that did not answer is asked for its page again so often. */
const MOST_TRIES = 3;
const AGAIN_AFTER = 5 * SECOND;
/** Its word comes by itself within moments of the payment; a question finds what was lost. */
const FIRST_QUERY_AFTER = 20 * SECOND;

type Page = { readonly url: string | undefined };

/**
 * Asks the gateway of an order's account for the page where it is paid, and keeps its address. That it asks is written
 * first, so that of any number of nodes one asks. 'refused': the gateway does not take the order, which is taken back; a
 * page without an address is being asked for, or will be again.
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
      update hosted_pages set ${fields} where order_id = ${orderId} and account_id = ${accountId} and state = 'asking'`);
  if ('error' in called) {
    // It may have made one all the same, and a payer may have found it.
    const queryAt = new Date(now.getTime() + FIRST_QUERY_AFTER);
    await end(sql`state = 'failed', reason = ${called.error}, query_at = ${queryAt}`);
    platform.log.warn({ orderId: String(orderId), reason: called.error }, 'no page of the gateway');
    return { url: undefined };
  }
  const { output } = called;
  if ('refused' in output) {
    await end(sql`state = 'refused', reason = ${output.refused}`);
    await cancelRefused(platform, orderId, accountId, output.refused);
    return 'refused';
  }
  await end(sql`
    state = 'open', reason = null, pay_url = ${output.payUrl}, reference = ${output.reference ?? null},
    query_at = ${new Date(now.getTime() + FIRST_QUERY_AFTER)}`);
  return { url: output.payUrl };
}

/**
 * Whether it is ours to ask: nobody has, or whoever did got no answer. An open page is good again for an order that has come
 * back to its account: it is only asked about anew.
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
    update hosted_pages h set query_at = ${now} where order_id = ${orderId} and account_id = ${accountId} and ${IS_FORGOTTEN}`);
  return false;
}

/** A page, `h`, whose order waited no more when it was time to ask about it. */
const IS_FORGOTTEN = sql`h.state = 'open' and h.query_at is null`;

/** A page, `h`, that was asked for in vain. */
function isToBeAsked(now: Date) {
  return sql`h.tries < ${MOST_TRIES} and (
    (h.state = 'failed' and h.asked_at <= ${new Date(now.getTime() - AGAIN_AFTER)})
    or (h.state = 'asking' and h.asked_at <= ${new Date(now.getTime() - LEASE)}))`;
}

const QUERY_EVERY = 30 * SECOND;

/**
 * Orders that wait on a script's account and have no page, or one that is not asked about: their create died, or its answer did, or
 * they came by another way, or came back.
 */
export async function ordersWithoutPage(platform: Platform, limit: number): Promise<bigint[]> {
  const now = platform.clock.now();
  const rows = await platform.db.query<{ id: bigint }>(sql`
    select w.order_id as id from accounts a
      -- Never all waiting orders: 120 ms of each second at 170,000. 'offset' keeps the planner from turning it round.
      cross join lateral (select * from waiting_orders where account_id = a.id offset 0) w
      left join hosted_pages h on h.order_id = w.order_id and h.account_id = w.account_id
    where a.pay_script_id is not null and a.direction = 'in' and not w.timed_out
      and (case when h.order_id is null then w.allocated_at <= ${new Date(now.getTime() - AGAIN_AFTER)} else ${isToBeAsked(now)} or ${IS_FORGOTTEN} end)
    order by w.order_id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** A gateway's page whose order it is time to ask about. */
export interface DuePage {
  readonly orderId: bigint;
  readonly accountId: bigint;
  readonly reference: string | null;
  /** Its order waits there still, its grace included. */
  readonly isAwaited: boolean;
}

/** Takes the pages to be asked about now; those whose orders wait no more are not asked about again. */
export function takeDuePages(platform: Platform, limit: number): Promise<DuePage[]> {
  const now = platform.clock.now();
  return platform.db.query<DuePage>(sql`
    update hosted_pages h
    set query_at = case when d.awaited then ${new Date(now.getTime() + QUERY_EVERY)}::timestamptz end
    from (
      select p.order_id, p.account_id, exists (
        select from waiting_orders w where w.order_id = p.order_id and w.account_id = p.account_id) as awaited
      from hosted_pages p where p.query_at <= ${now} order by p.query_at limit ${limit} for update skip locked
    ) d
    where h.order_id = d.order_id and h.account_id = d.account_id
    returning h.order_id as "orderId", h.account_id as "accountId", h.reference, d.awaited as "isAwaited"`);
}

/** The gateway's page of an order on the account it waits on now. */
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
