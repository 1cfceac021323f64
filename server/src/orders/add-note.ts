import { DESK } from '@sangam/contract/endpoints/story.ts';
import { audit } from '../platform/audit/record.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import { directionOf } from '../order-numbers/numbers.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Adds a note to an order of either direction: an event of its history that only staff can read and nobody can change. */
export function addNote(
  platform: Platform,
  viewer: Viewer,
  { orderCode, note }: { readonly orderCode: string; readonly note: string },
): Promise<Record<string, never> | Refusal> {
  const orderId = BigInt(orderCode);
  return platform.db.tx(async (tx) => {
    if (!DESK.some((role) => role === viewer.role)) return refuse('forbidden');
    if (!(await directionOf(tx, orderId))) return refuse('notFound');
    await writeEvents(platform, tx, [
      { orderId, kind: 'noted', from: null, to: null, actor: actorOf(viewer), reason: note },
    ]);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'order.addNote',
      subject: `order:${orderId}`,
      after: { note },
      ip: viewer.ip,
    });
    return {};
  });
}
