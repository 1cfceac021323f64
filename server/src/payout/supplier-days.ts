import { businessDay } from '@sangam/contract/time.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import {
  beginTermsDays,
  countTowardsTerms,
  recountTerms,
  type TermsCount,
  type TermsDay,
  termsDayOf,
  type TermsDayOf,
  termsLimitReached,
} from '../terms/products/terms-day.ts';
import type { PayoutOrder } from './order.ts';
import { NOBODYS, transition } from './transition.ts';
import type { OrderEvent } from '../history/events.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Platform } from '../platform/platform.ts';

/**
 * Daily limits of a supplier's terms, for payouts: one counts on the day the supplier takes it upon itself, by a claim or
 * by a batch from its account, until it waits for others again or ends unpaid.
 */
export interface SupplierDays {
  readonly day: string;
  readonly byProduct: ReadonlyMap<number, TermsDayOf>;
}

/**
 * What the day has brought the supplier so far; counted from now on where there is a limit. A limit that is set meanwhile waits
 * for this transaction: what it takes is there to be counted.
 */
export async function supplierDays(
  tx: Tx,
  supplierId: bigint,
  productIds: readonly number[],
  at: Date,
): Promise<SupplierDays> {
  const day = businessDay(at);
  const rows = await tx.query<{
    productId: number;
    countLimit: number | null;
    amountLimit: bigint | null;
    orders: number | null;
    amount: bigint | null;
  }>(sql`
    select u.product_id as "productId", u.daily_count_limit as "countLimit", u.daily_amount_limit as "amountLimit", d.orders, d.amount
    from user_products u left join user_product_days d on d.owner_kind = u.owner_kind and d.owner_id = u.owner_id
      and d.product_id = u.product_id and d.day = ${day}
    where u.owner_kind = 'supplier' and u.owner_id = ${supplierId} and u.product_id = any(${productIds}::int[])
    order by u.product_id for share of u`);
  const days = rows.map(({ productId, countLimit, amountLimit, ...counted }) => ({
    ownerKind: 'supplier' as const,
    ownerId: supplierId,
    productId,
    day,
    termsDay: termsDayOf({ countLimit, amountLimit }, counted),
  }));
  await beginTermsDays(tx, days);
  return { day, byProduct: new Map(days.map((each) => [each.productId, each])) };
}

/** Lets a payout count, in memory; the limit it would go past when it does not fit any more. */
export function fitIn(
  { byProduct }: SupplierDays,
  { productId, amount }: Pick<PayoutOrder, 'productId' | 'amount'>,
): 'count' | 'amount' | undefined {
  const termsDay: TermsDay = byProduct.get(productId)!.termsDay;
  const reached = termsLimitReached(termsDay, amount);
  if (reached) return reached;
  termsDay.orders += 1;
  termsDay.amount += amount;
  return undefined;
}

/** Counts payouts that were fitted in and are the supplier's now; last in the transaction, which is run again when it lost a race. */
export async function countTaken(
  tx: Tx,
  { day, byProduct }: SupplierDays,
  orders: readonly PayoutOrder[],
): Promise<void> {
  await tx.query(
    sql`update payout_orders set taken_on = ${day} where id = any(${orders.map(({ id }) => id)})`,
  );
  await countTowardsTerms(
    tx,
    orders.map(({ productId, amount }) => ({ ...byProduct.get(productId)!, orders: 1 as const, amount })),
  );
}

/** What these payouts, as they were read, count for and shall count for no longer. */
export function takenCounts(orders: readonly PayoutOrder[]): TermsCount[] {
  return orders.flatMap(({ supplierId, takenOn, productId, amount }) =>
    supplierId === null || takenOn === null
      ? []
      : [
          {
            ownerKind: 'supplier',
            ownerId: supplierId,
            productId,
            day: takenOn,
            orders: -1,
            amount: -amount,
          },
        ],
  );
}

/** Puts locked payouts back to 'waiting', nobody's, for a reason that the event says. */
export async function putBack(
  platform: Platform,
  tx: Tx,
  orders: readonly PayoutOrder[],
  eventOf: (order: PayoutOrder) => Omit<OrderEvent, 'orderId' | 'from' | 'to'>,
  set: { readonly asked_at?: Date } = {},
): Promise<void> {
  await transition(
    platform,
    tx,
    orders.map((order) => ({
      orderId: order.id,
      from: order.status,
      to: PAYOUT_STATUS.waiting,
      ...eventOf(order),
    })),
    { ...NOBODYS, ...set },
  );
  recountTerms(tx, takenCounts(orders));
}
