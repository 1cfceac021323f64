import { type Tx, sql } from '../../platform/db/database.ts';
import type { Mend } from '../../platform/mend.ts';
import { dropHolds } from './hold.ts';

/** Deletes chain holds whose message or order does not exist. */
export async function mendChainHolds(tx: Tx): Promise<Mend[]> {
  const rows = await tx.query<{ messageId: bigint; orderId: bigint; state: string | null }>(sql`
    select h.message_id as "messageId", h.order_id as "orderId", m.state
    from chain_holds h left join messages m on m.id = h.message_id
    where m.id is null
      or not exists (select from collection_orders o where o.id = h.order_id)
        and not exists (select from payout_orders p where p.id = h.order_id)
    order by h.message_id for update of h`);
  if (rows.length === 0) return [];
  await dropHolds(
    tx,
    rows.map(({ messageId }) => messageId),
  );
  return rows.map(({ messageId, orderId, state }) => ({
    kind: 'chainHold',
    subject: `message:${messageId}`,
    before: { orderId: String(orderId), state },
    after: {},
  }));
}
