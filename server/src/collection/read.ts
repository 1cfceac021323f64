import { type Queryable, sql } from '../platform/db/database.ts';
import { ORDER_COLUMNS, type CollectionOrder } from './order.ts';
import { readOrders } from './store.ts';

/** One collection order, whoever asks: whose it is, is the caller's matter. */
export async function readOrder(db: Queryable, orderId: bigint): Promise<CollectionOrder | undefined> {
  return (await readOrders(db, [orderId]))[0];
}

/** The same from the texts of its row's columns, as the archive keeps them. */
export async function orderOfTexts(
  db: Queryable,
  texts: Readonly<Record<string, string | null>>,
): Promise<CollectionOrder> {
  const [order] = await db.query<CollectionOrder>(sql`
    select ${ORDER_COLUMNS} from json_populate_record(null::collection_orders, ${JSON.stringify(texts)}::json) o`);
  return order!;
}
