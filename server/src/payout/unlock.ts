import { sql } from '../platform/db/database.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { act } from './actions.ts';
import type { PayoutOrder } from './order.ts';
import { readPayouts } from './store.ts';

/** Takes a payout away from the automatic process (a send or a batch) that holds it. The status stays as it is. */
export function unlock(platform: Platform, viewer: Viewer, orderId: bigint): Promise<PayoutOrder | Refusal> {
  return act(platform, viewer, orderId, 'unlock', async (tx, order) => {
    await tx.query(sql`update payout_orders set locked_by = null, locked_at = null where id = ${orderId}`);
    await writeEvents(platform, tx, [
      {
        orderId,
        kind: 'unlocked',
        from: order.status,
        to: order.status,
        actor: actorOf(viewer),
        data: { lockedBy: order.lockedBy },
      },
    ]);
    return (await readPayouts(tx, [orderId]))[0]!;
  });
}
