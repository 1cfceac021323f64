import { type Queryable, sql } from '../platform/db/database.ts';
import { ORDER_COLUMNS, type CollectionOrder } from './order.ts';
import { readOrders } from './store.ts';

/** One collection order, for any caller: the caller has to check who may see it. */
export async function readOrder(db: Queryable, orderId: bigint): Promise<CollectionOrder | undefined> {
  return (await readOrders(db, [orderId]))[0];
}

/** The same order, made from the column texts of its row, as the archive keeps them. */
export async function orderOfTexts(
  db: Queryable,
  texts: Readonly<Record<string, string | null>>,
): Promise<CollectionOrder> {
  const [order] = await db.query<CollectionOrder>(sql`
    select ${ORDER_COLUMNS} from json_populate_record(null::collection_orders, ${JSON.stringify(texts)}::json) o`);
  return order!;
}
