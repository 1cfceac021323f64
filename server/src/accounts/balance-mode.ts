import { BALANCE_MODES, type BalanceMode } from '@sangam/contract/chain.ts';
import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { startApproval, type Started } from '../approvals/start.ts';
import { audit } from '../platform/audit/record.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

export const USUAL_BALANCE_MODE: BalanceMode = 'optional';

/** Whether messages without a balance could complete more than before. Of 'optional' and 'none' neither is stricter than the other. */
export function isWeaker(before: BalanceMode, after: BalanceMode): boolean {
  return after !== 'required' && after !== before;
}

/** Starts, in the caller's transaction, an approval for a balance mode under which messages prove less. */
export function askForBalanceMode(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  change: { readonly accountId: bigint; readonly before: BalanceMode; readonly after: BalanceMode },
): Promise<Started | Refusal> {
  return startApproval(platform, tx, viewer, {
    kind: 'balanceMode',
    subjectKind: 'account',
    subjectId: change.accountId,
    payload: { balanceMode: change.after, balanceModeBefore: change.before },
    reason: null,
    sole: false,
  });
}

/** Sets the weaker balance mode, unless the mode was changed since the request. */
export const balanceModeApproval = approvalHandler({
  kind: 'balanceMode',
  payload: z.object({ balanceMode: z.enum(BALANCE_MODES), balanceModeBefore: z.enum(BALANCE_MODES) }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { subjectId, payload, startedBy }, decider) {
    const { balanceMode, balanceModeBefore } = payload;
    const changed = await tx.query(sql`
      update accounts set balance_mode = ${balanceMode} where id = ${subjectId} and balance_mode = ${balanceModeBefore} returning 1`);
    if (changed.length === 0) return refuse('conflict');
    await audit(platform, tx, {
      userId: decider.userId,
      action: 'account.update',
      subject: `account:${subjectId}`,
      before: { balanceMode: balanceModeBefore },
      after: { balanceMode, startedBy: String(startedBy) },
      ip: decider.ip,
    });
    return {};
  },
});
