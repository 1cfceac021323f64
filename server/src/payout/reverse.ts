import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { audit } from '../platform/audit/record.ts';
import { enqueueCallbacks } from '../callbacks/enqueue.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { type Actor, SYSTEM, writeEvents } from '../history/events.ts';
import { postMirror } from '../ledger/reverse.ts';
import { partMessage } from '../evidence/matching/join.ts';
import type { Platform } from '../platform/platform.ts';
import { freeReferences } from '../order-numbers/claim.ts';
import { ASK_ENDED_EVERY } from './complete.ts';
import { isCompletedByGateway, notifyContradiction, withHeldReversal } from './contradicted.ts';
import { notificationsOf } from './notification.ts';
import type { PayoutOrder } from './order.ts';
import { completedKey } from './posting.ts';
import { lockPayouts, readPayouts } from './store.ts';
import { transition } from './transition.ts';

export interface PayoutReversal {
  readonly actor: Actor;
  readonly reason: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Reverses a completed, locked payout in the caller's transaction. The merchant gets amount and fee back as available money. Supplier,
 * agents and platform give back what they got; what they cannot give becomes their debt. The UTR is free again. The debit message is
 * parted from the payout and proves no other one by itself. The merchant is notified. Afterwards the status is 6, with `reversedAt`.
 */
export async function reversePayout(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  { actor, reason, data }: PayoutReversal,
): Promise<PayoutOrder> {
  const at = platform.clock.now();
  const messageId = await partMessage(tx, order.id);
  const outcome = await postMirror(platform, tx, {
    undo: completedKey(order.id),
    key: `reversal/${order.id}`,
    reason,
    userId: actor.kind === 'user' ? actor.id : null,
  });
  // No leg can fail: each spills into debt. The order's lock excludes a second posting.
  if (outcome !== 'posted') throw new Error(`reversal of payout ${order.id}: ${outcome}`);
  const freed = await freeReferences(tx, order.id);
  const step = {
    orderId: order.id,
    kind: 'reversed',
    from: order.status,
    to: PAYOUT_STATUS.rejected,
    actor,
    ...(reason === null ? {} : { reason }),
    data: { ...data, freed, ...(messageId === null ? {} : { messageId: String(messageId) }) },
  } as const;
  await transition(platform, tx, [step], { reversed_at: at, unproven: false, reject_reason: reason });
  await audit(platform, tx, {
    userId: actor.kind === 'user' ? actor.id : null,
    action: 'order.reverse',
    subject: `order:${order.id}`,
    before: { status: order.status, reversed: false, utr: order.utr },
    after: { reversed: true },
    reason,
    ip: actor.ip,
  });
  const [reversed] = await readPayouts(tx, [order.id]);
  await enqueueCallbacks(platform, tx, notificationsOf([reversed!]), at);
  return reversed!;
}

/**
 * A gateway says, perhaps days later, that a payout it completed by this attempt was not paid: the system reverses it, once however often
 * the gateway says so. The reversal of a frozen payout, or of a frozen merchant's, is held until both are unfrozen, because the gateway may not say it again.
 * A payout that a person confirmed is not reversed: the person may know of another payment. The admins are notified instead
 * (`notifyContradiction`).
 */
export function takenBackByGateway(
  platform: Platform,
  { id, attempt }: Pick<PayoutOrder, 'id' | 'attempt'>,
  reason: string,
): Promise<'takenBack' | 'held' | 'noEffect'> {
  return platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [id]);
    if (order?.status !== PAYOUT_STATUS.completed || order.supplierId !== null) return 'noEffect';
    // The caller looked at the payout before. A later attempt may have paid it since.
    if (order.attempt !== attempt) return 'noEffect';
    if (!(await isCompletedByGateway(tx, order.id))) {
      await notifyContradiction(platform, tx, order, { said: 'failed', attempt: order.attempt, reason });
      return 'noEffect';
    }
    if (order.held) {
      await holdReversal(platform, tx, order, reason);
      return 'held';
    }
    await reversePayout(platform, tx, order, { actor: SYSTEM, reason, data: { by: 'gateway' } });
    return 'takenBack';
  });
}

async function holdReversal(platform: Platform, tx: Tx, { id }: PayoutOrder, reason: string): Promise<void> {
  if ((await withHeldReversal(tx, [id])).length > 0) return;
  await writeEvents(platform, tx, [
    { orderId: id, kind: 'reversalHeld', from: null, to: null, actor: SYSTEM, reason },
  ]);
  // The merchant's freeze may outlast the days for which the gateway is asked.
  const next = new Date(platform.clock.now().getTime() + ASK_ENDED_EVERY);
  await tx.query(
    sql`update payout_orders set ask_again_at = coalesce(ask_again_at, ${next}) where id = ${id}`,
  );
}

/**
 * Reverses a completed payout that its gateway took back while the payout or its merchant was frozen, once neither is, unless the gateway
 * has called it paid since. In the caller's transaction.
 */
export async function reverseHeld(platform: Platform, tx: Tx, orderId: bigint): Promise<void> {
  const [order] = await lockPayouts(tx, [orderId]);
  if (order?.status !== PAYOUT_STATUS.completed || order.held) return;
  const [held] = await withHeldReversal(tx, [orderId]);
  if (!held) return;
  const { reason } = held;
  await reversePayout(platform, tx, order, { actor: SYSTEM, reason, data: { by: 'gateway' } });
}
