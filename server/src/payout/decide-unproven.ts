import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ACCEPT_PROOF } from './accept-proof.ts';
import { lockForAction } from './actions.ts';
import { CANCEL_CLAIM } from './cancel-claim.ts';
import { CONFIRM_PAID } from './confirm-paid.ts';
import type { PayoutOrder } from './order.ts';
import type { Said } from './own-word.ts';
import { REJECT } from './reject.ts';

/** What one of the staff, or a supplier, says of a payout with nothing that bears it out: a second person agrees, and it is done as that person. */
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
    ]),
    amount: z.int(),
    currency: z.enum(['INR', 'KES', 'USDT']),
    version: z.string(),
  }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, { subjectId, payload }, decider) {
    const { said, version } = payload;
    const order = await lockForAction(tx, decider, { orderId: subjectId, version }, said.action);
    if (isRefusal(order)) return order;
    const done = await take(platform, tx, decider, order, said);
    return isRefusal(done) ? done : { orderStatusId: done.status };
  },
});

function take(platform: Platform, tx: Tx, decider: Viewer, order: PayoutOrder, said: Said) {
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
