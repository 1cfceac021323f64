import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { changeLoad, lockLoad } from '../accounts/load.ts';
import { accountsOf } from '../accounts/candidates.ts';
import { readAllocationPool } from '../accounts/allocation-pool.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { beginTermsDays, countTowardsTerms, recountTerms } from '../terms/products/terms-day.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { act } from './actions.ts';
import { allocate, supplierDays } from './allocate.ts';
import { actorOf } from '../history/events.ts';
import type { CollectionOrder } from './order.ts';
import { holdDeposits, releaseWaiting } from './hold.ts';
import { readOrders } from './store.ts';
import { termsCountsOf, unwaited } from './waiting.ts';
import { transition } from './transition.ts';

/**
 * Releases the order's account and allocates another with a new expiry. When no other account can take the order, it ends in
 * 'allocation failed', and the history gives the reason for each candidate.
 */
export function reselect(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
): Promise<CollectionOrder | Refusal> {
  return act(platform, viewer, subject, 'reselect', async (tx, { order, waiting }) => {
    const at = platform.clock.now();
    await lockAccounts(tx, order, at);
    if (waiting) {
      changeLoad(tx, [unwaited(waiting)], null);
      recountTerms(tx, termsCountsOf(waiting, -1));
      await releaseWaiting(platform, tx, [waiting]);
    }
    const pool = await readAllocationPool(platform, tx, [order.productId], at);
    await beginTermsDays(tx, supplierDays(pool, businessDay(at)));
    const { byOrder } = await allocate(
      platform,
      tx,
      [
        {
          orderId: order.id,
          merchantId: order.merchantId,
          productId: order.productId,
          currency: order.currency,
          amount: order.amount,
          identifyCode: order.identifyCode,
          userName: order.userName,
          payerUtr: order.payerUtr,
          avoid: order.accountId,
        },
      ],
      at,
      pool,
    );
    const allocation = byOrder.get(order.id)!;
    const { waiting: held, supplierDay } = allocation;
    if (held && supplierDay) {
      const [ofMerchant, ofSupplier] = termsCountsOf(held, 1);
      // For the merchant this is the same order: it is counted again without a check against the daily limit.
      recountTerms(tx, [ofMerchant!]);
      await countTowardsTerms(tx, [{ ...ofSupplier!, termsDay: supplierDay }]);
    }
    const status = held ? COLLECTION_STATUS.allocated : COLLECTION_STATUS.allocationFailed;
    const event = {
      orderId: order.id,
      kind: 'reselected',
      from: order.status,
      to: status,
      actor: actorOf(viewer),
      data: {
        ...allocation.explanation,
        previousAccountId: order.accountId && String(order.accountId),
      },
    } as const;
    await transition(platform, tx, [event], {
      payable: held?.payable ?? null,
      account_id: held?.accountId ?? null,
      supplier_id: held?.supplierId ?? null,
      // Kept after a failed allocation too: the order had an account once.
      allocated_at: held?.allocatedAt ?? order.allocatedAt,
      expires_at: held?.expiresAt ?? null,
    });
    if (held) await holdDeposits(platform, tx, [held]);
    return (await readOrders(tx, [order.id]))[0]!;
  });
}

/**
 * Locks the account given back and the candidates together, in account order. Otherwise two orders that change places would
 * wait for each other.
 */
async function lockAccounts(tx: Tx, order: CollectionOrder, at: Date): Promise<void> {
  const candidates = await accountsOf(tx, order.productId);
  await lockLoad(
    tx,
    order.accountId === null ? candidates : [...candidates, order.accountId],
    businessDay(at),
  );
}
