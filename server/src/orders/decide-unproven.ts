import { z } from 'zod';
import { type Approval, approvalHandler, type ApprovalResult } from '../approvals/approval.ts';
import { tiedToAuthors } from '../approvals/independence.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ACCEPT_PROOF, proofAuthors } from '../payout/accept-proof.ts';
import { unfreeze } from './holds/set-hold.ts';
import { lockForAction } from '../payout/actions.ts';
import { CANCEL_CLAIM } from '../payout/cancel-claim.ts';
import { CONFIRM_PAID } from '../payout/confirm-paid.ts';
import type { PayoutOrder } from '../payout/order.ts';
import type { Said } from '../payout/own-word.ts';
import { REJECT } from '../payout/reject.ts';
import { lockAsShown, type Unfreezing, unfreezing } from '../payout/unfreeze.ts';

/** A second person agrees to what staff or a supplier say of a payout without evidence. It is done in the name of the second person. */
export const unprovenPayoutApproval = approvalHandler({
  kind: 'unprovenPayout',
  payload: z.object({
    said: z.discriminatedUnion('action', [
      z.object({ action: z.literal('confirmPaid'), utr: z.string() }),
      z.object({ action: z.literal('cancelClaim') }),
      z.object({ action: z.literal('acceptProof'), reason: z.string() }),
      z.object({
        action: z.literal('reject'),
        reason: z.string(),
        handsBack: z.literal(true).exactOptional(),
      }),
      unfreezing,
    ]),
    amount: z.int(),
    currency: z.enum(['INR', 'KES', 'USDT']),
    version: z.string(),
  }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, { id, subjectId, startedBy, payload }, decider) {
    const { said, version } = payload;
    if (said.action === 'unfreeze')
      return unfreezeAgreed(platform, tx, decider, { id, subjectId, version, said });
    const order = await lockForAction(tx, decider, { orderId: subjectId, version }, said.action);
    if (isRefusal(order)) return order;
    const authors = said.action === 'acceptProof' ? await proofAuthors(tx, subjectId) : [];
    const tied = await tiedToAuthors(platform, tx, decider, authors);
    if (tied) return tied;
    const done = await take(platform, tx, decider, order, { ...said, startedBy });
    return isRefusal(done) ? done : { orderStatusId: done.status };
  },
});

/** Unfreezes a payout after two people have looked at every report that it was paid. */
async function unfreezeAgreed(
  platform: Platform,
  tx: Tx,
  decider: Viewer,
  {
    id,
    subjectId,
    version,
    said,
  }: Pick<Approval, 'id' | 'subjectId'> & { readonly version: string; readonly said: Unfreezing },
): Promise<ApprovalResult | Refusal> {
  const { reason, contradictions } = said;
  const order = await lockAsShown(tx, { orderId: subjectId, version }, contradictions);
  if (isRefusal(order)) return order;
  const subject = { subjectKind: 'order', subjectId: String(subjectId), reason } as const;
  const done = await unfreeze(platform, tx, decider, subject, { approvalId: String(id), contradictions });
  return isRefusal(done) ? done : { orderStatusId: order.status };
}

function take(
  platform: Platform,
  tx: Tx,
  decider: Viewer,
  order: PayoutOrder,
  said: Said & { readonly startedBy: bigint },
) {
  switch (said.action) {
    case 'confirmPaid':
      return CONFIRM_PAID.take(platform, tx, decider, order, said);
    case 'cancelClaim':
      return CANCEL_CLAIM.take(platform, tx, decider, order, said);
    case 'reject':
      return REJECT.take(platform, tx, decider, order, said);
    case 'acceptProof':
      return ACCEPT_PROOF.take(platform, tx, decider, order, said);
  }
}
