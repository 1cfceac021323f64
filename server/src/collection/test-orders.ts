import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { postMirror } from '../ledger/reverse.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { CollectionOrder } from './order.ts';
import type { OrderRow } from './store.ts';

/** Numbers of test orders begin like this. Other orders' numbers may, too: the table test_orders says which are tests. */
export const TEST_NUMBER = 'TEST-ORDER-';

const mayBeTest = ({ mchOrderNo }: Pick<OrderRow, 'mchOrderNo'>) => mchOrderNo.startsWith(TEST_NUMBER);

/** How long after its registration a test order may be created from any address; the console creates it at once. */
const CREATED_WITHIN = 5 * MINUTE;

/** Whether this number of a merchant was just registered as a test order's. */
export async function isNewTest(
  { clock, db }: Pick<Platform, 'clock' | 'db'>,
  merchantId: bigint,
  mchOrderNo: string | undefined,
): Promise<boolean> {
  if (mchOrderNo === undefined || !mayBeTest({ mchOrderNo })) return false;
  const since = new Date(clock.now().getTime() - CREATED_WITHIN);
  const rows = await db.query(sql`
    select from test_orders where merchant_id = ${merchantId} and mch_order_no = ${mchOrderNo} and created_at >= ${since}`);
  return rows.length > 0;
}

/** Marks those of the just inserted orders that are registered as test orders. */
export function markTests(tx: Tx, rows: readonly OrderRow[]): void {
  const ids = rows.filter(mayBeTest).map(({ id }) => id);
  if (ids.length === 0) return;
  tx.send(sql`
    update collection_orders o set mark = ${ORDER_MARK.test} from test_orders t
    where o.id = any(${ids}) and t.merchant_id = o.merchant_id and t.mch_order_no = o.mch_order_no`);
}

/**
 * Takes the money of test orders back in the transaction that credits them, by the mirror of the whole posting, so that no
 * balance ever shows it. The order stays paid, because its payment did come: its reference and its message pay no other order.
 * The merchant is notified as for any order. Returns the ids of the test orders.
 */
export async function takeBackTests(
  platform: Platform,
  tx: Tx,
  paid: readonly CollectionOrder[],
  at: Date,
): Promise<ReadonlySet<bigint>> {
  const named = paid.filter(mayBeTest);
  if (named.length === 0) return new Set();
  const orderOf = new Map(named.map((order) => [order.id, order]));
  const tests = await testsAmong(tx, [...orderOf.keys()]);
  for (const id of tests) {
    const outcome = await postMirror(platform, tx, {
      undo: `collection/${id}`,
      key: `reversal/${id}`,
      reason: null,
      userId: null,
    });
    if (outcome !== 'posted') throw new Error(`test order ${id} was not taken back: ${outcome}`);
    const { status, merchantId, productId, currency, fee } = orderOf.get(id)!;
    if (fee !== null && fee > 0n)
      tx.send(sql`
        insert into test_order_fees (order_id, merchant_id, product_id, currency, fee, paid_at)
        values (${id}, ${merchantId}, ${productId}, ${currency}, ${fee}, ${at})`);
    await writeEvents(platform, tx, [
      { orderId: id, kind: 'reversed', from: status, to: status, actor: SYSTEM, data: { test: true }, at },
    ]);
  }
  return new Set(tests);
}

/** A test order that is reversed has no fee any more in the statistics, from which invoices subtract what tests were charged. */
export async function forgetTestFee(tx: Tx, orderId: bigint): Promise<void> {
  await tx.query(sql`delete from test_order_fees where order_id = ${orderId}`);
}

/** Whether an order is a test order, whose money was taken back when it was paid. */
export async function isTest(tx: Tx, order: Pick<CollectionOrder, 'id' | 'mchOrderNo'>): Promise<boolean> {
  return mayBeTest(order) && (await testsAmong(tx, [order.id])).length > 0;
}

async function testsAmong(tx: Tx, ids: readonly bigint[]): Promise<bigint[]> {
  const rows = await tx.query<{ id: bigint }>(sql`
    select o.id from collection_orders o
    join test_orders t on t.merchant_id = o.merchant_id and t.mch_order_no = o.mch_order_no
    where o.id = any(${ids}) order by o.id`);
  return rows.map(({ id }) => id);
}
