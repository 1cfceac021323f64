import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { enqueueCallbacks } from '../callbacks/enqueue.ts';
import { HOUR, MINUTE } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Actor } from '../history/events.ts';
import { splitFee } from '../ledger/fees.ts';
import { post } from '../ledger/post.ts';
import type { Platform } from '../platform/platform.ts';
import { supplierTerms } from '../terms/products/commission-terms.ts';
import { claimReferences } from '../order-numbers/claim.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { notificationsOf } from './notification.ts';
import type { PayoutOrder } from './order.ts';
import { completedPosting } from './posting.ts';
import { readPayouts } from './store.ts';
import { claimOf, paidByAnother, takenForClaims } from './claimed-references.ts';
import { LET_GO, transition } from './transition.ts';

/** How often a gateway is asked about a payout that has ended: it may have taken back what it completed, or paid what was refunded. */
export const ASK_ENDED_EVERY = 6 * HOUR;
/** How soon it is asked after a payout ended unpaid: a send that was under way has finished by then. */
export const ASK_ENDED_SOON = 5 * MINUTE;

/** Evidence that a payee was paid. */
export interface PayoutCompletion {
  /** Locked, and in a status that may be completed. Its `accountId` is written: whoever confirms may have named the paying account. */
  readonly order: PayoutOrder;
  /** Normalised reference; null where a gateway names none. */
  readonly utr: string | null;
  /** No debit proves it: it rests on the word of who confirms it. */
  readonly unproven: boolean;
  readonly actor: Actor;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One completion; see completePayouts. */
export async function complete(
  platform: Platform,
  tx: Tx,
  completion: PayoutCompletion,
  at: Date = platform.clock.now(),
): Promise<PayoutOrder | Refusal> {
  return (await completePayouts(platform, tx, [completion], at))[0]!;
}

/**
 * Completes payouts in the caller's transaction: claims the UTR, posts to the ledger, sets status 3, writes history and callbacks. Each
 * succeeds or is refused alone: 1204 when another order has used the UTR, or it is another supplier's payment. An unproven payout claims no
 * UTR, so an order that the bank names by this UTR can still claim it.
 */
export async function completePayouts(
  platform: Platform,
  tx: Tx,
  completions: readonly PayoutCompletion[],
  at: Date = platform.clock.now(),
): Promise<(PayoutOrder | Refusal)[]> {
  if (completions.length === 0) return [];
  // Unproven payouts are checked before any UTR is claimed: they must not find UTRs that this call claims.
  const taken = await takenForClaims(
    tx,
    completions.filter(({ unproven }) => unproven),
  );
  const elsewhere = await paidByAnother(platform, tx, completions);
  const claimed = await claimReferences(
    tx,
    completions.flatMap(({ order, utr, unproven }) =>
      utr === null || unproven || elsewhere.has(order.id) ? [] : [claimOf(order, utr)],
    ),
    at,
  );
  const used = new Set([...claimed, ...taken, ...elsewhere]);
  const mine = completions.filter(({ order }) => !used.has(order.id));
  const terms = await supplierTerms(
    tx,
    mine.map(({ order }) => ({
      supplierId: order.supplierId,
      productId: order.productId,
      at: order.createdAt,
    })),
  );
  // The merchant's fee was fixed at creation; the commissions are taken out of it.
  const splits = mine.map(({ order }, index) =>
    splitFee(order.amount, { ratePpm: 0, fixedFee: order.fee }, terms[index]!.supplier, terms[index]!.agents),
  );
  const outcomes = await post(
    platform,
    tx,
    mine.map(({ order }, index) => completedPosting(order, splits[index]!, at)),
  );
  outcomes.forEach((outcome, index) => {
    // Amount and fee are in the frozen balance since the creation, and the order's lock excludes a second posting.
    if (outcome !== 'posted') throw new Error(`completion of payout ${mine[index]!.order.id}: ${outcome}`);
  });
  const askAgainAt = new Date(at.getTime() + ASK_ENDED_EVERY);
  const columns = new Map(
    mine.map(({ order, utr, unproven }, index) => [
      order.id,
      {
        ...LET_GO,
        account_id: order.accountId,
        utr,
        unproven,
        supplier_commission: splits[index]!.supplierCommission,
        agent_commission: splits[index]!.agentCommission,
        finished_at: at,
        // A gateway may take the payout back, or pay by an earlier attempt: it is asked again.
        ask_again_at: order.attempt > 0 ? askAgainAt : null,
      },
    ]),
  );
  await transition(
    platform,
    tx,
    mine.map(({ order, utr, unproven, actor, data }) => ({
      orderId: order.id,
      kind: 'completed',
      from: order.status,
      to: PAYOUT_STATUS.completed,
      actor,
      data: { ...data, utr, ...(unproven ? { unproven } : {}) },
    })),
    (orderId) => columns.get(orderId)!,
  );
  const completed = await readPayouts(
    tx,
    mine.map(({ order }) => order.id),
  );
  await enqueueCallbacks(platform, tx, notificationsOf(completed), at);
  const byId = new Map(completed.map((order) => [order.id, order]));
  return completions.map(({ order }) => byId.get(order.id) ?? refuse('utrUsed'));
}
