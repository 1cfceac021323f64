import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { tiedToAuthors } from '../approvals/independence.ts';
import { approvalNeeded, startApproval } from '../approvals/start.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { isUnproven } from '../collection/matchable.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { actorOf } from '../history/events.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { lockWithChain } from '../evidence/matching/lock-with-chain.ts';
import { reverseLocked } from '../evidence/matching/reverse.ts';
import { directionOf } from '../order-numbers/numbers.ts';
import { lockForAction as lockPayoutForAction } from '../payout/actions.ts';
import { bringerOf } from '../payout/batch/own-word.ts';
import type { PayoutOrder } from '../payout/order.ts';
import { reversePayout } from '../payout/reverse.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { isFrozen } from '../treasury/owner.ts';

type Order = CollectionOrder | PayoutOrder;

interface Why {
  readonly reason: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A locked order that the viewer may reverse now, and the function that reverses it. */
interface Reversible {
  readonly amount: bigint;
  readonly currency: Currency;
  /** No message of the bank proves that it was paid. */
  readonly unproven: boolean;
  reverse(why: Why): Promise<Order>;
}

/** Who would give the money back is frozen. */
const FROZEN = refuse('conflict', {}, { reason: 'frozen' });

async function lockReversible(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  subject: ChosenOrder,
): Promise<Reversible | Refusal> {
  const direction = await directionOf(tx, subject.orderId);
  if (!direction) return refuse('notFound');
  if (direction === 'in') {
    // The order's message is either joined before this, or finds the order reversed.
    const locked = await lockWithChain(platform, tx, viewer, subject, 'reverse');
    if (isRefusal(locked)) return locked;
    const { order } = locked;
    if (await isFrozen(tx, 'merchant', order.merchantId)) return FROZEN;
    return {
      amount: order.received!,
      currency: order.currency,
      unproven: await hasNoMessage(tx, order),
      reverse: (why) => reverseLocked(platform, tx, viewer, order, why),
    };
  }
  const order = await lockPayoutForAction(tx, viewer, subject, 'reverse');
  if (isRefusal(order)) return order;
  if (order.payerHeld) return FROZEN;
  return {
    amount: order.amount,
    currency: order.currency,
    unproven: order.unproven,
    reverse: (why) => reversePayout(platform, tx, order, { actor: actorOf(viewer), ...why }),
  };
}

async function hasNoMessage(tx: Tx, { id }: CollectionOrder): Promise<boolean> {
  const [row] = await tx.query<{ unproven: boolean }>(sql`
    select ${isUnproven(sql`o`)} as unproven from collection_orders o where o.id = ${id}`);
  return row!.unproven;
}

/** Asks to reverse a paid collection order or a completed payout. Whoever asks, a superAdmin too, waits for a second person (1205). */
export async function reverse(
  platform: Platform,
  viewer: Viewer,
  input: ChosenOrder & { readonly reason?: string | undefined },
): Promise<Refusal> {
  const outcome = await platform.db.tx(async (tx) => {
    const locked = await lockReversible(platform, tx, viewer, input);
    if (isRefusal(locked)) return locked;
    return startApproval(platform, tx, viewer, {
      kind: 'reversal',
      subjectKind: 'order',
      subjectId: input.orderId,
      payload: {
        amount: Number(locked.amount),
        currency: locked.currency,
        ...(locked.unproven && { unproven: true }),
      },
      reason: input.reason ?? null,
      sole: true,
    });
  });
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

export const reversalApproval = approvalHandler({
  kind: 'reversal',
  payload: z.object({
    amount: z.int(),
    currency: z.enum(['INR', 'KES', 'USDT']),
    // Set when nothing proved the payment. If its message comes, they did not agree to take that back.
    unproven: z.literal(true).optional(),
    // Set when a bank's result file says that the payout came back.
    batchId: z.string().transform(BigInt).optional(),
    fileHash: z.string().nullish(),
  }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, approval, decider) {
    const locked = await lockReversible(platform, tx, decider, { orderId: approval.subjectId });
    if (isRefusal(locked)) return locked;
    const { id, startedBy, reason, subjectId: orderId } = approval;
    const { batchId, fileHash, unproven } = approval.payload;
    if (unproven && !locked.unproven) return refuse('conflict', {}, { reason: 'orderChanged' });
    if (batchId !== undefined && fileHash) {
      const author = await bringerOf(tx, { batchId, orderId, fileHash });
      if (author === undefined) return refuse('conflict', {}, { reason: 'otherFile' });
      const tied = await tiedToAuthors(platform, tx, decider, [author]);
      if (tied) return tied;
    }
    const data = { approvalId: String(id), startedBy: String(startedBy) };
    const order = await locked.reverse({ reason, data });
    return { orderStatusId: order.status };
  },
});
