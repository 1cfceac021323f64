import { sql } from '../platform/db/database.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { act } from './actions.ts';
import { claimProven } from './claimed-references.ts';
import type { PayoutOrder } from './order.ts';

/** An operator has seen proof that no message gives: the supplier's word counts from now on. 1204 when its UTR is another's by now. */
export function acceptProof(
  platform: Platform,
  viewer: Viewer,
  input: ChosenOrder & { readonly reason: string },
): Promise<PayoutOrder | Refusal> {
  const { orderId, reason } = input;
  return act(platform, viewer, input, 'acceptProof', async (tx, order) => {
    if (!(await claimProven(tx, order, platform.clock.now()))) return refuse('utrUsed');
    await tx.query(sql`update payout_orders set unproven = false where id = ${orderId}`);
    await writeEvents(platform, tx, [
      {
        orderId,
        kind: 'proofAccepted',
        from: order.status,
        to: order.status,
        actor: actorOf(viewer),
        reason,
      },
    ]);
    return { ...order, unproven: false };
  });
}
