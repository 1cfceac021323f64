import { updateLimits } from '@sangam/contract/endpoints/merchant.ts';
import { z } from 'zod';
import { merchantLimits } from '../../access/limits/limits.ts';
import { approvalHandler } from '../../approvals/approval.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { accessChange } from './access-change.ts';
import { applyLimits } from './limits.ts';
import { voidSecret } from './rotate-secret.ts';
import { applyUpdate } from './update-merchant.ts';

/** Executes a change that weakens a merchant's own protection. Shows no secret: the merchant's own user issues the next one. */
export const merchantAccessApproval = approvalHandler({
  kind: 'merchantAccess',
  payload: accessChange,
  summary: () => ({ amount: null, currency: null }),
  after: (platform) => merchantLimits(platform).refresh(),
  async execute(platform, tx, { subjectId, startedAt, payload }, decider) {
    const done =
      payload.change === 'secret'
        ? await voidSecret(platform, tx, decider, subjectId, { ...payload, seenAt: startedAt })
        : payload.change === 'signType'
          ? await applyUpdate(platform, tx, decider, payload.input, payload.before)
          : await applyLimits(platform, tx, decider, payload.input, payload.before);
    return isRefusal(done) ? done : {};
  },
});

/** Executes a merchant's request about its own addresses, unless they were changed since. */
export const ownAddressesApproval = approvalHandler({
  kind: 'ownAddresses',
  payload: z.object({ input: updateLimits.input, before: z.unknown() }),
  summary: () => ({ amount: null, currency: null }),
  after: (platform) => merchantLimits(platform).refresh(),
  async execute(platform, tx, { payload }, decider) {
    const done = await applyLimits(platform, tx, decider, payload.input, payload.before);
    return isRefusal(done) ? done : {};
  },
});
