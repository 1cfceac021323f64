import type { adjustBalance as endpoint } from '@sangam/contract/endpoints/fund.ts';
import type { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, move, movePayload, moveSummary } from './move.ts';
import { bucketOf, visibleOwner } from './owner.ts';

/** Asks to correct a balance, up or down. */
export function adjustBalance(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof endpoint.input>,
): Promise<Refusal> {
  return ask(platform, viewer, async (tx) => {
    const owner = await visibleOwner(tx, viewer, input);
    if (isRefusal(owner)) return owner;
    const bucket = bucketOf(owner, input.bucket);
    if (isRefusal(bucket)) return bucket;
    return {
      kind: 'balanceAdjustment',
      subjectKind: owner.ownerKind,
      subjectId: owner.ownerId,
      payload: { currency: input.currency, bucket, amount: input.amount },
      reason: input.reason,
      requestKey: input.requestKey,
      sole: false,
    };
  });
}

export const adjustmentApproval = approvalHandler({
  kind: 'balanceAdjustment',
  payload: movePayload,
  summary: moveSummary,
  execute: (platform, tx, approval) =>
    move(platform, tx, approval, { postingKind: 'adjustment', against: 'adjustment' }),
});
