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

/** What a user says of a payout: how it was paid, why it was not, which proof was seen, or that its claimer has not paid it. */
export type Said =
  | ConfirmedPaid
  | { readonly action: 'cancelClaim' }
  | { readonly action: 'acceptProof'; readonly reason: string }
  | Rejected;

export interface Rejected {
  readonly action: 'reject';
  readonly reason: string;
  /** Said by its supplier: the payout is put back for others to pay. Without it the merchant is refunded. */
  readonly handsBack?: true;
}

/** One way to decide a payout: whether something other than the word of who decides bears it out, and how it is done. */
export interface WordRule<What extends Said> {
  isBorneOut(platform: Platform, tx: Tx, order: PayoutOrder, said: What): Promise<boolean>;
  /** On a locked order whose action is allowed. */
  take(
    platform: Platform,
    tx: Tx,
    viewer: Viewer,
    order: PayoutOrder,
    said: What,
  ): Promise<PayoutOrder | Refusal>;
}

/**
 * Decides a payout, or asks for a second person (1205): that is so for staff, where nothing bears out what is said and the
 * user's sum of the day would pass UnprovenDayLimit, or where it was paid although its gateway or bank has said that it was not. A supplier's word needs nobody while it concerns its claim alone, and stays unproven;
 * that money which may have left has not is not for it to say alone.
 */
export async function decideOrAsk<What extends Said>(
  platform: Platform,
  viewer: Viewer,
  subject: bigint | ChosenOrder,
  said: What,
  { isBorneOut, take }: WordRule<What>,
): Promise<PayoutOrder | Refusal> {
  const outcome = await act(platform, viewer, subject, said.action, async (tx, order) => {
    // Its gateway or its bank has said that it was not paid.
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
      // A supplier's request keeps the desk from asking for nothing.
      sole: isStaff(viewer),
    });
  });
  return isRefusal(outcome) || !('todoId' in outcome) ? outcome : approvalNeeded(outcome);
}
