import { sql } from '@sangam/server/platform/db/database.ts';
import { firstIdAt } from '@sangam/server/platform/db/ids.ts';
import type { Rig } from '../rig.ts';

interface Batch {
  readonly merchantIds: readonly bigint[];
  readonly url: string;
  readonly count: number;
}

/** Pause between two checks whether all callbacks are recorded, in milliseconds. */
const LOOK = 20;

let written = 0;

/**
 * Writes paid orders with their due callbacks, as completing writes them. Returns the number of the first callback; the others
 * follow it. Returns only when the server has counted the orders, because counting is not part of a callback.
 */
export async function writeDue({ platform }: Rig, { merchantIds, url, count }: Batch): Promise<bigint> {
  const first = firstIdAt(new Date(Date.now() - 3_600_000)) + BigInt(written);
  written += count;
  await platform.db.tx(async (tx) => {
    await tx.query(sql`
      insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, payable, received, status,
        identify_code, notify_url, merchant_rate_ppm, merchant_fixed_fee, paid_at, created_at)
      select ${first}::bigint + n, (${merchantIds}::bigint[])[1 + n % ${merchantIds.length}], 'C' || (${first}::bigint + n), 1010, 'INR',
        50000, 50000, 50000, 6, 'C' || n, ${url}, 30000, 0, now(), now() from generate_series(0, ${count - 1}::int) n`);
    await tx.query(sql`
      insert into callbacks (id, order_id, merchant_id, kind, url, transport, fields, created_at, place)
      select o.id, o.id, o.merchant_id, 'paid', o.notify_url, 'json', jsonb_build_object('mchId', o.merchant_id::text,
        'mchOrderNo', o.mch_order_no, 'payOrderId', o.id::text, 'productId', '1010', 'amount', '50000', 'realAmount', '50000',
        'income', '48500', 'status', '1', 'paySuccessTime', '2026-01-01 12:00:00', 'utr', '632500000000'), now(), 1
      from collection_orders o where o.id >= ${first} and o.id < ${first + BigInt(count)}`);
    await tx.query(sql`
      insert into callback_queue (callback_id, order_id, merchant_id, place, next_at)
      select id, order_id, merchant_id, place, now() from callbacks where id >= ${first} and id < ${first + BigInt(count)}`);
    await tx.query(sql`
      insert into order_changes (id, order_id)
      select id, id from collection_orders where id >= ${first} and id < ${first + BigInt(count)}`);
  });
  await counted(platform);
  return first;
}

async function counted({ db }: Rig['platform']): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ waits: boolean }>(sql`
      select exists (select from statistics_changes) or exists (select from order_changes) as waits`);
    if (!row!.waits) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** Pauses or resumes the callbacks of all merchants. */
export const pauseCallbacks = (rig: Rig, paused: boolean) =>
  rig.platform.db.query(sql`update merchants set callbacks_paused = ${paused}`);

/** Resumes the merchants, waits until these callbacks are acknowledged and recorded, and returns their rate. */
export async function drained(rig: Rig, first: bigint, count: number): Promise<number> {
  const end = first + BigInt(count);
  const startedAt = performance.now();
  await pauseCallbacks(rig, false);
  for (let waiting = first; ;) {
    // Counts from the first callback that was waiting at the last check, so that finished ones are not read again. Checks over all
    // of them took a quarter of the database's time.
    const [row] = await rig.platform.db.query<{ id: bigint }>(sql`
      select callback_id as id from callback_queue where callback_id >= ${waiting} and callback_id < ${end} order by 1 limit 1`);
    if (!row) return (count / (performance.now() - startedAt)) * 1000;
    waiting = row.id;
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** Stops the check over all books. It runs twice a minute and takes as much CPU as 20,000 callbacks. */
export async function leaveBooks({ platform: { db } }: Rig): Promise<void> {
  await db.query(sql`
    insert into job_leases (name, token, leased_until) values ('verify.whole', gen_random_uuid(), now() + interval '1 hour')
    on conflict (name) do update set token = excluded.token, leased_until = excluded.leased_until`);
}
