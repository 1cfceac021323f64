import { ORDER_MARK, PAID_STATUSES } from '@sangam/contract/orders.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';

export interface OrdersToday {
  readonly orders: number;
  /** Paid and not reversed. */
  readonly paid: number;
}

const NONE: OrdersToday = { orders: 0, paid: 0 };

/**
 * Orders created this business day, by merchant or supplier, without those marked 'test'. Ids rise with time, so the day is a
 * range of ids.
 */
export async function ordersToday(
  db: Queryable,
  owner: 'merchant' | 'supplier',
  ownerIds: readonly bigint[],
  now: Date,
): Promise<(ownerId: bigint) => OrdersToday> {
  const column = owner === 'merchant' ? sql`merchant_id` : sql`supplier_id`;
  const dayStart = parseTime(businessDay(now))!;
  const rows = await db.query<OrdersToday & { ownerId: bigint }>(sql`
    select ${column} as "ownerId", count(*)::int as orders,
      (count(*) filter (where status = any(${PAID_STATUSES}) and reversed_at is null))::int as paid
    from collection_orders where ${column} = any(${ownerIds}) and id >= ${firstIdAt(dayStart)} and mark <> ${ORDER_MARK.test}
    group by 1`);
  const byOwner = new Map(rows.map((row) => [row.ownerId, row]));
  return (ownerId) => byOwner.get(ownerId) ?? NONE;
}
