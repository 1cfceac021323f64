import type { setCreditLimit as endpoint } from '@sangam/contract/endpoints/fund.ts';
import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { depositLimit, setDepositLimit } from '../ledger/credit-limit.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from './move.ts';
import { visibleOwner } from './owner.ts';

/** Asks to change how far below zero a supplier's deposit may go. */
export function setCreditLimit(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof endpoint.input>,
): Promise<Refusal> {
  return ask(platform, viewer, async (tx) => {
    const owner = await visibleOwner(tx, viewer, { ownerKind: 'supplier', ownerId: input.supplierId });
    if (isRefusal(owner)) return owner;
    return {
      kind: 'creditLimit',
      subjectKind: 'supplier',
      subjectId: owner.ownerId,
      payload: {
        currency: input.currency,
        creditLimit: input.creditLimit,
        allBefore: { creditLimit: Number(await depositLimit(tx, owner.ownerId, input.currency)) },
      },
      reason: input.reason,
      requestKey: input.requestKey,
      sole: false,
    };
  });
}

/** The limit that was asked for, unless another one was agreed to since. */
export const creditLimitApproval = approvalHandler({
  kind: 'creditLimit',
  payload: z.object({
    currency: z.enum(['INR', 'KES', 'USDT']),
    creditLimit: z.int().nonnegative(),
    allBefore: z.object({ creditLimit: z.int() }),
  }),
  summary: ({ creditLimit, currency }) => ({ amount: creditLimit, currency }),
  async execute(platform, tx, { subjectId, payload }) {
    const limit = BigInt(payload.creditLimit);
    const before = await setDepositLimit(platform, tx, subjectId, payload.currency, limit);
    if (before === 'insufficient') return refuse('balanceInsufficient');
    if (Number(before) !== payload.allBefore.creditLimit) return refuse('conflict');
    return { before: Number(before), after: payload.creditLimit };
  },
});
