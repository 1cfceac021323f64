import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import type { Platform } from '../platform.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { act } from './actions.ts';
import { actorOf } from './events.ts';
import type { CollectionOrder } from './order.ts';
import { settle } from './settle.ts';

/**
 * Completes an order on a UTR that did not match by itself. `offset`: the money came outside the order's account and
 * is posted against suspense instead of the supplier's deposit; an order that failed to allocate can be completed
 * no other way. The payable amount counts as received (the ordered one where none was set).
 */
export function supplement(
  platform: Platform,
  viewer: Viewer,
  input: { readonly orderId: bigint; readonly utr: string; readonly offset: boolean },
): Promise<CollectionOrder | Refusal> {
  return act(platform, viewer, input.orderId, 'supplement', async (tx, { order }) => {
    if (order.status === COLLECTION_STATUS.allocationFailed && !input.offset) return refuse('actionNotAllowed');
    const [settled] = await settle(platform, tx, [
      {
        orderId: order.id,
        received: order.payable ?? order.amount,
        utr: input.utr,
        by: 'supplement',
        offset: input.offset,
        actor: actorOf(viewer),
        data: { offset: input.offset },
      },
    ]);
    return isRefusal(settled) ? settled : settled!;
  });
}
