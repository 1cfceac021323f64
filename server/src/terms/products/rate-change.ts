import * as contract from '@sangam/contract/endpoints/terms.ts';
import { currency } from '@sangam/contract/fields.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { isRefusal, refuse } from '../../platform/refusal.ts';
import { rateOf, writeTerms } from './set-terms.ts';

/**
 * New terms that somebody else approved. They come into force at their time, or with the approval when that was earlier.
 * If the terms changed meanwhile, the request is refused.
 */
export const rateChangeApproval = approvalHandler({
  kind: 'rateChange',
  payload: contract.setUserProduct.input.and(
    z.object({
      beforeRatePpm: z.int().nullable(),
      beforeFixedFee: z.int().nullable(),
      /** The product's, in which its amounts are read; requests of older versions name none. */
      currency: currency.optional(),
    }),
  ),
  summary: ({ currency }) => ({ amount: null, currency: currency ?? null }),
  async execute(platform, tx, { id, startedBy, payload }, decider) {
    const written = await writeTerms(platform, tx, payload, {
      viewer: decider,
      setBy: startedBy,
      late: true,
      check(now) {
        const { beforeRatePpm, beforeFixedFee } = rateOf(now);
        const same = beforeRatePpm === payload.beforeRatePpm && beforeFixedFee === payload.beforeFixedFee;
        return same ? undefined : refuse('conflict');
      },
      approvalId: id,
    });
    return isRefusal(written) ? written : { ...written };
  },
});
