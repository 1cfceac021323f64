import { audit } from '../../platform/audit/record.ts';
import { actorOf } from '../../history/events.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { reverseCollection } from '../../collection/reverse.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { partMessage } from './join.ts';

/**
 * Reverses a paid, locked order in the caller's transaction and parts it from its bank message. By itself the message completes no other
 * order; an operator may join it.
 */
export async function reverseLocked(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  order: CollectionOrder,
  why: { readonly reason: string | null; readonly data: Readonly<Record<string, unknown>> },
): Promise<CollectionOrder> {
  const messageId = await partMessage(tx, order.id);
  const reversed = await reverseCollection(platform, tx, order, {
    actor: actorOf(viewer),
    reason: why.reason,
    data: { ...why.data, ...(messageId === null ? {} : { messageId: String(messageId) }) },
  });
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'order.reverse',
    subject: `order:${order.id}`,
    before: { status: order.status, reversed: false, utr: order.utr },
    after: { reversed: true },
    reason: why.reason,
    ip: viewer.ip,
  });
  return reversed;
}
