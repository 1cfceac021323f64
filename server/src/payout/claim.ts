import { formatMinor } from '@sangam/contract/money.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { MINUTE } from '../platform/clock.ts';
import { hot, sql, type Tx } from '../platform/db/database.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import { actorOf } from '../history/events.ts';
import { kycApproved } from '../terms/kyc/approved.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { nameScreen } from '../screening/screen.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { act } from './actions.ts';
import { payeeParty } from './listed-payees.ts';
import type { PayoutOrder } from './order.ts';
import { mayGiveBack } from './given-back.ts';
import { readPayouts } from './store.ts';
import { countTaken, fitIn, supplierDays } from './supplier-days.ts';
import { transition } from './transition.ts';

/** How long a claim lasts. A payout not confirmed by then goes to 'to be confirmed'. */
export const CLAIM_LEASE = 30 * MINUTE;

/** A supplier claims a waiting payout. Of several suppliers at the same moment one wins; the others are refused (1202). */
export function claim(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
): Promise<PayoutOrder | Refusal> {
  return act(platform, viewer, subject, 'claim', async (tx, order) => {
    const { id: orderId } = order;
    const supplierId = viewer.supplierId!;
    const at = platform.clock.now();
    const problem = await termsProblem(platform, tx, supplierId, order, at);
    if (isRefusal(problem)) return problem;
    if ((await nameScreen(platform).ready()).hit(payeeParty(order), 'claim', `order:${orderId}`))
      return refuse('nameBlacklisted');
    const supplier = await lockSupplier(tx, supplierId);
    // It may have been frozen or switched off while this claim waited for the lock.
    if (!supplier.isOpen) return refuse('notFound');
    if (!(await mayClaimMore(tx, supplierId, supplier.max)))
      return refuse('conflict', {}, { reason: 'openClaims' });
    if ((await mayGiveBack(platform, tx, viewer)) <= 0)
      return refuse('conflict', {}, { reason: 'givenBack' });
    const days = await supplierDays(tx, supplierId, [order.productId], at);
    const limit = fitIn(days, order);
    if (limit) return refuse('dailyLimitReached', {}, { reason: limit });
    const until = new Date(at.getTime() + CLAIM_LEASE);
    const event = {
      orderId,
      kind: 'claimed',
      from: order.status,
      to: PAYOUT_STATUS.preparing,
      actor: actorOf(viewer),
      data: { supplierId: String(supplierId) },
    } as const;
    await transition(platform, tx, [event], {
      supplier_id: supplierId,
      claimed_at: at,
      claimed_until: until,
    });
    await countTaken(tx, days, [order]);
    return (await readPayouts(tx, [orderId]))[0]!;
  });
}

/** Locks the supplier: its other claims wait, and so does whoever freezes it. `max`: how many open claims it may hold. */
async function lockSupplier(
  tx: Tx,
  supplierId: bigint,
): Promise<{ readonly isOpen: boolean; readonly max: number }> {
  const [supplier] = await tx.query<{ isOpen: boolean; max: number }>(sql`
    select enabled and not frozen as "isOpen", open_claims_max as max from suppliers where id = ${supplierId} for no key update`);
  return supplier!;
}

/** Whether the locked supplier holds fewer claims than it may, including those that ran out. */
async function mayClaimMore(tx: Tx, supplierId: bigint, max: number): Promise<boolean> {
  const count = sql`
    select ((select count(*) from payout_orders where claimed_until is not null and supplier_id = ${supplierId})
      + (select count(*) from payout_orders
        where status = ${PAYOUT.toBeConfirmed} and claimed_at is not null and supplier_id = ${supplierId}))::int as open`;
  const [row] = await tx.query<{ open: number }>(hot('count open claims', count));
  return row!.open < max;
}

/** The refusal by the supplier's own terms: product, KYC, limits per order. Undefined: none. */
async function termsProblem(
  platform: Platform,
  tx: Tx,
  supplierId: bigint,
  order: PayoutOrder,
  at: Date,
): Promise<Refusal | undefined> {
  const { KYC } = await platform.settings.all();
  const [terms] = await tx.query<{ minAmount: bigint; maxAmount: bigint; approved: boolean }>(sql`
    select u.min_amount as "minAmount", u.max_amount as "maxAmount", ${kycApproved('supplier', sql`u.owner_id`, at)} as approved
    from user_products u
    where u.owner_kind = 'supplier' and u.owner_id = ${supplierId} and u.product_id = ${order.productId} and u.enabled`);
  if (!terms) return refuse('productNotEnabled');
  if (KYC && !terms.approved) return refuse('productNotEnabled', {}, { reason: 'kycMissing' });
  if (order.amount >= terms.minAmount && order.amount <= terms.maxAmount) return undefined;
  return refuse('amountOutsideLimits', {
    min: formatMinor(terms.minAmount, order.currency),
    max: formatMinor(terms.maxAmount, order.currency),
  });
}
