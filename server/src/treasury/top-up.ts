import type { topUp as endpoint } from '@sangam/contract/endpoints/fund.ts';
import type { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, move, movePayload, moveSummary } from './move.ts';
import { bucketOf, visibleOwner } from './owner.ts';

/** Asks to credit money that came in from outside the platform. */
export function topUp(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof endpoint.input>,
): Promise<Refusal> {
  return ask(platform, viewer, async (tx) => {
    const owner = await visibleOwner(tx, viewer, input);
    if (isRefusal(owner)) return owner;
    return {
      kind: 'topUp',
      subjectKind: owner.ownerKind,
      subjectId: owner.ownerId,
      payload: { currency: input.currency, bucket: bucketOf(owner, undefined), amount: input.amount },
      reason: input.reason,
      requestKey: input.requestKey,
      sole: false,
    };
  });
}

export const topUpApproval = approvalHandler({
  kind: 'topUp',
  payload: movePayload,
  summary: moveSummary,
  execute: (platform, tx, approval) =>
    move(platform, tx, approval, { postingKind: 'topUp', against: 'external' }),
});
