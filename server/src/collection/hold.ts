import type { Currency } from '@sangam/contract/money.ts';
import type { Tx } from '../platform/db/database.ts';
import { post, type PostingRequest } from '../ledger/post.ts';
import type { Platform } from '../platform/platform.ts';
import { releaseUnpaid } from './store.ts';
import type { WaitingOrder } from './waiting.ts';

type Held = Pick<WaitingOrder, 'orderId' | 'supplierId' | 'currency' | 'held'>;

/**
 * Moves the holds of newly placed orders from their suppliers' deposits to 'held'. Call it last in the transaction that placed
 * the orders, because it locks balances. Allocation has read the deposits without locks; what a deposit cannot carry becomes
 * debt, as with a payment.
 */
export function holdDeposits(platform: Platform, tx: Tx, placed: readonly Held[]): Promise<void> {
  return move(platform, tx, placed, 'collectionHeld', 1n);
}

/** Unpaid orders cease to wait: their rows are deleted, and their holds go back to the deposits. */
export async function releaseWaiting(platform: Platform, tx: Tx, rows: readonly Held[]): Promise<void> {
  releaseUnpaid(
    tx,
    rows.map((row) => row.orderId),
    platform.clock.now(),
  );
  await returnHeld(platform, tx, rows);
}

/** Gives the holds of deleted rows back to the deposits. */
export function returnHeld(platform: Platform, tx: Tx, rows: readonly Held[]): Promise<void> {
  return move(platform, tx, rows, 'collectionReleased', -1n);
}

async function move(
  platform: Platform,
  tx: Tx,
  rows: readonly Held[],
  kind: 'collectionHeld' | 'collectionReleased',
  sign: 1n | -1n,
): Promise<void> {
  const holding = rows.filter((row) => row.held > 0n);
  const outcomes = await post(
    platform,
    tx,
    holding.map((row): PostingRequest => {
      const supplier = { ownerKind: 'supplier', ownerId: row.supplierId } as const;
      return {
        // After a reselect an order may hold again, so the key is new each time. The order's lock excludes a second posting of
        // one hold.
        key: `${kind}/${row.orderId}/${platform.ids.next()}`,
        kind,
        orderId: row.orderId,
        currency: row.currency as Currency,
        legs: [
          { ...supplier, bucket: 'deposit', amount: -sign * row.held, spillsToDebt: true },
          { ...supplier, bucket: 'held', amount: sign * row.held },
        ],
      };
    }),
  );
  outcomes.forEach((outcome, index) => {
    if (outcome !== 'posted') throw new Error(`${kind} of order ${holding[index]!.orderId}: ${outcome}`);
  });
}
