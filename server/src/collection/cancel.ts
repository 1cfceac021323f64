import { changeLoad } from '../accounts/load.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import { timeOut } from './expire.ts';
import type { CollectionOrder } from './order.ts';
import { releaseWaiting } from './hold.ts';
import { lockOrder, readOrders } from './store.ts';
import { endsGrace, type WaitingOrder } from './waiting.ts';

/**
 * The merchant's program cancels an order that nobody has paid: the order times out now. Its payer may still pay, so it keeps account and
 * amount, and the deposit carries it, until its grace ends.
 */
export function cancelByMerchant(
  platform: Platform,
  merchant: { readonly id: bigint; readonly ip: string },
  orderId: bigint,
): Promise<CollectionOrder | Refusal> {
  const actor = { kind: 'merchant', id: merchant.id, ip: merchant.ip } as const;
  return platform.db.tx(async (tx) => {
    const waiting = await lockAllocated(tx, orderId, (order) => order.merchantId === merchant.id);
    if (isRefusal(waiting)) return waiting;
    await timeOut(platform, tx, [waiting], actor, platform.clock.now());
    return (await readOrders(tx, [orderId]))[0]!;
  });
}

/** The gateway refused the order: the order ceases to wait on that account, which is free. If a payment still comes, an operator decides. */
export function cancelRefused(
  platform: Platform,
  orderId: bigint,
  accountId: bigint,
  reason: string,
): Promise<CollectionOrder | Refusal> {
  return platform.db.tx(async (tx) => {
    const waiting = await lockAllocated(tx, orderId, (order) => order.accountId === accountId);
    if (isRefusal(waiting)) return waiting;
    await timeOut(platform, tx, [waiting], SYSTEM, platform.clock.now());
    changeLoad(tx, [endsGrace(waiting)], null);
    await releaseWaiting(platform, tx, [waiting]);
    const [released] = await readOrders(tx, [orderId]);
    const { status } = released!;
    const event = { orderId, kind: 'released', from: status, to: status, actor: SYSTEM, reason } as const;
    await writeEvents(platform, tx, [{ ...event, data: { cancelled: true } }]);
    return released!;
  });
}

async function lockAllocated(
  tx: Tx,
  orderId: bigint,
  isMeant: (order: CollectionOrder) => boolean,
): Promise<WaitingOrder | Refusal> {
  const locked = await lockOrder(tx, orderId);
  if (!locked || !isMeant(locked.order)) return refuse('notFound');
  const { order, waiting } = locked;
  return order.status === COLLECTION_STATUS.allocated && waiting ? waiting : refuse('actionNotAllowed');
}
