import { actorOf } from '../history/events.ts';
import { joinMessage } from '../evidence/matching/join.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { isSelfReported, staterOf } from '../evidence/trusted-chain/statements.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { act } from './actions.ts';
import { complete } from './complete.ts';
import { lockProofs } from './debits.ts';
import type { PayoutOrder } from './order.ts';

/**
 * The payee was paid, by this UTR. A stored debit message of the supplier's accounts with the same UTR and amount is
 * joined to the order and proves it. A supplier's word, without one that its account's chain bears out, leaves the order flagged
 * unproven until there is; the desk's word is the proof itself.
 */
export function confirmPaid(
  platform: Platform,
  viewer: Viewer,
  input: ChosenOrder & { readonly utr: string },
): Promise<PayoutOrder | Refusal> {
  const { utr } = input;
  return act(platform, viewer, input, 'confirmPaid', async (tx, order) => {
    const stater = staterOf(viewer);
    const proofs = await lockProofs(platform, tx, stater, [{ order, utr }], { isDesk: stater === 'staff' });
    const debit = proofs.get(order.id);
    const completed = await complete(platform, tx, {
      order,
      utr,
      unproven: isSelfReported(stater, debit),
      actor: actorOf(viewer),
      data: debit ? { messageId: String(debit.id) } : {},
    });
    if (isRefusal(completed)) return completed;
    if (debit) await joinMessage(platform, tx, debit.id, order.id, 'payoutUtr');
    return completed;
  });
}
