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
 * Daily limits of a supplier's terms, for payouts. A payout counts on the day it is claimed or goes into a batch of the supplier's account,
 * until it waits again or ends unpaid.
 */
export interface SupplierDays {
  readonly day: string;
  readonly byProduct: ReadonlyMap<number, TermsDayOf>;
}

/**
 * What counts towards the supplier's daily limits so far; begins to count where there is a limit. It locks the supplier's terms: somebody
 * who sets a limit at the same moment waits until this transaction has ended, and the new limit then counts what the transaction took.
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

/** Counts a payout in memory. Returns the limit that it would pass, and then counts nothing. */
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

/** Writes down the payouts that `fitIn` counted. The last step of its transaction: it runs again if another node counted meanwhile. */
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

/** Counts that take these payouts off their suppliers' days again, as they were when the payouts were read. */
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

/** Moves locked payouts back to 'waiting', with no supplier and no account. The event of each says why. */
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
