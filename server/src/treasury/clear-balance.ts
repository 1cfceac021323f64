import type { clearBalance as endpoint } from '@sangam/contract/endpoints/fund.ts';
import type { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, move, movePayload } from './move.ts';
import { arrivedSince, balanceAsOf, holdBalance, visibleOwner } from './owner.ts';

/**
 * Asks to take the whole available balance of a merchant as it is now. Exactly this amount is approved. Money that comes later stays, also
 * if some of the balance is spent meanwhile (1203).
 */
export async function clearBalance(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof endpoint.input>,
): Promise<Refusal> {
  if (!(await platform.settings.all()).CanClearMerchantBalance) return refuse('forbidden');
  const prepare = async (tx: Tx) => {
    const owner = await visibleOwner(tx, viewer, { ownerKind: 'merchant', ownerId: input.merchantId });
    if (isRefusal(owner)) return owner;
    const { balance, asOf } = await balanceAsOf(tx, owner, input.currency, 'available');
    if (balance <= 0n) return refuse('balanceInsufficient');
    return {
      kind: 'clearBalance',
      subjectKind: 'merchant',
      subjectId: owner.ownerId,
      payload: { currency: input.currency, bucket: 'available', amount: -Number(balance) },
      reason: input.reason,
      requestKey: input.requestKey,
      sole: true,
      asOf,
    } as const;
  };
  // The same request made before keeps its state of the ledger.
  return ask(platform, viewer, prepare, (tx, todoId, { asOf }) =>
    tx.query(sql`
      insert into clear_requests (approval_id, as_of) values (${todoId}, ${asOf}::pg_snapshot) on conflict do nothing`),
  );
}

export const clearBalanceApproval = approvalHandler({
  kind: 'clearBalance',
  payload: movePayload,
  summary: ({ amount, currency }) => ({ amount: -amount, currency }),
  async execute(platform, tx, approval) {
    if (!(await platform.settings.all()).CanClearMerchantBalance) return refuse('forbidden');
    const { currency, bucket } = approval.payload;
    const owner = { ownerKind: 'merchant', ownerId: approval.subjectId } as const;
    const [asked] = await tx.query<{ asOf: string }>(sql`
      select as_of::text as "asOf" from clear_requests where approval_id = ${approval.id}`);
    if (!asked) return refuse('conflict', {}, { reason: 'otherVersion' });
    await holdBalance(tx, owner, currency, bucket);
    const since = { asOf: asked.asOf, since: approval.startedAt };
    const atLeast = await arrivedSince(tx, owner, currency, bucket, since);
    return move(platform, tx, approval, { postingKind: 'clearBalance', against: 'adjustment', atLeast });
  },
});
