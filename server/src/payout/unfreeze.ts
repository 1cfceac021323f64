import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { startApproval, type Started } from '../approvals/start.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { payoutVersion } from './actions.ts';
import { NEXT_UNASKED, undecidedContradictions } from './contradicted.ts';
import type { PayoutOrder } from './order.ts';
import { lockPayouts } from './store.ts';

/** A request to unfreeze a payout that was reported as paid: afterwards it can be paid again, or refunded. */
export const unfreezing = z.object({
  action: z.literal('unfreeze'),
  reason: z.string(),
  /** Ids of the events that report it as paid. A later such event needs a new request. */
  contradictions: z.array(z.string()).readonly(),
});
export type Unfreezing = z.infer<typeof unfreezing>;

/**
 * Asks for a second person if the subject is a payout that was reported as paid and would now be paid again or refunded. Undefined: none is
 * needed.
 */
export async function askToUnfreeze(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  { subjectKind, subjectId, reason }: Readonly<Record<'subjectKind' | 'subjectId' | 'reason', string>>,
): Promise<Started | Refusal | undefined> {
  if (subjectKind !== 'order') return undefined;
  const orderId = BigInt(subjectId);
  const [order] = await lockPayouts(tx, [orderId]);
  if (!order?.frozen || order.legalHold || !NEXT_UNASKED.has(order.status)) return undefined;
  const contradictions = await undecidedContradictions(tx, orderId);
  if (contradictions.length === 0) return undefined;
  const { amount, currency } = order;
  const said: Unfreezing = { action: 'unfreeze', reason, contradictions };
  return startApproval(platform, tx, viewer, {
    kind: 'unprovenPayout',
    subjectKind: 'order',
    subjectId: orderId,
    payload: { said, amount: Number(amount), currency, version: payoutVersion(order) },
    reason,
    // A request to refund it may wait beside this one.
    sole: false,
  });
}

/**
 * Locks a frozen payout that two people have looked at. 409 when the payout, or the list of reports that it was paid, has changed since.
 */
export async function lockAsShown(
  tx: Tx,
  { orderId, version }: { readonly orderId: bigint; readonly version: string },
  contradictions: readonly string[],
): Promise<PayoutOrder | Refusal> {
  const [order] = await lockPayouts(tx, [orderId]);
  const isSame =
    order?.frozen &&
    version === payoutVersion(order) &&
    isDeepStrictEqual(await undecidedContradictions(tx, orderId), contradictions);
  return isSame ? order : refuse('conflict', {}, { reason: 'orderChanged' });
}
