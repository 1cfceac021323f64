import { PAID_STATUSES } from '@sangam/contract/orders.ts';
import { type Actor, writeEvents } from '../history/events.ts';
import { post } from '../ledger/post.ts';
import { postMirror } from '../ledger/reverse.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { CollectionOrder } from './order.ts';
import { lockOrder, rememberPaid } from './store.ts';

/** Key of the posting that charges the supplier of an order which was booked as an offset. */
const keyOf = (orderId: bigint) => `offset/${orderId}`;

/**
 * Locks a paid order that was booked as an offset, that is not frozen, whose booking stands (that of a test order is taken back), and whose
 * supplier has not been charged since; undefined for any other order.
 */
export async function lockOpenOffset(tx: Tx, orderId: bigint): Promise<CollectionOrder | undefined> {
  const order = (await lockOrder(tx, orderId))?.order;
  if (!order || !PAID_STATUSES.includes(order.status) || order.frozen) return undefined;
  const [open] = await tx.query(sql`
    select 1 from postings p where p.key = ${`collection/${orderId}`} and p.kind = 'collectionOffset'
      and not exists (select from postings r where r.reverses = p.id)
      and not exists (select from postings where key = ${keyOf(orderId)})`);
  return open ? order : undefined;
}

/**
 * Charges the supplier of an order that was booked as an offset, because the money was on the order's own account after all. In
 * the caller's transaction, under the order's lock. What the deposit cannot carry becomes debt. The order keeps its status.
 */
export async function correctOffset(
  platform: Platform,
  tx: Tx,
  order: CollectionOrder,
  why: { readonly actor: Actor; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> {
  const amount = order.received!;
  const [outcome] = await post(platform, tx, [
    {
      key: keyOf(order.id),
      kind: 'offsetCorrection',
      orderId: order.id,
      currency: order.currency,
      legs: [
        {
          ownerKind: 'supplier',
          ownerId: order.supplierId!,
          bucket: 'deposit',
          amount: -amount,
          spillsToDebt: true,
        },
        { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount },
      ],
    },
  ]);
  // The leg cannot fail: what the deposit lacks becomes debt. The order's lock excludes a second posting.
  if (outcome !== 'posted') throw new Error(`correction of order ${order.id}: ${outcome}`);
  const paid = { orderId: order.id, accountId: order.accountId!, received: amount, stated: true };
  rememberPaid(tx, [{ ...paid, awaitsMessage: false }], platform.clock.now());
  await writeEvents(platform, tx, [
    { orderId: order.id, kind: 'offsetCorrected', from: order.status, to: order.status, ...why },
  ]);
}

/** Takes back the correction of a reversed order, if it has one. */
export async function reverseCorrection(
  platform: Platform,
  tx: Tx,
  orderId: bigint,
  why: { readonly reason: string | null; readonly userId: bigint | null },
): Promise<void> {
  const [corrected] = await tx.query(sql`select 1 from postings where key = ${keyOf(orderId)}`);
  if (!corrected) return;
  const outcome = await postMirror(platform, tx, {
    undo: keyOf(orderId),
    key: `reversal/${keyOf(orderId)}`,
    ...why,
  });
  if (outcome !== 'posted') throw new Error(`reversal of the correction of order ${orderId}: ${outcome}`);
}
