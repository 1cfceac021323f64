import type { withdrawFunds as endpoint } from '@sangam/contract/endpoints/fund.ts';
import type { z } from 'zod';
import { waitingAmountOf } from '../accounts/load.ts';
import { approvalHandler } from '../approvals/approval.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, move, movePayload } from './move.ts';
import { balanceNow, bucketOf, visibleOwner } from './owner.ts';

/** Asks to pay money out of a balance; what is not there now is refused at once. */
export function withdrawFunds(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof endpoint.input>,
): Promise<Refusal> {
  return ask(platform, viewer, async (tx) => {
    const owner = await visibleOwner(tx, viewer, input);
    if (isRefusal(owner)) return owner;
    const bucket = bucketOf(owner, input.bucket);
    if (isRefusal(bucket)) return bucket;
    if ((await balanceNow(tx, owner, input.currency, bucket)) < BigInt(input.amount))
      return refuse('balanceInsufficient');
    return {
      kind: 'withdrawal',
      subjectKind: owner.ownerKind,
      subjectId: owner.ownerId,
      payload: { currency: input.currency, bucket, amount: -input.amount },
      reason: input.reason,
      requestKey: input.requestKey,
      sole: false,
    };
  });
}

/** A deposit keeps what payers are about to pay into its supplier's accounts, and never lends its credit out. */
export const withdrawalApproval = approvalHandler({
  kind: 'withdrawal',
  payload: movePayload,
  summary: ({ amount, currency }) => ({ amount: -amount, currency }),
  async execute(platform, tx, approval) {
    const { bucket, currency } = approval.payload;
    const atLeast = bucket === 'deposit' ? await waitingAmountOf(tx, approval.subjectId, currency) : 0n;
    return move(platform, tx, approval, { postingKind: 'withdrawal', against: 'external', atLeast });
  },
});
