import { collectionActions, type CollectionAction } from '@sangam/contract/orders.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import { type Scope, scopeOf, type Viewer } from '../platform/viewer.ts';
import { sql } from '../platform/db/database.ts';
import type { CollectionOrder } from './order.ts';
import { lockOrder } from './store.ts';
import type { WaitingOrder } from './waiting.ts';

export interface LockedOrder {
  readonly order: CollectionOrder;
  readonly waiting: WaitingOrder | null;
}

/** SQL condition of the collection orders (alias `o`) a viewer may see. */
export function orderScope(viewer: Viewer, scope: Scope = 'own') {
  return scopeOf(viewer, { merchant: sql`o.merchant_id`, supplier: sql`o.supplier_id` }, scope);
}

/**
 * First line of every action: locks the order and lets it through only when the viewer may see it (else 404) and
 * the action table allows the action in its status for the role (else 403 or 1201). Called by itself where the action
 * is part of a larger transaction (an approval's execution).
 */
export async function lockForAction(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  orderId: bigint,
  action: CollectionAction,
): Promise<LockedOrder | Refusal> {
  if (!(await isVisible(tx, viewer, orderId))) return refuse('notFound');
  const locked = await lockOrder(tx, orderId);
  // Who held the lock may have given the order to another supplier.
  if (!locked || !(await isVisible(tx, viewer, orderId))) return refuse('notFound');
  const { order, waiting } = locked;
  const { CanTimeoutSupplement } = await platform.settings.all();
  const allowed = collectionActions(
    viewer.role,
    {
      status: order.status,
      holdsAccount: waiting !== null,
      reversed: order.reversedAt !== null,
      frozen: order.frozen,
    },
    { canTimeoutSupplement: CanTimeoutSupplement },
  );
  return allowed.includes(action) ? locked : refuse('actionNotAllowed');
}

async function isVisible(tx: Tx, viewer: Viewer, orderId: bigint): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from collection_orders o where o.id = ${orderId} ${orderScope(viewer)}`);
  return rows.length > 0;
}

/** Runs an action in one transaction on the locked order; a refusal rolls everything back. */
export function act<Result>(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
  action: CollectionAction,
  work: (tx: Tx, locked: LockedOrder) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return platform.db.tx(async (tx) => {
    const locked = await lockForAction(platform, tx, viewer, orderId, action);
    return isRefusal(locked) ? locked : work(tx, locked);
  });
}
