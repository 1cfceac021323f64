import type { Queryable } from '../platform/db/database.ts';
import type { CollectionOrder } from './order.ts';
import { readOrders } from './store.ts';

/** One collection order, whoever asks: whose it is, is the caller's matter. */
export async function readOrder(db: Queryable, orderId: bigint): Promise<CollectionOrder | undefined> {
  return (await readOrders(db, [orderId]))[0];
}
