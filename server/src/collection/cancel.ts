import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { writeEvents } from '../history/events.ts';
import type { Platform } from '../platform.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { timeOut } from './expire.ts';
import type { CollectionOrder } from './order.ts';
import { releaseWaiting } from './hold.ts';
import { lockOrder, readOrders } from './store.ts';

/**
 * The merchant's program takes back an order nobody has paid: it times out now and its account is free. A payment that
 * comes all the same is an operator's matter.
 */
export function cancelByMerchant(
  platform: Platform,
  merchant: { readonly id: bigint; readonly ip: string },
  orderId: bigint,
): Promise<CollectionOrder | Refusal> {
  return platform.db.tx(async (tx) => {
    const locked = await lockOrder(tx, orderId);
    if (locked?.order.merchantId !== merchant.id) return refuse('notFound');
    const { order, waiting } = locked;
    if (order.status !== COLLECTION_STATUS.allocated || !waiting) return refuse('actionNotAllowed');
    const actor = { kind: 'merchant', id: merchant.id, ip: merchant.ip } as const;
    await timeOut(platform, tx, [waiting], actor, platform.clock.now());
    await releaseWaiting(platform, tx, [waiting]);
    const [released] = await readOrders(tx, [orderId]);
    await writeEvents(platform, tx, [
      {
        orderId,
        kind: 'released',
        from: released!.status,
        to: released!.status,
        actor,
        data: { cancelled: true },
      },
    ]);
    return released!;
  });
}
