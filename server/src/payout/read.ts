import type { Queryable } from '../platform/db/database.ts';
import type { PayoutOrder } from './order.ts';
import { readPayouts } from './store.ts';

/** One payout order, whoever asks: whose it is, is the caller's matter. */
export async function readPayout(db: Queryable, orderId: bigint): Promise<PayoutOrder | undefined> {
  return (await readPayouts(db, [orderId]))[0];
}
