import { CODES } from '@sangam/contract/codes.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { isRefusal, refuse } from '../../platform/refusal.ts';
import { actIn } from './act.ts';
import { confirmIn } from './confirm.ts';
import { isSecond } from './own-word.ts';
import { batchOrders } from './store.ts';

/**
 * A second person agrees to rows of a result file that staff uploaded. It is neither the uploader nor the person who asked. The rows are
 * confirmed in the name of the second person. 409 when another file has taken the place of this one.
 */
export const resultFileApproval = approvalHandler({
  kind: 'resultFile',
  payload: z.object({
    fileHash: z.string(),
    rows: z.array(z.int()),
    amount: z.int(),
    currency: z.enum(['INR', 'KES', 'USDT']),
  }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, { subjectId, payload: { fileHash, rows } }, decider) {
    const done = await actIn(platform, tx, decider, subjectId, 'confirm', async (batch) => {
      const told = (await batchOrders(tx, batch.id)).find(
        ({ proposedFile }) => proposedFile?.toString('hex') === fileHash,
      );
      // The person who asked may not have seen the file, so the second person must be independent of the uploader.
      if (told && !(await isSecond(platform, tx, decider, told.proposedBy!)))
        return refuse('forbidden', {}, { reason: 'sameHands' });
      return confirmIn(platform, tx, decider, batch, { fileHash, rows, isAgreed: true });
    });
    if (isRefusal(done)) return done;
    const confirmed = done.list.filter(({ code }) => code === CODES.ok.code);
    return confirmed.length > 0 ? { confirmed: confirmed.length } : refuse('conflict');
  },
});
