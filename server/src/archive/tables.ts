import type { ARCHIVE_TABLES } from '@sangam/contract/archive.ts';
import { DAY } from '../platform/clock.ts';
import { type Sql, raw, sql } from '../platform/db/database.ts';
import { COLLECTION, PAYOUT } from '../platform/db/statuses.ts';

export type ArchivedTable = (typeof ARCHIVE_TABLES)[number];
export type OrderTable = 'collection_orders' | 'payout_orders';

/** How long an order that was asked back stays. */
const RESTORED_STAYS = 30 * DAY;

/** SQL on a row `o`: the order it belongs to. A message without an order stands for itself. */
const KEYS: Readonly<Record<ArchivedTable, string>> = {
  collection_orders: 'o.id',
  payout_orders: 'o.id',
  order_events: 'o.order_id',
  callback_attempts: 'o.order_id',
  messages: 'coalesce(o.order_id, o.id)',
};
export const keyOf = (table: ArchivedTable): Sql => raw(KEYS[table]);

/** The same for a row of texts. */
export function keyIn(
  table: ArchivedTable,
  columns: readonly string[],
  row: readonly (string | null)[],
): bigint {
  const id = row[columns.indexOf('id')]!;
  return BigInt(isOrders(table) ? id : (row[columns.indexOf('order_id')] ?? id));
}

export const isOrders = (table: ArchivedTable): table is OrderTable =>
  table === 'collection_orders' || table === 'payout_orders';

/** SQL: nothing waits for the order `o`, and nobody asked it back since `since`. */
const nothingWaits = (since: Sql): Sql => sql`
  not o.frozen and not o.legal_hold
  and not exists (select from callback_queue q where q.order_id = o.id)
  and not exists (select from order_changes c where c.order_id = o.id)
  and not exists (select from approvals p where p.status = 'pending' and p.subject_kind = 'order' and p.subject_id = o.id)
  and not exists (select from archive_restores r where r.order_id = o.id
    and r.asked_at > ${since})
  and not exists (select from archive_restores r join archives a on a.id = r.archive_id where r.asked_at > ${since}
    and a.month = date_trunc('month', o.created_at at time zone 'UTC')::date)`;

const isArchivedOrder = sql`exists (select from archived_orders a where a.order_id = o.order_id)`;

/**
 * SQL on rows `o` of the table: whether they may be archived. Orders: finished, unchanged since `until`, not frozen, nothing waits for
 * them, no payer says to have paid, and no payout needs proof or its gateway's answer. Other rows: those of archived orders. History only
 * once it is sealed. Among messages without an order, an unexplained credit stays.
 */
export function readyRows(table: ArchivedTable, until: Date, now: Date): Sql {
  // Written into the text, because a cursor takes no parameters.
  const literal = (moment: Date) => raw(`'${moment.toISOString()}'::timestamptz`);
  const since = literal(new Date(now.getTime() - RESTORED_STAYS));
  const old = (...times: string[]) =>
    sql`greatest(${raw(times.map((time) => `o.${time}`).join(', '))}) < ${literal(until)}`;
  switch (table) {
    case 'collection_orders':
      return sql`(o.status in (${COLLECTION.timedOut}, ${COLLECTION.callbackSucceeded}, ${COLLECTION.callbackFailed}, ${COLLECTION.allocationFailed}) and ${old('created_at', 'allocated_at', 'paid_at', 'reversed_at')}
        and not (o.status = ${COLLECTION.timedOut} and o.payer_utr is not null) and ${nothingWaits(since)}
        and not exists (select from waiting_orders w where w.order_id = o.id)
        and not exists (select from chain_holds h where h.order_id = o.id)
        and not exists (select from no_loss_open n where n.order_id = o.id))`;
    case 'payout_orders':
      return sql`(o.status in (${PAYOUT.completed}, ${PAYOUT.cancelled}, ${PAYOUT.rejected}) and ${old('created_at', 'claimed_at', 'submitted_at', 'finished_at', 'reversed_at')} and not o.unproven and o.locked_by is null and o.sending_since is null
        and (o.ask_again_at is null or o.ask_again_at < ${literal(until)}) and ${nothingWaits(since)}
        and not exists (select from payout_batch_orders b where b.order_id = o.id and b.state = 'pending'))`;
    case 'order_events':
      return sql`(${isArchivedOrder} and o.tx_id < (select coalesce(max(to_tx), 0) from audit_blocks))`;
    case 'callback_attempts':
      return sql`(${isArchivedOrder})`;
    case 'messages':
      // A debit without a payout stays while its account has payouts that wait for their debit.
      return sql`(o.state in ('matched', 'duplicate', 'ignored', 'unparsed') and (o.order_id is not null and ${isArchivedOrder}
        or o.order_id is null and not (o.direction is not distinct from 'debit' and o.state = 'ignored' and exists (
          select from payout_orders p where p.account_id = o.account_id and p.status in (${PAYOUT.inProgress}, ${PAYOUT.toBeConfirmed}, ${PAYOUT.submitted})))))`;
  }
}

/** SQL: the amount that an order `o` moved. */
const moved = (table: OrderTable): Sql =>
  table === 'collection_orders'
    ? sql`coalesce(o.received, 0)`
    : sql`case o.status when ${PAYOUT.completed} then o.amount else 0 end`;

/** SQL: rows of `day`, `merchantId`, `currency`, `count`, `amount`, `moved`, `idSum` for the orders `o` in `from`. Sums are texts. */
export function orderSums(table: OrderTable, from: Sql): Sql {
  return sql`
    select (o.created_at at time zone 'Asia/Kolkata')::date::text as day, o.merchant_id::text as "merchantId", o.currency,
      count(*)::int as count, sum(o.amount)::text as amount, sum(${moved(table)})::text as moved, sum(o.id)::text as "idSum"
    from ${from} group by 1, o.merchant_id, 3 order by 1, o.merchant_id, 3`;
}

/** Sums of orders by day, merchant and currency. Amounts are minor units, as text. */
export interface OrderSum {
  readonly day: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  readonly moved: string;
}
