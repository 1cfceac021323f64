import type { topUp as endpoint } from '@sangam/contract/endpoints/fund.ts';
import { readReference } from '@sangam/contract/references.ts';
import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { claimReferences, usedReferences } from '../order-numbers/claim.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, move, movePayload, moveSummary } from './move.ts';
import { bucketOf, visibleOwner } from './owner.ts';

/** Asks to credit money that came in from outside the platform. A UTR that an order or another top-up has used is refused (utrUsed). */
export function topUp(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof endpoint.input>,
): Promise<Refusal> {
  return ask(platform, viewer, async (tx) => {
    const { currency, amount, reason, requestKey } = input;
    const owner = await visibleOwner(tx, viewer, input);
    if (isRefusal(owner)) return owner;
    const utr = readReference(input.utr, currency);
    if (utr === null && input.utr !== undefined) return wrongInput('utr');
    if (utr !== null && (await usedReferences(tx, [{ reference: utr, currency }])).size > 0)
      return refuse('utrUsed');
    return {
      kind: 'topUp',
      subjectKind: owner.ownerKind,
      subjectId: owner.ownerId,
      payload: { currency, bucket: bucketOf(owner, undefined), amount, ...(utr !== null && { utr }) },
      reason,
      requestKey,
      sole: false,
    };
  });
}

export const topUpApproval = approvalHandler({
  kind: 'topUp',
  /** `utr`: the number of the payment from outside, normalised. It belongs to the request from its execution on, like to an order. */
  payload: movePayload.extend({ utr: z.string().optional() }),
  summary: (payload) => moveSummary(payload),
  async execute(platform, tx, approval) {
    const { id: orderId, payload } = approval;
    const { utr: reference, currency } = payload;
    if (reference !== undefined) {
      const lost = await claimReferences(tx, [{ orderId, reference, currency }], platform.clock.now());
      if (lost.size > 0) return refuse('utrUsed');
    }
    return move(platform, tx, approval, { postingKind: 'topUp', against: 'external' });
  },
});
