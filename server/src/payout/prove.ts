import { type Tx, sql } from '../db/database.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { joinMessage } from '../matching/join.ts';
import type { Platform } from '../platform.ts';
import { isOfAnother, lockDebit, OPEN_DEBIT } from './debits.ts';
import type { PayoutOrder } from './order.ts';
import { lockPayouts } from './store.ts';

const BATCH = 100;

/**
 * Joins debit messages that came after their supplier had confirmed the payout: it is proven now. A sweep of its own, so
 * that a message and a confirmation that cross each other unseen still find together.
 */
export async function proveConfirmed(platform: Platform): Promise<number> {
  const found = await platform.db.query<{ id: bigint }>(sql`
    select o.id from payout_orders o
    where o.unproven and exists (
      select from messages m where m.utr = o.utr and m.supplier_id = o.supplier_id and ${OPEN_DEBIT}
        and (o.account_id is null or m.account_id = o.account_id) and m.amount = o.amount)
      and not ${isOfAnother(sql`o.utr`, sql`o.id`)}
    order by o.id limit ${BATCH}`);
  let proven = 0;
  for (const { id } of found) {
    const joined = await platform.db.tx(async (tx) => {
      const [order] = await lockPayouts(tx, [id]);
      return order?.unproven ? prove(platform, tx, order) : false;
    });
    if (joined) proven += 1;
  }
  return proven;
}

async function prove(platform: Platform, tx: Tx, order: PayoutOrder): Promise<boolean> {
  const debit = await lockDebit(tx, order, order.utr);
  if (!debit) return false;
  await tx.query(sql`update payout_orders set unproven = false where id = ${order.id}`);
  await joinMessage(platform, tx, debit.id, order.id, 'payoutUtr');
  await writeEvents(platform, tx, [
    {
      orderId: order.id,
      kind: 'proven',
      from: order.status,
      to: order.status,
      actor: SYSTEM,
      data: { messageId: String(debit.id) },
    },
  ]);
  return true;
}
