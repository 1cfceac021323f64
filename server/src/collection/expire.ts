import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { changeLoad } from '../accounts/load.ts';
import { enqueueCallbacks } from '../callbacks/enqueue.ts';
import { SECOND } from '../platform/clock.ts';
import { type Tx, hot, sql } from '../platform/db/database.ts';
import { ID_SLACK } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { recountTerms } from '../terms/products/terms-day.ts';
import { SYSTEM, type Actor } from '../history/events.ts';
import { notificationOf } from './notification.ts';
import { returnHeld } from './hold.ts';
import { readOrders, coolAmounts } from './store.ts';
import { beginsGrace, endsGrace, termsCountsOf, type WaitingOrder } from './waiting.ts';
import { transition } from './transition.ts';

/** Short enough that nobody waits long for an account's load; long enough to sweep a million due orders within minutes. */
const BATCH = 1000;
/** Batches at once where more is due than one batch holds: while one batch travels, the database works on the other. */
const AT_ONCE = 2;

interface Span {
  /** Everything due before this moment is swept already. */
  readonly from: Date;
  readonly to: Date;
}

/** Takes up to `BATCH` rows due within the span; answers when each was due, ascending. */
type Batch = (platform: Platform, tx: Tx, span: Span) => Promise<Date[]>;

/**
 * Times out orders whose time is over and releases orders whose grace is over and for which no credit is held. Works in short
 * transactions until everything that was due at the start is done, or until it should stop. Answers how many orders it timed out and
 * released. Also deletes amounts that are no longer remembered. Any number of nodes may sweep at once: a node skips the rows that another node has
 * locked.
 */
export async function expireDue(
  platform: Platform,
  at: Date = platform.clock.now(),
  shouldStop: () => boolean = () => false,
): Promise<number> {
  // Rows that another transaction has locked are left to the next sweep.
  await platform.db.query(sql`
    delete from cooling_amounts where (account_id, payable) in (
      select account_id, payable from cooling_amounts where remembered_until <= ${at} for update skip locked)`);
  const timedOut = await sweep(platform, at, timeOutDue, shouldStop);
  return timedOut + (await sweep(platform, at, releaseDue, shouldStop));
}

/**
 * Each batch starts where the one before ended. Swept rows stay in the index until vacuum; reading past them again would make
 * the time for a million rows grow with the square of their number.
 */
async function sweep(platform: Platform, at: Date, batch: Batch, shouldStop: () => boolean): Promise<number> {
  let from = new Date(0);
  let swept = 0;
  const next = async (): Promise<boolean> => {
    const moments = await platform.db.tx((tx) => batch(platform, tx, { from, to: at }));
    const last = moments.at(-1);
    if (last !== undefined && last > from) from = last;
    swept += moments.length;
    return moments.length === BATCH && !shouldStop();
  };
  const all = async (): Promise<void> => {
    while (await next());
  };
  if (await next()) await Promise.all(Array.from({ length: AT_ONCE }, all));
  return swept;
}

/** Sorted as the index is: any other order would sort everything that is due for every batch. */
const timeOutDue: Batch = async (platform, tx, { from, to }) => {
  const due = await tx.query<WaitingOrder>(sql`
    select order_id as "orderId", merchant_id as "merchantId", supplier_id as "supplierId", product_id as "productId",
      account_id as "accountId", amount, payable, day, expires_at as "expiresAt" from waiting_orders
    where not timed_out and expires_at between ${from} and ${to} order by expires_at limit ${BATCH} for update skip locked`);
  await timeOut(platform, tx, due, SYSTEM, to);
  return due.map(({ expiresAt }) => expiresAt);
};

/**
 * SQL on `waiting_orders w`: a credit is held for the order, by its chain or because the order is frozen. Such a credit is money that was
 * seen already: until it is decided, the order keeps its amount, and the deposit carries it. Written as two conditions, PostgreSQL may make
 * joins of them and sort everything that is due for every batch (measured at 100,000: 570 ms instead of 11).
 */
const HAS_OPEN_CREDIT = sql`(
  exists (select from chain_holds h join messages m on m.id = h.message_id
    where h.order_id = w.order_id and m.state in ('held', 'untrusted'))
  or exists (select from collection_orders o
    join order_events e on e.order_id = o.id and e.kind = 'evidenceHeld' and e.id > o.id - ${ID_SLACK}
    join messages m on m.id = (e.data->>'messageId')::bigint and m.state = 'held'
    where o.id = w.order_id and o.frozen))`;

const releaseDue: Batch = async (platform, tx, { from, to }) => {
  const rows = await tx.query<
    Pick<
      WaitingOrder,
      'orderId' | 'supplierId' | 'accountId' | 'day' | 'payable' | 'currency' | 'held' | 'releaseAt'
    >
  >(
    hot(
      'release due amounts',
      sql`
    with due as (
      select order_id from waiting_orders w where timed_out and release_at between ${from} and ${to}
        and not ${HAS_OPEN_CREDIT}
      order by release_at limit ${BATCH} for update of w skip locked
    ), gone as (
      delete from waiting_orders where order_id in (select order_id from due) returning *
    ), cooling as (${coolAmounts(to)})
    select order_id as "orderId", supplier_id as "supplierId", account_id as "accountId", day, payable, currency, held,
      release_at as "releaseAt"
    from gone order by release_at`,
    ),
  );
  changeLoad(tx, rows.map(endsGrace), null);
  await returnHeld(platform, tx, rows);
  return rows.map(({ releaseAt }) => releaseAt);
};

/**
 * Moves locked waiting rows to 'timed out': status and history of the order, load of the account, and the timeout callback
 * where the setting asks for one. The amount stays reserved for the grace, so that a late payment finds its own order. Whoever
 * changes a waiting order locks its waiting row first, so the order rows need no lock of their own (measured: that saves a
 * fifth of the statement).
 */
export async function timeOut(
  platform: Platform,
  tx: Tx,
  rows: readonly Pick<
    WaitingOrder,
    'orderId' | 'merchantId' | 'supplierId' | 'productId' | 'accountId' | 'amount' | 'payable' | 'day'
  >[],
  actor: Actor,
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.orderId);
  const { TimeoutCallbackTime } = await platform.settings.all();
  tx.send(sql`update waiting_orders set timed_out = true where order_id = any(${ids})`);
  await transition(
    platform,
    tx,
    ids.map((orderId) => ({
      orderId,
      kind: 'timedOut',
      from: COLLECTION_STATUS.allocated,
      to: COLLECTION_STATUS.timedOut,
      actor,
      at,
    })),
  );
  // Last in the transaction, because allocations on these accounts wait for this lock.
  changeLoad(tx, rows.map(beginsGrace), null);
  recountTerms(
    tx,
    rows.flatMap((row) => termsCountsOf(row, -1)),
  );
  if (TimeoutCallbackTime > 0) {
    await enqueueCallbacks(
      platform,
      tx,
      (await readOrders(tx, ids)).map((order) => notificationOf(order, 'timeout')),
      new Date(at.getTime() + TimeoutCallbackTime * SECOND),
    );
  }
}
