import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { isRefusal } from '../platform/refusal.ts';
import { ACCEPT_PROOF } from './accept-proof.ts';
import { lockForAction } from './actions.ts';
import { CONFIRM_PAID } from './confirm-paid.ts';
import { REJECT } from './reject.ts';

/** What one of the staff says of a payout, with nothing that bears it out: a second person agrees, and it is done as that person. */
export const unprovenPayoutApproval = approvalHandler({
  kind: 'unprovenPayout',
  payload: z.object({
    said: z.discriminatedUnion('action', [
      z.object({ action: z.literal('confirmPaid'), utr: z.string() }),
      z.object({ action: z.literal(['acceptProof', 'reject']), reason: z.string() }),
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
    const done =
      said.action === 'confirmPaid'
        ? await CONFIRM_PAID.take(platform, tx, decider, order, said)
        : await (said.action === 'reject' ? REJECT : ACCEPT_PROOF).take(platform, tx, decider, order, said);
    return isRefusal(done) ? done : { orderStatusId: done.status };
  },
});
