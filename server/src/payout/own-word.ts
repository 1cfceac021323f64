import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { countOwnWord } from '../approvals/own-word.ts';
import { approvalNeeded, startApproval } from '../approvals/start.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { act, payoutVersion } from './actions.ts';
import type { PayoutOrder } from './order.ts';

export interface ConfirmedPaid {
  readonly action: 'confirmPaid';
  readonly utr: string;
  /** A supplier's own account; the desk, whose word may wait for a second person, names none. */
  readonly accountId?: bigint;
  /** Who asked for it, where a second person agreed. */
  readonly startedBy?: bigint;
}

/** What a user says of a payout: it was paid, it is refused, its proof was seen, or its claimer has not paid it. */
export type Said =
  | ConfirmedPaid
  | { readonly action: 'cancelClaim' }
  | { readonly action: 'acceptProof'; readonly reason: string }
  | Rejected;

export interface Rejected {
  readonly action: 'reject';
  readonly reason: string;
  /** Set when the supplier says it: the payout goes back to waiting. Otherwise the merchant is refunded. */
  readonly handsBack?: true;
}

/** One way to decide a payout. */
export interface WordRule<What extends Said> {
  /** Whether something other than the word of the person who decides supports the decision. */
  isBorneOut(platform: Platform, tx: Tx, order: PayoutOrder, said: What): Promise<boolean>;
  /** Does it, on a locked order whose action is allowed. */
  take(
    platform: Platform,
    tx: Tx,
    viewer: Viewer,
    order: PayoutOrder,
    said: What,
  ): Promise<PayoutOrder | Refusal>;
}

/**
 * Decides a payout, or asks for a second person (1205). Staff need a second person when nothing else supports what they say and their sum
 * of the day would pass UnprovenDayLimit, and always to confirm a payout that its gateway or bank has called unpaid. A supplier
 * needs one only to say that a payout which is 'to be confirmed' was not paid; what it confirms stays unproven.
 */
export async function decideOrAsk<What extends Said>(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
  said: What,
  { isBorneOut, take }: WordRule<What>,
): Promise<PayoutOrder | Refusal> {
  const outcome = await act(platform, viewer, subject, said.action, async (tx, order) => {
    // Its gateway or its bank has said that it was not paid, or nobody knows since a restore of the database.
    const isDenied = said.action === 'confirmPaid' && order.status === PAYOUT_STATUS.processingError;
    const mayAlone = isStaff(viewer)
      ? !isDenied &&
        ((await isBorneOut(platform, tx, order, said)) ||
          (await countOwnWord(platform, tx, [viewer.userId], order)))
      : said.action !== 'reject' || order.status !== PAYOUT_STATUS.toBeConfirmed;
    if (mayAlone) return take(platform, tx, viewer, order, said);
    const { amount, currency } = order;
    return startApproval(platform, tx, viewer, {
      kind: 'unprovenPayout',
      subjectKind: 'order',
      subjectId: order.id,
      payload: { said, amount: Number(amount), currency, version: payoutVersion(order) },
      reason: 'reason' in said ? said.reason : null,
      // A request of the supplier does not keep the desk from making its own.
      sole: isStaff(viewer),
    });
  });
  return isRefusal(outcome) || !('todoId' in outcome) ? outcome : approvalNeeded(outcome);
}
