import { actorOf } from '../history/events.ts';
import { joinMessage } from '../matching/join.ts';
import type { Platform } from '../platform.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { act } from './actions.ts';
import { complete } from './complete.ts';
import { lockDebit } from './debits.ts';
import type { PayoutOrder } from './order.ts';

/**
 * The payee was paid, by this UTR. A stored debit message of the supplier's accounts with the same UTR and amount is
 * joined to the order and proves it. Without one, a supplier's word leaves the order flagged unproven until the message
 * arrives; the desk's word is the proof itself.
 */
export function confirmPaid(
  platform: Platform,
  viewer: Viewer,
  input: { readonly orderId: bigint; readonly utr: string },
): Promise<PayoutOrder | Refusal> {
  const { orderId, utr } = input;
  return act(platform, viewer, orderId, 'confirmPaid', async (tx, order) => {
    const debit = await lockDebit(tx, order, utr, { isDesk: viewer.role !== 'supplier' });
    const completed = await complete(platform, tx, {
      order,
      utr,
      unproven: viewer.role === 'supplier' && !debit,
      actor: actorOf(viewer),
      data: debit ? { messageId: String(debit.id) } : {},
    });
    if (isRefusal(completed)) return completed;
    if (debit) await joinMessage(platform, tx, debit.id, order.id, 'payoutUtr');
    return completed;
  });
}
