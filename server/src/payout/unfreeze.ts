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

/** That a payout may be paid again, or refunded, in spite of a word that it was paid. */
export const unfreezing = z.object({
  action: z.literal('unfreeze'),
  reason: z.string(),
  /** The events in which that word stands. A later one needs another request. */
  contradictions: z.array(z.string()).readonly(),
});
export type Unfreezing = z.infer<typeof unfreezing>;

/** Asks for a second person where the subject is a payout that would be paid again, or refunded, after a word that it was paid; undefined: nobody is needed. */
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
    // A request to refund it that waits is another one.
    sole: false,
  });
}

/** Locks a frozen payout that two people have looked at; 409 where it, or what is said of its payment, is not as it was shown. */
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
