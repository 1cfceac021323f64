import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { enqueueCallbacks } from '../callbacks/enqueue.ts';
import { type Tx, sql } from '../db/database.ts';
import { type Actor, writeEvents } from '../history/events.ts';
import { splitFee } from '../ledger/fees.ts';
import { post } from '../ledger/post.ts';
import type { Platform } from '../platform.ts';
import { supplierTerms } from '../products/commission-terms.ts';
import { claimReferences } from '../references/claim.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { notificationsOf } from './notification.ts';
import type { PayoutOrder } from './order.ts';
import { completedPosting } from './posting.ts';
import { readPayouts } from './store.ts';

/** Evidence that a payee was paid. */
export interface PayoutCompletion {
  /** Locked, and in a status that may be completed. */
  readonly order: PayoutOrder;
  /** Normalised reference; null where a gateway names none. */
  readonly utr: string | null;
  /** Only the supplier's word stands behind it. */
  readonly unproven: boolean;
  readonly actor: Actor;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Completes a payout in the caller's transaction: UTR claimed (1204 when used), ledger posted, status 3, history and
 * outbox row written.
 */
export async function complete(
  platform: Platform,
  tx: Tx,
  { order, utr, unproven, actor, data }: PayoutCompletion,
  at: Date = platform.clock.now(),
): Promise<PayoutOrder | Refusal> {
  const used =
    utr !== null &&
    (await claimReferences(tx, [{ orderId: order.id, reference: utr, currency: order.currency }], at));
  if (used && used.size > 0) return refuse('utrUsed');
  const [terms] = await supplierTerms(tx, [
    { supplierId: order.supplierId, productId: order.productId, at: order.createdAt },
  ]);
  // The merchant's fee is the one of the creation; the commissions are cut from it.
  const split = splitFee(order.amount, { ratePpm: 0, fixedFee: order.fee }, terms!.supplier, terms!.agents);
  const [outcome] = await post(platform, tx, [completedPosting(order, split, at)]);
  // The frozen balance carries it since the creation, and the order's lock excludes a second posting.
  if (outcome !== 'posted') throw new Error(`completion of payout ${order.id}: ${outcome}`);
  await tx.query(sql`
    update payout_orders set status = ${PAYOUT_STATUS.completed}, utr = ${utr}, unproven = ${unproven},
      supplier_commission = ${split.supplierCommission}, agent_commission = ${split.agentCommission}, finished_at = ${at},
      claimed_until = null, locked_by = null, locked_at = null, sending_since = null
    where id = ${order.id}`);
  await writeEvents(platform, tx, [
    {
      orderId: order.id,
      kind: 'completed',
      from: order.status,
      to: PAYOUT_STATUS.completed,
      actor,
      data: { ...data, utr, ...(unproven ? { unproven } : {}) },
    },
  ]);
  const [completed] = await readPayouts(tx, [order.id]);
  await enqueueCallbacks(platform, tx, notificationsOf([completed!]), at);
  return completed!;
}
