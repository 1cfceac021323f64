import type { Direction } from '@sangam/contract/products.ts';
import { type Queryable, type Tx, hot, sql } from '../platform/db/database.ts';
import { columnNames, unnestRows } from '../platform/db/unnest-rows.ts';

/** A merchant's order number: collection and payout orders share one numbering. */
export interface MerchantOrder {
  readonly merchantId: bigint;
  readonly mchOrderNo: string;
  readonly orderId: bigint;
  readonly direction: Direction;
  readonly contentHash: Buffer;
}

/** The unique key of an order number. */
export function numberKey(row: Pick<MerchantOrder, 'merchantId' | 'mchOrderNo'>): string {
  return `${row.merchantId}/${row.mchOrderNo}`;
}

/** Those of the given order numbers that are in use (merchant id and number by position). */
export function findMerchantOrders(
  db: Queryable,
  merchantIds: readonly bigint[],
  numbers: readonly string[],
): Promise<MerchantOrder[]> {
  return db.query<MerchantOrder>(
    hot(
      'merchant numbers',
      sql`
    select m.merchant_id as "merchantId", m.mch_order_no as "mchOrderNo", m.order_id as "orderId", m.direction,
      m.content_hash as "contentHash"
    from unnest(${merchantIds}::bigint[], ${numbers}::text[]) as v (merchant_id, mch_order_no)
    join merchant_orders m using (merchant_id, mch_order_no)`,
    ),
  );
}

/** Claims order numbers; answers the order ids whose number was free. Waits for a rival claim of an open transaction. */
export async function claimMerchantOrders(tx: Tx, rows: readonly MerchantOrder[]): Promise<Set<bigint>> {
  if (rows.length === 0) return new Set();
  const claimed = await tx.query<{ orderId: bigint }>(hot('claim numbers', claiming(rows)));
  return new Set(claimed.map((row) => row.orderId));
}

/** Claims the numbers without waiting for the answer: the transaction runs again unless all numbers were free. */
export function assertNumbersFree(tx: Tx, rows: readonly MerchantOrder[]): void {
  tx.send(
    hot(
      'assert_or_retry on numbers',
      sql`with claimed as (${claiming(rows)}) select assert_or_retry(count(*) = ${rows.length}) from claimed`,
    ),
  );
}

const NUMBER = {
  merchantId: 'bigint',
  mchOrderNo: 'text',
  orderId: 'bigint',
  direction: 'text',
  contentHash: 'bytea',
} as const;

const claiming = (rows: readonly MerchantOrder[]) => sql`
  insert into merchant_orders (${columnNames(NUMBER)}) select * from ${unnestRows(NUMBER, rows)}
  order by merchant_id, mch_order_no
  on conflict do nothing returning order_id as "orderId"`;

/** Gives back numbers that this transaction claimed for orders that were not created. */
export async function releaseMerchantOrders(tx: Tx, orderIds: readonly bigint[]): Promise<void> {
  if (orderIds.length === 0) return;
  await tx.query(sql`delete from merchant_orders where order_id = any(${orderIds})`);
}

/** The direction of an order; undefined when there is no such order. */
export async function directionOf(db: Queryable, orderId: bigint): Promise<Direction | undefined> {
  const [row] = await db.query<{ direction: Direction }>(
    sql`select direction from merchant_orders where order_id = ${orderId}`,
  );
  return row?.direction;
}
