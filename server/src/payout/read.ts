import { type Queryable, sql } from '../platform/db/database.ts';
import { PAYOUT_COLUMNS, type PayoutOrder } from './order.ts';
import { readPayouts } from './store.ts';

/** One payout. The caller checks whether the viewer may see it. */
export async function readPayout(db: Queryable, orderId: bigint): Promise<PayoutOrder | undefined> {
  return (await readPayouts(db, [orderId]))[0];
}

/** A payout from the texts of its columns, as the archive keeps them. */
export async function payoutOfTexts(
  db: Queryable,
  texts: Readonly<Record<string, string | null>>,
): Promise<PayoutOrder> {
  const [order] = await db.query<PayoutOrder>(sql`
    select ${PAYOUT_COLUMNS} from json_populate_record(null::payout_orders, ${JSON.stringify(texts)}::json) o`);
  return order!;
}
