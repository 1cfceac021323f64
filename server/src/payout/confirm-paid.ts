import { actorOf } from '../history/events.ts';
import { joinMessage } from '../evidence/matching/join.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { staterOf } from '../evidence/trusted-chain/statements.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { complete } from './complete.ts';
import { lockProofs } from './debits.ts';
import type { PayoutOrder } from './order.ts';
import { type ConfirmedPaid, decideOrAsk, type WordRule } from './own-word.ts';
import { paidFrom } from './paying.ts';

/**
 * Completes a payout as paid by this UTR. A stored debit with the same UTR and amount proves it and is joined to it; when a supplier
 * confirms, the account's chain must corroborate the debit. Without such a debit the payout is unproven, and the desk may need a second
 * person (1205). A supplier may name the account it paid from; then only a debit of that account proves the payout.
 */
export function confirmPaid(
  platform: Platform,
  viewer: Viewer,
  {
    utr,
    accountId,
    ...subject
  }: ChosenOrder & { readonly utr: string; readonly accountId?: bigint | undefined },
): Promise<PayoutOrder | Refusal> {
  if (accountId !== undefined && viewer.role !== 'supplier') return Promise.resolve(refuse('forbidden'));
  const from = accountId === undefined ? {} : { accountId };
  return decideOrAsk(platform, viewer, subject, { action: 'confirmPaid', utr, ...from }, CONFIRM_PAID);
}

export const CONFIRM_PAID: WordRule<ConfirmedPaid> = {
  // As 'supplier', not 'staff': a debit without its chain's corroboration may have been written by the supplier. A debit that belongs to
  // another payout, or belonged to one that was reversed, is taken on the word of who confirms: its money may be gone again.
  isBorneOut: async (platform, tx, order, { utr }) =>
    (await lockProofs(platform, tx, 'supplier', [{ order, utr }])).has(order.id),
  async take(platform, tx, viewer, claimed, { utr, accountId, startedBy }) {
    const payer =
      accountId === undefined ? claimed.accountId : await paidFrom(tx, viewer, claimed, { utr, accountId });
    if (isRefusal(payer)) return payer;
    const order = { ...claimed, accountId: payer };
    const stater = staterOf(viewer);
    const proofs = await lockProofs(platform, tx, stater, [{ order, utr }], { isDesk: stater === 'staff' });
    const debit = proofs.get(order.id);
    const completed = await complete(platform, tx, {
      order,
      utr,
      unproven: debit === undefined,
      actor: actorOf(viewer),
      data: {
        ...(debit ? { messageId: String(debit.id) } : {}),
        ...(payer === null ? {} : { accountId: String(payer) }),
        ...(startedBy === undefined ? {} : { startedBy: String(startedBy) }),
      },
    });
    if (isRefusal(completed)) return completed;
    if (debit) await joinMessage(platform, tx, debit.id, order.id, 'payoutUtr');
    return completed;
  },
};
