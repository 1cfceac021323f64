import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { act } from '../collection/actions.ts';
import { actorOf } from '../history/events.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { settle } from '../collection/settle.ts';
import type { Platform } from '../platform.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { joinMessage, lockUnmatchedCredit } from './join.ts';

/**
 * Completes an order on a UTR that did not match by itself. `offset`: the money came outside the order's account and
 * is posted against suspense instead of the supplier's deposit; an order that failed to allocate can be completed
 * no other way. A stored credit of the account with this UTR is joined to the order and its amount counts as
 * received; without one the payable amount does (the ordered one where none was set).
 */
export function supplement(
  platform: Platform,
  viewer: Viewer,
  input: { readonly orderId: bigint; readonly utr: string; readonly offset: boolean },
): Promise<CollectionOrder | Refusal> {
  return act(platform, viewer, input.orderId, 'supplement', async (tx, { order }) => {
    if (order.status === COLLECTION_STATUS.allocationFailed && !input.offset)
      return refuse('actionNotAllowed');
    const credit =
      input.offset || order.accountId === null
        ? undefined
        : await lockUnmatchedCredit(tx, order.accountId, input.utr);
    const [settled] = await settle(platform, tx, [
      {
        orderId: order.id,
        received: credit?.amount ?? order.payable ?? order.amount,
        utr: input.utr,
        by: 'supplement',
        offset: input.offset,
        actor: actorOf(viewer),
        data: { offset: input.offset, ...(credit ? { messageId: String(credit.id) } : {}) },
      },
    ]);
    if (isRefusal(settled)) return settled;
    if (credit) await joinMessage(platform, tx, credit.id, order.id, 'supplement');
    return settled!;
  });
}
