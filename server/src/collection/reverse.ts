import { enqueueCallbacks } from '../callbacks/enqueue.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { postMirror } from '../ledger/reverse.ts';
import type { Platform } from '../platform/platform.ts';
import { freeReferences } from '../order-numbers/claim.ts';
import { writeEvents, type Actor } from '../history/events.ts';
import { notificationOf } from './notification.ts';
import { reverseCorrection } from './offset.ts';
import type { CollectionOrder } from './order.ts';
import { forgetTestFee, isTest } from './test-orders.ts';

export interface Reversal {
  readonly actor: Actor;
  readonly reason: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Reverses a paid order, in the caller's transaction and under the order's lock: posts the mirror (of a test order it is
 * posted already), frees the UTR, writes history and the merchant's notification. The order keeps its status and the received
 * amount; `reversedAt` says that it no longer counts.
 */
export async function reverseCollection(
  platform: Platform,
  tx: Tx,
  order: CollectionOrder,
  reversal: Reversal,
): Promise<CollectionOrder> {
  const at = platform.clock.now();
  const why = {
    reason: reversal.reason,
    userId: reversal.actor.kind === 'user' ? reversal.actor.id : null,
  };
  if (await isTest(tx, order)) await forgetTestFee(tx, order.id);
  else {
    const outcome = await postMirror(platform, tx, {
      undo: `collection/${order.id}`,
      key: `reversal/${order.id}`,
      ...why,
    });
    // No leg can fail: what a balance lacks becomes debt. The order's lock excludes a second posting.
    if (outcome !== 'posted') throw new Error(`reversal of order ${order.id}: ${outcome}`);
  }
  await reverseCorrection(platform, tx, order.id, why);
  const freed = await freeReferences(tx, order.id);
  await tx.query(sql`update collection_orders set reversed_at = ${at} where id = ${order.id}`);
  await writeEvents(platform, tx, [
    {
      orderId: order.id,
      kind: 'reversed',
      from: order.status,
      to: order.status,
      actor: reversal.actor,
      ...(reversal.reason === null ? {} : { reason: reversal.reason }),
      data: { ...reversal.data, freed },
    },
  ]);
  const reversed = { ...order, reversedAt: at };
  await enqueueCallbacks(platform, tx, [notificationOf(reversed, 'reversed')]);
  return reversed;
}
