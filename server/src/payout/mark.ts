import type { OrderMark } from '@sangam/contract/orders.ts';
import { sql } from '../platform/db/database.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { act } from './actions.ts';
import type { PayoutOrder } from './order.ts';

/** Marks a payout; the mark moves no money and changes no status. */
export function markPayout(
  platform: Platform,
  viewer: Viewer,
  input: { readonly orderId: bigint; readonly mark: OrderMark; readonly reason?: string | undefined },
): Promise<PayoutOrder | Refusal> {
  return act(platform, viewer, input.orderId, 'updateMark', async (tx, order) => {
    await tx.query(sql`update payout_orders set mark = ${input.mark} where id = ${order.id}`);
    await writeEvents(platform, tx, [
      {
        orderId: order.id,
        kind: 'marked',
        from: order.status,
        to: order.status,
        actor: actorOf(viewer),
        ...(input.reason ? { reason: input.reason } : {}),
        data: { before: order.mark, after: input.mark },
      },
    ]);
    return { ...order, mark: input.mark };
  });
}
