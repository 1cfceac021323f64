import type { Currency } from '@sangam/contract/money.ts';
import type { Tx } from '../platform/db/database.ts';
import { post, type PostingRequest } from '../ledger/post.ts';
import type { Platform } from '../platform/platform.ts';
import { releaseUnpaid } from './store.ts';
import type { WaitingOrder } from './waiting.ts';

type Held = Pick<WaitingOrder, 'orderId' | 'supplierId' | 'currency' | 'held'>;

/**
 * Moves what newly placed orders hold from their suppliers' deposits to 'held'; called last in the transaction that placed
 * them, because it locks balances. Allocation has looked at the deposits without locks: what one cannot carry all the same
 * becomes debt, as with a payment.
 */
export function holdDeposits(platform: Platform, tx: Tx, placed: readonly Held[]): Promise<void> {
  return move(platform, tx, placed, 'collectionHeld', 1n);
}

/** Orders cease to wait unpaid: their rows go, and what they hold goes back to the deposits. */
export async function releaseWaiting(platform: Platform, tx: Tx, rows: readonly Held[]): Promise<void> {
  releaseUnpaid(
    tx,
    rows.map((row) => row.orderId),
    platform.clock.now(),
  );
  await returnHeld(platform, tx, rows);
}

/** Gives back to the deposits what orders held whose rows are gone. */
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
        // An order may hold again after a reselect; its lock excludes a second posting of the same hold.
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
