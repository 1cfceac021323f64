import { changeLoad } from '../accounts/load.ts';
import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { act } from './actions.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import { timeOut } from './expire.ts';
import type { CollectionOrder } from './order.ts';
import { releaseWaiting } from './hold.ts';
import { readOrders } from './store.ts';
import { endsGrace } from './waiting.ts';

/**
 * Releases account and amount now. An order that still waits times out. Only a person can join a later payment to the order,
 * because another order may get its amount from now on. Freed by its supplier, the order only times out: its payer may still pay,
 * so it keeps its amount, and the deposit carries it, until its grace ends.
 */
export function freeResource(
  platform: Platform,
  viewer: Viewer,
  input: ChosenOrder & { readonly offset: boolean },
): Promise<CollectionOrder | Refusal> {
  return act(platform, viewer, input, 'freeResource', async (tx, { order, waiting }) => {
    const actor = actorOf(viewer);
    if (!waiting!.timedOut) await timeOut(platform, tx, [waiting!], actor, platform.clock.now());
    if (!isStaff(viewer)) return (await readOrders(tx, [order.id]))[0]!;
    changeLoad(tx, [endsGrace(waiting!)], null);
    await releaseWaiting(platform, tx, [waiting!]);
    const [released] = await readOrders(tx, [order.id]);
    await writeEvents(platform, tx, [
      {
        orderId: order.id,
        kind: 'released',
        from: released!.status,
        to: released!.status,
        actor,
        data: { accountId: String(waiting!.accountId), offset: input.offset },
      },
    ]);
    return released!;
  });
}
