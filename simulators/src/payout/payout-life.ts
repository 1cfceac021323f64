import type { BookEntry } from '../bank/account-book.ts';
import type { ConsoleClient } from '../console/console-client.ts';
import type { MerchantClient, QueriedOrder } from '../merchant/merchant-client.ts';
import type { WatchedAccount } from '../monitor/phones.ts';
import type { PayoutPlan } from './payout-plan.ts';

/** A supplier who pays payouts from its own bank accounts. */
export interface PayingSupplier {
  readonly console: ConsoleClient;
  readonly accounts: readonly WatchedAccount[];
}

/** One payout of the run: its plan, and what has happened. Amounts in paise. */
export interface PayoutLife {
  readonly plan: PayoutPlan;
  readonly mchId: string;
  readonly client: MerchantClient;
  readonly mchOrderNo: string;
  orderCode: string | null;
  refusal: string | null;
  /** The amount that a supplier's bank or the gateway moved to the payee, and the reference. */
  paid: { readonly amount: number; readonly utr: string } | null;
  /** The invented UTR of a supplier who moved no money. */
  invented?: string;
  /** The book of the account that a supplier paid from. */
  book?: readonly BookEntry[];
  /** The desk accepted the bank's statement as proof of the debit, because the account's chain has a gap. */
  isAccepted?: true;
  /** Of two suppliers who claimed at the same time: how many got the claim. */
  claimsWon: number | null;
  error: string | null;
  /** The merchant's query at the end. */
  queried: QueriedOrder | null;
  /** The desk's view at the end. */
  row: { readonly orderStatusId: number; readonly reversed: boolean; readonly unproven?: boolean } | null;
}

/** The payouts paid by bulk files of a bank. */
export interface BatchRun {
  readonly files: number;
  /** Payouts that the bank refused at first and that another file paid. */
  readonly retried: number;
}

/** Whether the payee must have been paid (somebody says so), or the merchant refunded. */
export function mustBePaid({ plan }: PayoutLife): boolean {
  if (plan.course === 'gateway')
    return !['failed', 'refused', 'errorBefore', 'stuck'].includes(plan.gatewayEnd);
  if (plan.course === 'batch') return plan.batchEnd !== 'refused';
  return plan.course !== 'rejected' && plan.course !== 'cancelled';
}

/** Whether a gap in the account's chain may keep the debit from being corroborated. */
export function mayStayUnproven({ book = [] }: PayoutLife): boolean {
  return book.some(({ kind, states }) => kind === 'lost' || !states);
}

/** Whether the payout stays in progress for ever, because the gateway never reports its end. */
export function staysOpen({ plan }: PayoutLife): boolean {
  return plan.course === 'gateway' && plan.gatewayEnd === 'stuck';
}

/** Whether the payout is paid and later reversed. */
export function isTakenBack(payout: PayoutLife): boolean {
  return payout.plan.takenBack && mustBePaid(payout);
}

export function isBatched({ plan, orderCode }: PayoutLife): boolean {
  return plan.course === 'batch' && orderCode !== null;
}
