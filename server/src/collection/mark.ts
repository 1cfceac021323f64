import { ORDER_MARK, type OrderMark } from '@sangam/contract/orders.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { act } from './actions.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import type { CollectionOrder } from './order.ts';

/** Marks an order; the mark moves no money and changes no status. */
export function updateMark(
  platform: Platform,
  viewer: Viewer,
  input: { readonly orderId: bigint; readonly mark: OrderMark; readonly reason?: string | undefined },
): Promise<CollectionOrder | Refusal> {
  return act(platform, viewer, input.orderId, 'updateMark', async (tx, { order }) => {
    await writeMark(platform, tx, viewer, order, input.mark, input.reason);
    return { ...order, mark: input.mark };
  });
}

/** Marks an order suspicious, once, when its payer's address differs from the one the merchant named (EnableIpChangedCheck). */
export async function markElsewhere(platform: Platform, order: CollectionOrder, ip: string): Promise<void> {
  const { ordinary, suspicious } = ORDER_MARK;
  await platform.db.tx(async (tx) => {
    const marked = await tx.query(sql`
      update collection_orders set mark = ${suspicious} where id = ${order.id} and mark = ${ordinary} returning id`);
    if (marked.length === 0) return;
    const actor = { kind: 'payer', id: null, ip } as const;
    const data = { before: ordinary, after: suspicious };
    await writeEvents(platform, tx, [
      { orderId: order.id, kind: 'marked', from: order.status, to: order.status, actor, data },
    ]);
  });
}

/** Marks a locked order as part of a larger command. */
export async function writeMark(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  order: CollectionOrder,
  mark: OrderMark,
  reason?: string,
): Promise<void> {
  await tx.query(sql`update collection_orders set mark = ${mark} where id = ${order.id}`);
  await writeEvents(platform, tx, [
    {
      orderId: order.id,
      kind: 'marked',
      from: order.status,
      to: order.status,
      actor: actorOf(viewer),
      ...(reason ? { reason } : {}),
      data: { before: order.mark, after: mark },
    },
  ]);
}
