import type { PayoutStatus } from '@sangam/contract/payouts.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { enqueueCallbacks } from '../callbacks/enqueue.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Step } from '../history/transition.ts';
import { post } from '../ledger/post.ts';
import type { Platform } from '../platform/platform.ts';
import { recountTerms } from '../terms/products/terms-day.ts';
import { notificationsOf } from './notification.ts';
import type { PayoutOrder } from './order.ts';
import { returnedPosting } from './posting.ts';
import { readPayouts } from './store.ts';
import { takenCounts } from './supplier-days.ts';
import { ASK_ENDED_SOON } from './complete.ts';
import { LET_GO, transition } from './transition.ts';

/** Ends a locked payout unpaid: the merchant gets amount and fee back and is notified. The last of `steps` is 'cancelled' or 'rejected'. */
export async function giveBack(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  end: { readonly steps: readonly Step<PayoutStatus>[]; readonly reason: string | null; readonly at: Date },
): Promise<PayoutOrder> {
  const [outcome] = await post(platform, tx, [returnedPosting(order, end.at)]);
  // Amount and fee are in the frozen balance since the creation, and the order's lock excludes a second posting.
  if (outcome !== 'posted') throw new Error(`refund of payout ${order.id}: ${outcome}`);
  await transition(platform, tx, end.steps, {
    ...LET_GO,
    reject_reason: end.reason,
    finished_at: end.at,
    // A gateway that was given an earlier attempt may still pay: it is asked.
    ask_again_at: order.attempt > 0 ? new Date(end.at.getTime() + ASK_ENDED_SOON) : null,
  });
  recountTerms(tx, [
    {
      ownerKind: 'merchant',
      ownerId: order.merchantId,
      productId: order.productId,
      day: businessDay(order.createdAt),
      orders: -1,
      amount: -order.amount,
    },
    ...takenCounts([order]),
  ]);
  const [ended] = await readPayouts(tx, [order.id]);
  await enqueueCallbacks(platform, tx, notificationsOf([ended!]), end.at);
  return ended!;
}
