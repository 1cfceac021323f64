import { openDatabase, sql } from '@sangam/server/platform/db/database.ts';
import { snapshotsOf, verify } from '@sangam/server/verify/verify.ts';
import type { ReceivedNotification } from '../merchant/merchant-endpoint.ts';
import type { Asked } from './traffic.ts';

/** A killed worker keeps the row of its callback for half a minute more. */
const CALLBACK_MS = 60_000;

/** The orders that each order number has made. */
export async function numbersInUse(
  databaseUrl: string,
  asked: readonly Asked[],
): Promise<Map<string, string[]>> {
  const db = openDatabase(databaseUrl, { maxConnections: 1 });
  try {
    const rows = await db.query<{ number: string; id: bigint }>(sql`
      select o.merchant_id || '/' || o.mch_order_no as number, o.id from collection_orders o
      where o.mch_order_no = any(${asked.map(({ mchOrderNo }) => mchOrderNo)})
      union all
      select o.merchant_id || '/' || o.mch_order_no, o.id from payout_orders o
      where o.mch_order_no = any(${asked.map(({ mchOrderNo }) => mchOrderNo)})`);
    const found = Map.groupBy(rows, ({ number }) => number);
    return new Map([...found].map(([number, orders]) => [number, orders.map(({ id }) => String(id))]));
  } finally {
    await db.close();
  }
}

export const numberOf = ({ mchId, mchOrderNo }: Asked) => `${mchId}/${mchOrderNo}`;

/** The invariants that the database violates now. */
export async function brokenInvariants(databaseUrl: string): Promise<string[]> {
  const db = openDatabase(databaseUrl, { maxConnections: 2 });
  const broken: string[] = [];
  try {
    for (const { currency, sum } of await db.query<{ currency: string; sum: bigint }>(sql`
      select p.currency, sum(e.amount)::bigint as sum from ledger_entries e join postings p on p.id = e.posting_id
      group by 1 having sum(e.amount) <> 0`))
      broken.push(`the ledger of ${currency} sums to ${sum}`);
    for (const { id, counted, waits } of await db.query<{ id: bigint; counted: number; waits: number }>(sql`
      select l.account_id as id, l.waiting_count as counted, count(w.order_id)::int as waits
      from account_load l left join waiting_orders w on w.account_id = l.account_id and not w.timed_out
      group by 1, 2 having l.waiting_count <> count(w.order_id)`))
      broken.push(`account ${id} counts ${counted} waiting orders, ${waits} wait`);
    for await (const { name, ok, detail } of verify(await snapshotsOf(db)))
      if (!ok) broken.push(`verify: ${name}: ${detail}`);
  } finally {
    await db.close();
  }
  return broken;
}

/**
 * Orders whose merchants should have been notified by now, and were not. An order whose payment is held for its account's chain
 * does not count: it waits in a person's queue.
 */
export async function unreported(
  databaseUrl: string,
  asked: readonly Asked[],
  notifications: readonly ReceivedNotification[],
  waitMs = CALLBACK_MS,
): Promise<Asked[]> {
  const told = new Set(
    notifications.filter(({ acknowledged }) => acknowledged).map(({ mchOrderNo }) => mchOrderNo),
  );
  const late = asked.filter(
    ({ endedAt, mchOrderNo }) => endedAt !== null && endedAt < Date.now() - waitMs && !told.has(mchOrderNo),
  );
  if (late.length === 0) return [];
  const db = openDatabase(databaseUrl, { maxConnections: 1 });
  try {
    const held = await db.query<{ number: string }>(sql`
      select o.mch_order_no as number from chain_holds h join collection_orders o on o.id = h.order_id
      join messages m on m.id = h.message_id and m.state in ('held', 'untrusted') and m.amount = o.payable
      where o.mch_order_no = any(${late.map(({ mchOrderNo }) => mchOrderNo)})`);
    const numbers = new Set(held.map(({ number }) => number));
    return late.filter(({ mchOrderNo }) => !numbers.has(mchOrderNo));
  } finally {
    await db.close();
  }
}
