import { firstIdAt } from '@sangam/server/platform/db/ids.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import { inDatabase } from './database.ts';
import { demo } from './demo.ts';

/**
 * Writes unpaid, timed-out orders of a merchant, one per millisecond from `first` on: more than the API can create in a test's
 * time. Returns code and amount (minor units) of all timed-out orders of that time, newest first.
 */
export function writeTimedOut(count: number, first: Date): Promise<string[]> {
  const [from, to] = [firstIdAt(first), firstIdAt(new Date(first.getTime() + count))];
  return inDatabase(async (db) => {
    await db.query(sql`
      insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, payable, status, identify_code,
        notify_url, subject, merchant_rate_ppm, merchant_fixed_fee, created_at)
      select ${from}::bigint + (n::bigint << 22), ${BigInt(demo().merchants[0]!.mchId)}, 'PAST' || n, 1010, 'INR', 100000 + n,
        100000 + n, 2, 'P' || n, 'http://127.0.0.1:9/notify', 'Nobody paid, "really"', 30000, 0, ${first}::timestamptz + n * interval '1 ms'
      from generate_series(0, ${count - 1}::int) n on conflict do nothing`);
    const rows = await db.query<{ text: string }>(sql`
      select id || ' ' || amount as text from collection_orders where id >= ${from} and id < ${to} and status = 2 order by id desc`);
    return rows.map(({ text }) => text);
  });
}
