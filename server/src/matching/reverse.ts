import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { approvalNeeded, startApproval } from '../approvals/start.ts';
import { audit } from '../audit/record.ts';
import { act, lockForAction } from '../collection/actions.ts';
import { actorOf } from '../history/events.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { takeBack } from '../collection/reverse.ts';
import type { Tx } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { partMessage } from './join.ts';

/**
 * Takes a paid order's money back and lets its bank message match anew. A superAdmin does it at once; an admin's
 * request waits for one (1205).
 */
export async function reverse(
  platform: Platform,
  viewer: Viewer,
  input: { readonly orderId: bigint; readonly reason?: string | undefined },
): Promise<CollectionOrder | Refusal> {
  const reason = input.reason ?? null;
  const outcome = await act(platform, viewer, input.orderId, 'reverse', async (tx, { order }) =>
    viewer.role === 'superAdmin'
      ? { order: await reverseLocked(platform, tx, viewer, order, { reason }) }
      : startApproval(platform, tx, viewer, {
          kind: 'reversal',
          subjectKind: 'order',
          subjectId: order.id,
          payload: { amount: Number(order.received), currency: order.currency },
          reason,
          sole: true,
        }),
  );
  if (isRefusal(outcome)) return outcome;
  return 'order' in outcome ? outcome.order : approvalNeeded(outcome);
}

export const reversalApproval = approvalHandler({
  kind: 'reversal',
  payload: z.object({ amount: z.int(), currency: z.enum(['INR', 'KES', 'USDT']) }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, approval, decider) {
    const locked = await lockForAction(platform, tx, decider, approval.subjectId, 'reverse');
    if (isRefusal(locked)) return locked;
    const { id, startedBy, reason } = approval;
    const data = { approvalId: String(id), startedBy: String(startedBy) };
    const order = await reverseLocked(platform, tx, decider, locked.order, { reason, data });
    return { orderStatusId: order.status };
  },
});

async function reverseLocked(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  order: CollectionOrder,
  why: { readonly reason: string | null; readonly data?: Readonly<Record<string, unknown>> },
): Promise<CollectionOrder> {
  const messageId = await partMessage(tx, order.id);
  const reversed = await takeBack(platform, tx, order, {
    actor: actorOf(viewer),
    reason: why.reason,
    data: { ...why.data, ...(messageId === null ? {} : { messageId: String(messageId) }) },
  });
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'order.reverse',
    subject: `order:${order.id}`,
    before: { status: order.status, reversed: false, utr: order.utr },
    after: { reversed: true, reason: why.reason },
    ip: viewer.ip,
  });
  return reversed;
}
