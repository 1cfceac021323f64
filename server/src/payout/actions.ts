import {
  payoutActions,
  type PayoutAction,
  type PayoutClaim,
  type PayoutSubject,
  USDT_PAYOUT,
} from '@sangam/contract/payouts.ts';
import { hot, type Sql, type Tx, empty, sql } from '../platform/db/database.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import { type Scope, scopeOf, teamOf, type Viewer } from '../platform/viewer.ts';
import type { PayoutOrder } from './order.ts';
import { chosen, type ChosenOrder, versionOf } from '../history/row-version.ts';
import { HELD_BY_NOBODY, lockPayouts } from './store.ts';

/** SQL condition: the supplier is enabled and not frozen, and the payout's (alias `o`) product is enabled for it. */
function mayTake(supplierId: bigint | Sql): Sql {
  return sql`exists (
    select from user_products u join products p on p.id = u.product_id and p.enabled
    join suppliers s on s.id = u.owner_id and s.enabled and not s.frozen
    where u.owner_kind = 'supplier' and u.owner_id = ${supplierId} and u.product_id = o.product_id and u.enabled)`;
}

/** SQL condition: the payout (alias `o`) waits unclaimed, and this supplier may claim it. */
const isClaimable = (supplierId: bigint | Sql): Sql =>
  sql`o.status = ${PAYOUT.waiting} and o.supplier_id is null and ${HELD_BY_NOBODY} and ${mayTake(supplierId)}`;

/** SQL condition of the payouts (alias `o`) that a supplier sees: those it claimed, and those it may claim. */
export const ofSupplier = (supplierId: bigint | Sql): Sql =>
  sql`(o.supplier_id = ${supplierId} or (${isClaimable(supplierId)}))`;

/** SQL condition of the payouts (alias `o`) a viewer may see (for a supplier: `ofSupplier`). It is empty or begins with 'and'. */
export function payoutScope(viewer: Viewer, scope: Scope = 'own'): Sql {
  if (viewer.role === 'supplier' && viewer.supplierId !== null && scope !== 'team') {
    const team = scope === 'group' ? sql`or o.supplier_id in ${teamOf(viewer.supplierId)}` : empty;
    return sql`and (${ofSupplier(viewer.supplierId)} ${team})`;
  }
  return scopeOf(viewer, { merchant: sql`o.merchant_id`, supplier: sql`o.supplier_id` }, scope);
}

/** What the action table (`payoutActions`) needs to know of the order, for this viewer. */
export function subjectOf(
  order: Pick<
    PayoutOrder,
    'status' | 'supplierId' | 'lockedBy' | 'unproven' | 'held' | 'payerHeld' | 'productId'
  >,
  viewer: Viewer,
): PayoutSubject {
  const claim: PayoutClaim =
    order.supplierId === null
      ? 'none'
      : viewer.role === 'supplier' && viewer.supplierId === order.supplierId
        ? 'mine'
        : 'other';
  const { status, lockedBy, unproven, held, payerHeld } = order;
  const frozen = held || (viewer.role === 'supplier' && payerHeld);
  const onChain = order.productId === USDT_PAYOUT && order.supplierId === null;
  return { status, claim, locked: lockedBy !== null, unproven, frozen, onChain };
}

/** The row's version (docs/domain.md#decisions-by-a-row): it changes with the payout's status, with who pays it, and with the attempt. */
export function payoutVersion(order: PayoutOrder): string {
  const { id, status, supplierId, accountId, attempt, claimedAt, submittedAt, lockedBy, reversedAt } = order;
  // `submittedAt` tells two files of one account apart: nothing else differs.
  return versionOf([
    id,
    status,
    supplierId,
    accountId,
    attempt,
    claimedAt,
    submittedAt,
    lockedBy,
    reversedAt,
  ]);
}

/** Actions of the claimer alone: another supplier with the product is answered 'claimed by another' (1202). */
const CLAIMERS: ReadonlySet<PayoutAction> = new Set(['claim', 'cancelClaim', 'confirmPaid']);

/**
 * The first step of every action: locks the order and checks it. 404 when the viewer may not see it (1202 when another supplier has claimed
 * it), 1201 when the action table does not allow the action, 409 when the order is no longer as the row that was decided by showed it.
 * Called alone where the action is part of a larger transaction, such as the execution of an approval.
 */
export async function lockForAction(
  tx: Tx,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
  action: PayoutAction,
): Promise<PayoutOrder | Refusal> {
  const { orderId, version } = chosen(subject);
  const [order] = await lockPayouts(tx, [orderId]);
  if (!order) return refuse('notFound');
  const see = sql`select 1 from payout_orders o where o.id = ${orderId} ${payoutScope(viewer)}`;
  const [visible] = await tx.query(viewer.supplierId === null ? see : hot('see a payout as a supplier', see));
  if (!visible)
    return (await isRival(tx, viewer, order, action)) ? refuse('claimedByAnother') : refuse('notFound');
  const allowed = payoutActions(viewer, subjectOf(order, viewer));
  if (!allowed.includes(action)) return refuse('actionNotAllowed');
  return version === undefined || version === payoutVersion(order)
    ? order
    : refuse('conflict', {}, { reason: 'orderChanged' });
}

async function isRival(tx: Tx, viewer: Viewer, order: PayoutOrder, action: PayoutAction): Promise<boolean> {
  const { supplierId } = viewer;
  if (viewer.role !== 'supplier' || supplierId === null) return false;
  if (order.supplierId === null || !CLAIMERS.has(action)) return false;
  const [enabled] = await tx.query(
    sql`select 1 from payout_orders o where o.id = ${order.id} and ${mayTake(supplierId)}`,
  );
  return enabled !== undefined;
}

/** Runs an action in one transaction on the locked order; a refusal rolls everything back. */
export function act<Result>(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
  action: PayoutAction,
  work: (tx: Tx, order: PayoutOrder) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return platform.db.tx(async (tx) => {
    const order = await lockForAction(tx, viewer, subject, action);
    return isRefusal(order) ? order : work(tx, order);
  });
}
