import type { BookEntry } from '../bank/account-book.ts';
import type { ConsoleClient } from '../console/console-client.ts';
import type { MerchantClient, QueriedOrder } from '../merchant/merchant-client.ts';
import type { WatchedAccount } from '../monitor/phones.ts';
import type { PayoutPlan } from './payout-plan.ts';

/** A supplier who pays out from its own bank accounts. */
export interface PayingSupplier {
  readonly console: ConsoleClient;
  readonly accounts: readonly WatchedAccount[];
}

/** One payout of the run: what was planned and what has happened. Amounts in paise. */
export interface PayoutLife {
  readonly plan: PayoutPlan;
  readonly mchId: string;
  readonly client: MerchantClient;
  readonly mchOrderNo: string;
  orderCode: string | null;
  refusal: string | null;
  /** What a supplier's bank or the gateway moved to the payee, and by which reference. */
  paid: { readonly amount: number; readonly utr: string } | null;
  /** The UTR a supplier made up, who moved nothing. */
  invented?: string;
  /** Of the account a supplier paid it from. */
  book?: readonly BookEntry[];
  /** The desk took the bank's statement for its debit in the end, whose chain has a gap. */
  isAccepted?: true;
  /** Of two who claimed at once: how many were given it. */
  claimsWon: number | null;
  error: string | null;
  /** As the merchant's query shows it at the end. */
  queried: QueriedOrder | null;
  /** As the desk sees it at the end. */
  row: { readonly orderStatusId: number; readonly reversed: boolean; readonly unproven?: boolean } | null;
}

/** What was paid by bulk files of a bank. */
export interface BatchRun {
  readonly files: number;
  /** Payouts the bank refused at first, paid by another file. */
  readonly retried: number;
}

/** Whether the payee must have been paid, as somebody says, or the merchant refunded. */
export function mustBePaid({ plan }: PayoutLife): boolean {
  if (plan.course === 'gateway')
    return !['failed', 'refused', 'errorBefore', 'stuck'].includes(plan.gatewayEnd);
  if (plan.course === 'batch') return plan.batchEnd !== 'refused';
  return plan.course !== 'rejected' && plan.course !== 'cancelled';
}

/** Whether its account's chain has a gap that may keep its debit from being borne out. */
export function mayStayUnproven({ book = [] }: PayoutLife): boolean {
  return book.some(({ kind, states }) => kind === 'lost' || !states);
}

/** Whether it stays under way for ever, at a gateway that never says more. */
export function staysOpen({ plan }: PayoutLife): boolean {
  return plan.course === 'gateway' && plan.gatewayEnd === 'stuck';
}

/** Whether it was paid and is taken back afterwards. */
export function isTakenBack(payout: PayoutLife): boolean {
  return payout.plan.takenBack !== 'no' && mustBePaid(payout);
}

export function isBatched({ plan, orderCode }: PayoutLife): boolean {
  return plan.course === 'batch' && orderCode !== null;
}
