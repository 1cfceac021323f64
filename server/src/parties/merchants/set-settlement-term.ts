import type { setSettlementTerm as contract } from '@sangam/contract/endpoints/settlement.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

/**
 * Sets after how many days a merchant's credits become available, from the next credit on. A shorter term waits for a second
 * person (1205), as an early settlement does: money could leave before anybody notices that something is wrong with it.
 */
export async function setSettlementTerm(
  platform: Platform,
  viewer: Viewer,
  { merchantId, days, reason }: z.output<typeof contract.input>,
): Promise<Record<string, never> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const id = BigInt(merchantId);
  const outcome = await platform.db.tx(async (tx): Promise<Started | Refusal | null> => {
    const before = await lockTerm(tx, id);
    if (before === undefined) return refuse('notFound');
    if (days < before)
      return startApproval(platform, tx, viewer, {
        kind: 'settlementTerm',
        subjectKind: 'merchant',
        subjectId: id,
        payload: { days, daysBefore: before },
        reason,
        sole: false,
      });
    await write(platform, tx, viewer, id, { days: before }, { days, reason });
    return null;
  });
  if (isRefusal(outcome)) return outcome;
  return outcome ? approvalNeeded(outcome) : {};
}

/** Sets the requested shorter term, unless the term was changed since. */
export const settlementTermApproval = approvalHandler({
  kind: 'settlementTerm',
  payload: z.object({ days: z.int(), daysBefore: z.int() }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { subjectId, payload: { days, daysBefore }, reason, startedBy }, decider) {
    if ((await lockTerm(tx, subjectId)) !== daysBefore) return refuse('conflict');
    const after = { days, reason, startedBy: String(startedBy) };
    await write(platform, tx, decider, subjectId, { days: daysBefore }, after);
    return {};
  },
});

async function lockTerm(tx: Tx, merchantId: bigint): Promise<number | undefined> {
  const [row] = await tx.query<{ days: number }>(sql`
    select settlement_days as days from merchants where id = ${merchantId} for no key update`);
  return row?.days;
}

async function write(
  platform: Platform,
  tx: Tx,
  { userId, ip }: Viewer,
  merchantId: bigint,
  before: { readonly days: number },
  { reason, ...after }: { readonly days: number; readonly reason: string | null },
): Promise<void> {
  await tx.query(sql`update merchants set settlement_days = ${after.days} where id = ${merchantId}`);
  await audit(platform, tx, {
    userId,
    action: 'settlement.setTerm',
    subject: `merchant:${merchantId}`,
    before,
    after,
    reason,
    ip,
  });
}
