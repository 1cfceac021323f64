import type { withdrawFunds as endpoint } from '@sangam/contract/endpoints/fund.ts';
import type { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { tiedToAuthors } from '../approvals/independence.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, move, movePayload } from './move.ts';
import { balanceNow, bucketOf, holdBalance, type Owner, visibleOwner, withheldOf } from './owner.ts';

/** Asks to pay money out of a balance. Refused at once when the balance is too low now. */
export function withdrawFunds(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof endpoint.input>,
): Promise<Refusal> {
  return ask(platform, viewer, async (tx) => {
    const owner = await visibleOwner(tx, viewer, input);
    if (isRefusal(owner)) return owner;
    const bucket = bucketOf(owner, input.bucket);
    if (isRefusal(bucket)) return bucket;
    if ((await balanceNow(tx, owner, input.currency, bucket)) < BigInt(input.amount))
      return refuse('balanceInsufficient');
    return {
      kind: 'withdrawal',
      subjectKind: owner.ownerKind,
      subjectId: owner.ownerId,
      payload: { currency: input.currency, bucket, amount: -input.amount },
      reason: input.reason,
      requestKey: input.requestKey,
      sole: false,
    };
  });
}

/**
 * Pays out an approved withdrawal, only from money that is the owner's: not from the withheld part (`withheldOf`), nor from a credit limit.
 */
export const withdrawalApproval = approvalHandler({
  kind: 'withdrawal',
  payload: movePayload,
  summary: ({ amount, currency }) => ({ amount: -amount, currency }),
  async execute(platform, tx, approval, decider) {
    const tied = await tiedToAuthors(platform, tx, decider, await instructedBy(tx, approval.id));
    if (tied) return tied;
    const { bucket, currency } = approval.payload;
    const owner = { ownerKind: approval.subjectKind as Owner['ownerKind'], ownerId: approval.subjectId };
    // An unproven payout may be credited at this moment: with the balance locked, its credit is seen and withheld.
    await holdBalance(tx, owner, currency, bucket);
    const atLeast = await withheldOf(tx, owner, currency, bucket);
    return move(platform, tx, approval, { postingKind: 'withdrawal', against: 'external', atLeast });
  },
});

/** The user of the party whose group has asked for the withdrawal: whoever agreed to that asks for the withdrawal in its own name. */
async function instructedBy(tx: Tx, approvalId: bigint): Promise<bigint[]> {
  const rows = await tx.query<{ id: bigint }>(sql`
    select a.started_by as id from transfer_instructions t join approvals a on a.id = t.todo_id where t.second_todo_id = ${approvalId}`);
  return rows.map(({ id }) => id);
}
