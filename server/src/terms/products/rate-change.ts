import { isDeepStrictEqual } from 'node:util';
import * as contract from '@sangam/contract/endpoints/terms.ts';
import { currency } from '@sangam/contract/fields.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { isRefusal, refuse } from '../../platform/refusal.ts';
import { withdrawAgreed } from './cancel-terms.ts';
import { writeCopied } from './copy-terms.ts';
import { writeTerms } from './set-terms.ts';

const oneProduct = contract.setUserProduct.input.and(
  z.object({
    allBefore: z.unknown(),
    scheduled: z.unknown(),
    /** The product's currency, in which the amounts are read. Requests of older versions have none. */
    currency: currency.optional(),
  }),
);

/**
 * New terms, or a withdrawal of scheduled ones, that a second person has approved. New terms come into force at their time, or at the
 * approval if that is later. If the terms changed meanwhile, or others were scheduled, the request is refused.
 */
export const rateChangeApproval = approvalHandler({
  kind: 'rateChange',
  payload: z.union([contract.copiedTerms, contract.withdrawnTerms, oneProduct]),
  summary: (payload) => ({
    amount: null,
    currency: 'currency' in payload ? (payload.currency ?? null) : null,
  }),
  async execute(platform, tx, { id, startedBy, payload }, decider) {
    const by = { viewer: decider, setBy: startedBy, approvalId: id };
    if ('terms' in payload) {
      const copied = await writeCopied(platform, tx, payload, by);
      return isRefusal(copied) ? copied : { ...copied };
    }
    if ('termsId' in payload) return withdrawAgreed(platform, tx, payload, by);
    const written = await writeTerms(platform, tx, payload, {
      ...by,
      late: true,
      check: (now) =>
        isDeepStrictEqual(now, { allBefore: payload.allBefore, scheduled: payload.scheduled })
          ? undefined
          : refuse('conflict'),
    });
    return isRefusal(written) ? written : { ...written };
  },
});
