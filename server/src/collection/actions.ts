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
 * What a decision on a collection order rests on: the account of the order and the time of its allocation. A timeout keeps the
 * version, because it does not change such a decision. The action table refuses what other changes of the status forbid.
 */
export function orderVersion({ id, accountId, allocatedAt, reversedAt }: CollectionOrder): string {
  return versionOf([id, accountId, allocatedAt, reversedAt]);
}

/**
 * First line of every action: locks the order. Refuses when the viewer may not see the order (404), when the action table does
 * not allow the action to the role (403) or in this status (1201), and when the order has another version than the row the
 * viewer decided by (409). Called directly where the action is part of a larger transaction (the execution of an approval).
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
  // Whoever held the lock before may have given the order to another supplier.
  if (!locked || !(await isVisible(tx, viewer, orderId))) return refuse('notFound');
  const { order, waiting } = locked;
  const { CanTimeoutSupplement } = await platform.settings.all();
  const allowed = collectionActions(
    viewer,
    {
      status: order.status,
      holdsAccount: waiting !== null,
      reversed: order.reversedAt !== null,
      frozen: order.frozen || (await isOwnWordHeld(tx, viewer, order)),
    },
    { canTimeoutSupplement: CanTimeoutSupplement },
  );
  if (!allowed.includes(action)) return refuse('actionNotAllowed');
  return version === undefined || version === orderVersion(order)
    ? locked
    : refuse('conflict', {}, { reason: 'orderChanged' });
}

/** Whether a supplier would credit an order by its own word while it, or its account, is frozen. */
async function isOwnWordHeld(tx: Tx, viewer: Viewer, order: CollectionOrder): Promise<boolean> {
  if (viewer.role !== 'supplier') return false;
  const [held] = await tx.query(sql`
    select 1 from suppliers s left join accounts a on a.id = ${order.accountId}
    where s.id = ${order.supplierId} and (s.frozen or a.frozen)`);
  return held !== undefined;
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
