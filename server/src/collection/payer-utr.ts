import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { writeEvents } from '../history/events.ts';
import type { CollectionOrder } from './order.ts';
import { payStateOf } from './pay-page.ts';
import { lockWithWaiting } from './store.ts';
import { isTest } from './test-orders.ts';
import type { WaitingOrder } from './waiting.ts';
import { lowestIdAfter } from '../platform/db/ids.ts';

/** How many different UTRs a payer may state. Each is kept in the order's history, and anybody with the page's address may state one. */
const MOST_UTRS = 10;

export interface RecordedUtr {
  readonly state: 'waiting' | 'paid' | 'timedOut';
  readonly order: CollectionOrder;
  readonly waiting: WaitingOrder | undefined;
}

/**
 * Records the payer's UTR on the order and its waiting row, both locked. Answers the state of the order. The UTR of a test order is kept for
 * people alone: it waits for no message.
 */
export async function recordPayerUtr(
  platform: Platform,
  tx: Tx,
  token: string,
  utr: string,
  ip: string,
): Promise<RecordedUtr | Refusal> {
  const orderId = platform.vault.orderOfPayToken(token);
  if (orderId === undefined) return refuse('notFound');
  const {
    orders: [order],
    waiting: [waiting],
  } = await lockWithWaiting(tx, [orderId]);
  if (!order) return refuse('notFound');
  const state = payStateOf(order);
  if (state === 'paid') return { state, order, waiting };
  if (state !== 'waiting' && state !== 'timedOut') return refuse('actionNotAllowed');
  // A test order charges nobody. A payment that came before it is another order's.
  const isOfTest = await isTest(tx, order);
  if (utr !== order.payerUtr) {
    if ((await countUtrs(tx, orderId)) >= MOST_UTRS) return refuse('tooMany');
    await tx.query(sql`update collection_orders set payer_utr = ${utr} where id = ${orderId}`);
    if (!isOfTest)
      await tx.query(sql`update waiting_orders set payer_utr = ${utr} where order_id = ${orderId}`);
    const actor = { kind: 'payer', id: null, ip } as const;
    await writeEvents(platform, tx, [
      { orderId, kind: 'utrSubmitted', from: order.status, to: order.status, actor, data: { utr } },
    ]);
  }
  return { state, order, waiting: isOfTest ? undefined : waiting };
}

async function countUtrs(tx: Tx, orderId: bigint): Promise<number> {
  const [row] = await tx.query<{ said: number }>(sql`
    select count(*)::int as said from order_events
    where order_id = ${orderId} and id > ${lowestIdAfter(orderId)} and kind = 'utrSubmitted'`);
  return row!.said;
}
