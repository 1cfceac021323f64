import { changeLoad } from '../accounts/load.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { SYSTEM, writeEvents, type Actor } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { timeOut } from './expire.ts';
import type { CollectionOrder } from './order.ts';
import { releaseWaiting } from './hold.ts';
import { lockOrder, readOrders } from './store.ts';
import { endsGrace } from './waiting.ts';

/**
 * The merchant's program cancels an order that nobody has paid: the order times out now and its account is free. If a payment
 * still comes, an operator decides about it.
 */
export function cancelByMerchant(
  platform: Platform,
  merchant: { readonly id: bigint; readonly ip: string },
  orderId: bigint,
): Promise<CollectionOrder | Refusal> {
  const actor = { kind: 'merchant', id: merchant.id, ip: merchant.ip } as const;
  return cancel(platform, orderId, actor, (order) => order.merchantId === merchant.id);
}

/** The gateway refused the order: the order ceases to wait on that account. */
export function cancelRefused(
  platform: Platform,
  orderId: bigint,
  accountId: bigint,
  reason: string,
): Promise<CollectionOrder | Refusal> {
  return cancel(platform, orderId, SYSTEM, (order) => order.accountId === accountId, reason);
}

function cancel(
  platform: Platform,
  orderId: bigint,
  actor: Actor,
  isMeant: (order: CollectionOrder) => boolean,
  reason?: string,
): Promise<CollectionOrder | Refusal> {
  return platform.db.tx(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (!locked || !isMeant(locked.order)) return refuse('notFound');
    const { order, waiting } = locked;
    if (order.status !== COLLECTION_STATUS.allocated || !waiting) return refuse('actionNotAllowed');
    await timeOut(platform, tx, [waiting], actor, platform.clock.now());
    changeLoad(tx, [endsGrace(waiting)], null);
    await releaseWaiting(platform, tx, [waiting]);
    const [released] = await readOrders(tx, [orderId]);
    await writeEvents(platform, tx, [
      {
        orderId,
        kind: 'released',
        from: released!.status,
        to: released!.status,
        actor,
        ...(reason === undefined ? {} : { reason }),
        data: { cancelled: true },
      },
    ]);
    return released!;
  });
}
