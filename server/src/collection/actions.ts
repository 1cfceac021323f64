import { collectionActions, type CollectionAction } from '@sangam/contract/orders.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import { type Scope, scopeOf, type Viewer } from '../platform/viewer.ts';
import { sql } from '../platform/db/database.ts';
import { chosen, type ChosenOrder, versionOf } from '../history/row-version.ts';
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
 * What a decision on a collection order rests on: the account it was given to, and when. That it timed out meanwhile changes
 * nothing that was decided; what else its status changes, the action table refuses.
 */
export function orderVersion({ id, accountId, allocatedAt, reversedAt }: CollectionOrder): string {
  return versionOf([id, accountId, allocatedAt, reversedAt]);
}

/**
 * First line of every action: locks the order and lets it through only when the viewer may see it (else 404) and
 * the action table allows the action in its status for the role (else 403 or 1201), and it is still as the row showed that was
 * decided by (else 409). Called by itself where the action is part of a larger transaction (an approval's execution).
 */
export async function lockForAction(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
  action: CollectionAction,
): Promise<LockedOrder | Refusal> {
  const { orderId, version } = chosen(subject);
  if (!(await isVisible(tx, viewer, orderId))) return refuse('notFound');
  const locked = await lockOrder(tx, orderId);
  // Who held the lock may have given the order to another supplier.
  if (!locked || !(await isVisible(tx, viewer, orderId))) return refuse('notFound');
  const { order, waiting } = locked;
  const { CanTimeoutSupplement } = await platform.settings.all();
  const allowed = collectionActions(
    viewer,
    {
      status: order.status,
      holdsAccount: waiting !== null,
      reversed: order.reversedAt !== null,
      frozen: order.frozen,
    },
    { canTimeoutSupplement: CanTimeoutSupplement },
  );
  if (!allowed.includes(action)) return refuse('actionNotAllowed');
  return version === undefined || version === orderVersion(order)
    ? locked
    : refuse('conflict', {}, { reason: 'orderChanged' });
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
  subject: bigint | ChosenOrder,
  action: CollectionAction,
  work: (tx: Tx, locked: LockedOrder) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return platform.db.tx(async (tx) => {
    const locked = await lockForAction(platform, tx, viewer, subject, action);
    return isRefusal(locked) ? locked : work(tx, locked);
  });
}
